/// Reads a picture's header while its bytes arrive, so that what is no picture, or a too large one, is refused before all
/// of it was sent.
///
/// Each byte is walked over once, whatever the sizes of the pieces: a walk resumes where the one before ended. So the cost of
/// a piece is bounded by its own length.
public struct IncrementalProbe: Sendable {
    /// How far it looks for the header unless told otherwise, in bytes.
    public static let defaultByteLimit = 256 << 10

    /// What the bytes received so far say.
    public enum Finding: Hashable, Sendable {
        /// The header goes on after them.
        case incomplete
        case header(ImageHeader)
        /// The header does not end within the byte limit.
        case beyondByteLimit
    }

    private let limits: CodecLimits
    private let byteLimit: Int
    /// A copy of what arrived, as long as the header is not complete; at most `byteLimit` bytes.
    private var prefix: [UInt8] = []
    /// How many bytes it takes to find out more.
    private var needed = 1
    private(set) var progress = HeaderProgress.unrecognised
    private(set) var finding = Finding.incomplete
    /// How often the bytes were walked.
    private(set) var walkCount = 0

    /// - Parameters:
    ///   - limits: What the header is checked against.
    ///   - byteLimit: How far the header is looked for, in bytes.
    public init(limits: CodecLimits, byteLimit: Int = Self.defaultByteLimit) {
        self.limits = limits
        self.byteLimit = byteLimit
    }

    /// Takes the next bytes.
    ///
    /// - Returns: What is known then; it does not change any more unless it is `incomplete`.
    /// - Throws: As ``probe(_:limits:)``, when the rest need not be sent.
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
