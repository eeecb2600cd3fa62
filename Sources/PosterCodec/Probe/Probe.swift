/// What the first bytes of a file tell.
public enum ProbeAnswer: Hashable, Sendable {
    case header(ImageHeader)
    /// The header goes on after these bytes; ask again with at least so many.
    case needsMoreBytes(atLeast: Int)
}

/// Reads the header of a picture from its first bytes.
///
/// - Parameter bytes: The file's beginning, as much of it as has arrived.
/// - Throws: ``CodecError/notAnImage(seems:)``, ``CodecError/unsupported(_:)`` or ``CodecError/damaged(reason:)``.
public func probe(_ bytes: RawSpan) throws(CodecError) -> ProbeAnswer {
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> ProbeAnswer in
        let format = try recognise(buffer)
        guard let format else { return .needsMoreBytes(atLeast: ImageFormat.prefixLength) }
        guard format == .jpeg else { throw .unsupported(format.rawValue) }
        var walker = JPEGWalker(buffer)
        return try walker.header()
    }
}

/// Reads the header of a complete file and makes sure that the picture's data is all there.
///
/// The segments are walked to the end-of-image marker; bytes after it are allowed. Nothing is decoded.
///
/// - Throws: As ``probe(_:)``, ``CodecError/truncated`` when the file ends too early, and
///   ``CodecError/overLimit(_:value:limit:)``.
public func inspect(_ bytes: RawSpan, limits: CodecLimits) throws(CodecError) -> ImageHeader {
    guard case .header(let header) = try probe(bytes) else { throw incomplete(bytes) }
    try header.check(limits)
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) in
        var walker = JPEGWalker(buffer)
        let scans = try walker.scanCount()
        guard scans <= limits.maxScans else { throw .overLimit(.scans, value: scans, limit: limits.maxScans) }
    }
    return header
}

extension ImageHeader {
    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` when the picture has too many pixels.
    func check(_ limits: CodecLimits) throws(CodecError) {
        let pixels = self.width * self.height
        guard pixels <= limits.maxPixels else { throw .overLimit(.pixels, value: pixels, limit: limits.maxPixels) }
    }
}

/// The format; nil while too few bytes are there to tell.
private func recognise(_ buffer: UnsafeRawBufferPointer) throws(CodecError) -> ImageFormat? {
    if let format = ImageFormat(recognising: buffer.bytes) { return format }
    guard buffer.count >= ImageFormat.prefixLength else { return nil }
    throw .notAnImage(seems: Prefix(buffer).impression)
}

/// A complete file whose header is not complete: too short to be a picture, or cut off.
private func incomplete(_ bytes: RawSpan) -> CodecError {
    bytes.withUnsafeBytes { buffer in
        ImageFormat(recognising: buffer.bytes) == nil ? .notAnImage(seems: Prefix(buffer).impression) : .truncated
    }
}
