/// Reads the header of a picture from its first bytes.
///
/// - Parameter bytes: The beginning of the file, as much as has arrived.
/// - Throws: ``CodecError/notAnImage(seems:)``, ``CodecError/unsupported(_:)`` or ``CodecError/damaged(reason:)``.
public func probe(_ bytes: RawSpan) throws(CodecError) -> ProbeResult {
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> ProbeResult in
        var progress = HeaderProgress.unrecognised
        return try probe(buffer, resuming: &progress)
    }
}

/// Reads the header of a complete file and verifies that the shown picture, the first one of several, lacks no data.
///
/// Only a file without a proper end is decoded to verify it; pixels are discarded. Bytes after the picture are allowed.
///
/// - Parameter control: Bounds the CPU time of decoding.
/// - Throws: As ``probe(_:)``, ``CodecError/truncated`` when pixels are missing,
///   ``CodecError/overLimit(_:value:limit:)`` and ``CodecError/stopped``.
public func inspect(
    _ bytes: RawSpan, limits: CodecLimits, control: RenderControl = .init()
) throws(CodecError) -> ImageHeader {
    try CodecLimits.check(.bytes, bytes.byteCount, atMost: limits.maxBytes)
    return try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> ImageHeader in
        var progress = HeaderProgress.unrecognised
        guard case .header(var header) = try probe(buffer, resuming: &progress, limits: limits, isWhole: true) else {
            throw ImageFormat(recognising: bytes) == nil
                ? .notAnImage(seems: FilePrefix(buffer).impression) : CodecError.truncated
        }
        try header.check(limits)
        let watch = RenderWatch(control, limits: limits)
        switch header.format {
        case .jpeg:
            var parser = JPEGParser(buffer)
            do throws(CodecError) {
                try CodecLimits.check(.scans, parser.scanCount(), atMost: limits.maxScans)
            } catch {
                if case .overLimit = error { throw error }
                guard try JPEGScanCheck.hasAllBlocks(buffer, watch: watch) else { throw error }
            }
        case .png:
            // The orientation may follow the picture.
            var parser = PNGParser(buffer)
            let (orientation, hasEnd) = try parser.checkToEnd(of: header, limits: limits)
            header.orientation = orientation ?? header.orientation
            if !hasEnd { try PNGInflater.checkRows(of: buffer, watch: watch) }
        case .webp:
            var parser = WebPParser(buffer, isWhole: true)
            try parser.checkToEnd(limits: limits)
            header.prefixCodes = try parser.prefixCodes()
            try header.check(limits)
        case .avif:
            var parser = AVIFParser(buffer, limits: limits, isWhole: true)
            let (layout, pictures) = try parser.checkToEnd()
            header.frameCount = layout.frameCount
            header.coding?.note(pictures)
            try header.check(limits)
        case .gif:
            var parser = GIFParser(buffer)
            let frameCount = try parser.frameCount(limits: limits)
            header.frameCount = max(1, frameCount)
            if frameCount == 0, let layout = parser.progress.layout {
                try GIFDecoder.checkPixels(of: layout, in: buffer, watch: watch)
            }
        default: break
        }
        return header
    }
}

/// Reads a picture's header while bytes arrive, so that a file that is too large or not a picture is rejected early.
///
/// Each byte is parsed once, whatever the sizes of the pieces: parsing resumes where it stopped.
public struct IncrementalProbe: Sendable {
    /// The default number of bytes within which the header must end: 256 KiB.
    public static let defaultByteLimit = 256 << 10

    /// The result for the bytes received so far.
    public enum Finding: Hashable, Sendable {
        /// The header is not complete.
        case incomplete
        case header(ImageHeader)
        /// The header does not end within the byte limit.
        case beyondByteLimit
    }

    private let limits: CodecLimits
    private let byteLimit: Int
    /// The bytes received while the header is incomplete; at most `byteLimit`.
    private var prefix: [UInt8] = []
    /// The number of bytes at which parsing resumes.
    private var needed = 1
    private(set) var progress = HeaderProgress.unrecognised
    private(set) var finding = Finding.incomplete
    /// The number of times that parsing was resumed.
    private(set) var walkCount = 0

