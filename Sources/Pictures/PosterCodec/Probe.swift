/// Reads the header of a picture from its first bytes.
///
/// - Parameter bytes: The beginning of the file, as much as has arrived.
/// - Throws: ``CodecError/notAnImage(seems:)``, ``CodecError/unsupported(_:)`` or ``CodecError/damaged(reason:)``.
public func probe(_ bytes: RawSpan) throws(CodecError) -> ProbeResult {
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> ProbeResult in
        var reader: (any HeaderReader)?
        return try probe(buffer, resuming: &reader)
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
        var reader: (any HeaderReader)?
        guard case .header(var header) = try probe(buffer, resuming: &reader, limits: limits, isWhole: true) else {
            throw ImageFormat(recognising: bytes) == nil
                ? .notAnImage(seems: FilePrefix(buffer).impression) : CodecError.truncated
        }
        try header.check(limits)
        let watch = RenderWatch(control, limits: limits)
        try header.format.decoding.verify(buffer, &header, watch: watch)
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
    private(set) var reader: (any HeaderReader)?
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
        var reader = self.reader
        let answer = try self.prefix.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) in
            try probe(buffer, resuming: &reader, limits: self.limits)
        }
        self.reader = reader
        switch answer {
        case .header(let header):
            try header.check(self.limits)
            self.finding = .header(header)
        case .needsMoreBytes(let count): self.needed = max(count, self.prefix.count + 1)
        }
    }
}

/// Like ``probe(_:)``; `reader` has read fewer bytes of the same file, or is `nil` until its format is recognised.
///
/// - Parameters:
///   - limits: Limits of metadata in front of the picture; the caller checks the picture's own.
///   - isWhole: Whether the file ends here, so that anything missing after the picture counts as absent.
func probe(
    _ buffer: UnsafeRawBufferPointer, resuming reader: inout (any HeaderReader)?, limits: CodecLimits = .init(),
    isWhole: Bool = false
) throws(CodecError) -> ProbeResult {
    if reader == nil {
        guard let format = try recognise(buffer) else { return .needsMoreBytes(atLeast: ImageFormat.prefixLength) }
        reader = format.decoding.headerReader()
    }
    return try reader!.read(buffer, limits: limits, isWhole: isWhole)
}

/// The format; `nil` if there are too few bytes to recognise it.
private func recognise(_ buffer: UnsafeRawBufferPointer) throws(CodecError) -> ImageFormat? {
    if let format = ImageFormat(recognising: buffer.bytes) { return format }
    guard buffer.count >= ImageFormat.prefixLength else { return nil }
    throw .notAnImage(seems: FilePrefix(buffer).impression)
}
