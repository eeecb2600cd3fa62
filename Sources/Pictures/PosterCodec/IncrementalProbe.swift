/// Reads a picture's header while its bytes arrive, so that a file that is no picture, or too large, is rejected early.
///
/// Each byte is parsed once, whatever the sizes of the pieces, because parsing resumes where it ended.
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

    /// Takes the next bytes.
    ///
    /// - Returns: The finding, which is final unless it is `incomplete`.
    /// - Throws: As ``probe(_:limits:)``.
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
            try probe(buffer, resuming: &progress)
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