    /// - Parameters:
    ///   - limits: The header is checked against them.
    ///   - byteLimit: The number of bytes within which the header must end.
    public init(limits: CodecLimits, byteLimit: Int = Self.defaultByteLimit) {
        self.limits = limits
        self.byteLimit = byteLimit
    }

    /// Adds the next bytes.
    ///
    /// - Returns: The finding, which is final unless it is `incomplete`.
    /// - Throws: As ``probe(_:)``, and ``CodecError/overLimit(_:value:limit:)``.
    @discardableResult
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Finding {
        guard self.finding == .incomplete else { return self.finding }
        self.prefix += bytes.prefix(self.byteLimit - self.prefix.count)
        if self.prefix.count >= self.needed { try self.walk() }
        if self.finding == .incomplete, self.prefix.count == self.byteLimit { self.finding = .beyondByteLimit }
        if self.finding != .incomplete { self.prefix = [] }
        return self.finding
    }

    private mutating func walk() throws(CodecError) {
        self.walkCount += 1
        var progress = self.progress
        let answer = try self.prefix.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in
            try probe(buffer, resuming: &progress, limits: self.limits)
        }
        self.progress = progress
        switch answer {
        case .header(let header):
            try header.check(self.limits)
            self.finding = .header(header)
        case .needsMoreBytes(let count): self.needed = max(count, self.prefix.count + 1)
        }
    }
}

/// The state of a parser that has not reached the end of the header.
enum HeaderProgress: Sendable {
    case unrecognised
    case jpeg(JPEGParser.Progress)
    case png(PNGParser.Progress)
    case webp(WebPParser.Progress)
    case gif(GIFParser.Progress)
    case avif(AVIFParser.Progress)

    /// The number of bytes that need not be read again.
    var reached: Int {
        switch self {
        case .unrecognised: 0
        case .jpeg(let progress): progress.offset
        case .png(let progress): progress.offset
        case .webp(let progress): progress.reached
        case .gif(let progress): progress.offset
        case .avif(let progress): progress.offset
        }
    }
}

/// Like ``probe(_:)``; `progress` is the state after fewer bytes of the same file.
///
/// - Parameters:
///   - limits: Limits of metadata in front of the picture; the caller checks the picture's own.
///   - isWhole: Whether the file ends here, so that anything missing after the picture counts as absent.
func probe(
    _ buffer: UnsafeRawBufferPointer, resuming progress: inout HeaderProgress, limits: CodecLimits = .init(),
    isWhole: Bool = false
) throws(CodecError) -> ProbeResult {
    if case .unrecognised = progress {
        switch try recognise(buffer) {
        case nil: return .needsMoreBytes(atLeast: ImageFormat.prefixLength)
        case .jpeg: progress = .jpeg(.init())
        case .png: progress = .png(.init())
        case .webp: progress = .webp(.init())
        case .gif: progress = .gif(.init())
        case .avif: progress = .avif(.init())
        case .some(let other): throw .unsupported(other.rawValue)
        }
    }
    switch progress {
    case .unrecognised: return .needsMoreBytes(atLeast: ImageFormat.prefixLength)
    case .jpeg(let reached):
        var parser = JPEGParser(buffer, resuming: reached)
        defer { progress = .jpeg(parser.progress) }
        return try parser.header()
    case .png(let reached):
        var parser = PNGParser(buffer, resuming: reached)
        defer { progress = .png(parser.progress) }
        return try parser.header()
    case .webp(let reached):
        var parser = WebPParser(buffer, resuming: reached, isWhole: isWhole)
        defer { progress = .webp(parser.progress) }
        return try parser.header()
    case .gif(let reached):
        var parser = GIFParser(buffer, resuming: reached)
        defer { progress = .gif(parser.progress) }
        return try parser.header()
    case .avif(let reached):
        var parser = AVIFParser(buffer, limits: limits, isWhole: isWhole, resuming: reached)
        defer { progress = .avif(parser.progress) }
        return try parser.header()
    }
}

/// The format; `nil` if there are too few bytes to recognise it.
private func recognise(_ buffer: UnsafeRawBufferPointer) throws(CodecError) -> ImageFormat? {
    if let format = ImageFormat(recognising: buffer.bytes) { return format }
    guard buffer.count >= ImageFormat.prefixLength else { return nil }
    throw .notAnImage(seems: FilePrefix(buffer).impression)
}
