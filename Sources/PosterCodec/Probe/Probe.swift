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
        switch format {
        case nil: return .needsMoreBytes(atLeast: ImageFormat.prefixLength)
        case .jpeg:
            var walker = JPEGWalker(buffer)
            return try walker.header()
        case .png:
            var walker = PNGWalker(buffer)
            return try walker.header()
        case .webp:
            var walker = WebPWalker(buffer)
            return try walker.header()
        case .some(let other): throw .unsupported(other.rawValue)
        }
    }
}

/// As ``probe(_:)``, and makes sure that what the header tells is within the limits.
///
/// - Throws: As ``probe(_:)``, and ``CodecError/overLimit(_:value:limit:)``.
public func probe(_ bytes: RawSpan, limits: CodecLimits) throws(CodecError) -> ProbeAnswer {
    let answer = try probe(bytes)
    if case .header(let header) = answer { try header.check(limits) }
    return answer
}

/// Reads the header of a complete file and makes sure that the picture's data is all there.
///
/// The segments are walked to the end-of-image marker; bytes after it are allowed. Nothing is decoded.
///
/// - Throws: As ``probe(_:)``, ``CodecError/truncated`` when the file ends too early, and
///   ``CodecError/overLimit(_:value:limit:)``.
public func inspect(_ bytes: RawSpan, limits: CodecLimits) throws(CodecError) -> ImageHeader {
    guard bytes.byteCount <= limits.maxBytes else {
        throw .overLimit(.bytes, value: bytes.byteCount, limit: limits.maxBytes)
    }
    guard case .header(var header) = try probe(bytes) else { throw incomplete(bytes) }
    try header.check(limits)
    // A PNG may tell it after its picture, where a prefix cannot know.
    var lateOrientation: Orientation?
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) in
        switch header.format {
        case .jpeg:
            var walker = JPEGWalker(buffer)
            let scans = try walker.scanCount()
            guard scans <= limits.maxScans else { throw .overLimit(.scans, value: scans, limit: limits.maxScans) }
        case .png:
            var walker = PNGWalker(buffer)
            lateOrientation = try walker.walkToEnd(limits: limits)
        case .webp:
            var walker = WebPWalker(buffer)
            try walker.walkToEnd(limits: limits)
        default: break
        }
    }
    if let lateOrientation { header.orientation = lateOrientation }
    return header
}

extension ImageHeader {
    /// - Throws: ``CodecError/overLimit(_:value:limit:)`` when the picture is too large, or has too many frames.
    func check(_ limits: CodecLimits) throws(CodecError) {
        let all: [(CodecLimits.Name, Int, Int)] = [
            (.width, self.width, limits.maxWidth), (.height, self.height, limits.maxHeight),
            (.pixels, self.width * self.height, limits.maxPixels), (.frames, self.frameCount, limits.maxFrames),
        ]
        for (name, value, limit) in all where value > limit { throw .overLimit(name, value: value, limit: limit) }
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
