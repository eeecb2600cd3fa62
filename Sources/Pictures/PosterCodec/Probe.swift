/// Reads the header of a picture from its first bytes.
///
/// - Parameter bytes: The file's beginning, as much of it as has arrived.
/// - Throws: ``CodecError/notAnImage(seems:)``, ``CodecError/unsupported(_:)`` or ``CodecError/damaged(reason:)``.
public func probe(_ bytes: RawSpan) throws(CodecError) -> ProbeResult {
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> ProbeResult in
        var progress = HeaderProgress.unrecognised
        return try probe(buffer, resuming: &progress)
    }
}

/// The state of a parser that has not reached the end of the header.
enum HeaderProgress: Sendable {
    case unrecognised
    case jpeg(JPEGParser.Progress)
    case png(PNGParser.Progress)
    case webp(WebPParser.Progress)

    /// The number of bytes that need not be read again.
    var reached: Int {
        switch self {
        case .unrecognised: 0
        case .jpeg(let progress): progress.offset
        case .png(let progress): progress.offset
        case .webp(let progress): progress.reached
        }
    }
}

/// As ``probe(_:)``.
///
/// - Parameters:
///   - buffer: The file's beginning.
///   - progress: The state after fewer bytes of the same file; updated.
func probe(_ buffer: UnsafeRawBufferPointer, resuming progress: inout HeaderProgress) throws(CodecError) -> ProbeResult
{
    if case .unrecognised = progress {
        switch try recognise(buffer) {
        case nil: return .needsMoreBytes(atLeast: ImageFormat.prefixLength)
        case .jpeg: progress = .jpeg(.init())
        case .png: progress = .png(.init())
        case .webp: progress = .webp(.init())
        case .some(let other): throw .unsupported(other.rawValue)
        }
    }
    let answer: ProbeResult
    switch progress {
    case .unrecognised: return .needsMoreBytes(atLeast: ImageFormat.prefixLength)
    case .jpeg(let reached):
        var parser = JPEGParser(buffer, resuming: reached)
        answer = try parser.header()
        progress = .jpeg(parser.progress)
    case .png(let reached):
        var parser = PNGParser(buffer, resuming: reached)
        answer = try parser.header()
        progress = .png(parser.progress)
    case .webp(let reached):
        var parser = WebPParser(buffer, resuming: reached)
        answer = try parser.header()
        progress = .webp(parser.progress)
    }
    return answer
}

/// As ``probe(_:)``, and checks the header against the limits.
///
/// - Throws: As ``probe(_:)``, and ``CodecError/overLimit(_:value:limit:)``.
public func probe(_ bytes: RawSpan, limits: CodecLimits) throws(CodecError) -> ProbeResult {
    let answer = try probe(bytes)
    if case .header(let header) = answer { try header.check(limits) }
    return answer
}

/// Reads the header of a complete file and verifies that no data is missing, without decoding.
///
/// Bytes after the end of the picture are allowed.
///
/// - Throws: As ``probe(_:)``, ``CodecError/truncated`` when the file ends too early, and
///   ``CodecError/overLimit(_:value:limit:)``.
public func inspect(_ bytes: RawSpan, limits: CodecLimits) throws(CodecError) -> ImageHeader {
    try CodecLimits.check(.bytes, bytes.byteCount, atMost: limits.maxBytes)
    guard case .header(var header) = try probe(bytes) else { throw incomplete(bytes) }
    try header.check(limits)
    // A PNG's orientation may follow its picture.
    var lateOrientation: Orientation?
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) in
        switch header.format {
        case .jpeg:
            var parser = JPEGParser(buffer)
            let scans = try parser.scanCount()
            try CodecLimits.check(.scans, scans, atMost: limits.maxScans)
        case .png:
            var parser = PNGParser(buffer)
            lateOrientation = try parser.checkToEnd(limits: limits)
        case .webp:
            var parser = WebPParser(buffer)
            try parser.checkToEnd(limits: limits)
            header.prefixCodes = try parser.prefixCodes()
            try header.check(limits)
        default: break
        }
    }
    if let lateOrientation { header.orientation = lateOrientation }
    return header
}

/// The format; nil while there are too few bytes to recognise it.
private func recognise(_ buffer: UnsafeRawBufferPointer) throws(CodecError) -> ImageFormat? {
    if let format = ImageFormat(recognising: buffer.bytes) { return format }
    guard buffer.count >= ImageFormat.prefixLength else { return nil }
    throw .notAnImage(seems: FilePrefix(buffer).impression)
}

/// The error of a complete file whose header is incomplete: no picture, or truncated.
private func incomplete(_ bytes: RawSpan) -> CodecError {
    bytes.withUnsafeBytes { buffer in
        ImageFormat(recognising: buffer.bytes) == nil ? .notAnImage(seems: FilePrefix(buffer).impression) : .truncated
    }
}
