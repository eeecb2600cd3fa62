import PosterCodec

/// Reads the header of an original from its first bytes while the others are still on their way, so that what is no
/// picture, or a too large one, is refused before all of it was sent.
///
/// It refuses early what ``OriginalVerifier`` would refuse late; what it lets pass is verified all the same.
public struct ArrivalProbe: Sendable {
    /// How far it looks for the header, in bytes: as long as it has not found that, it keeps a copy of what arrived.
    public static let prefixLimit = 256 << 10

    private let limits: CodecLimits
    private var prefix: [UInt8] = []
    /// How many bytes it takes to know more.
    private var needed = 1
    private var isDone = false

    init(limits: CodecLimits) {
        self.limits = limits
    }

    /// Looks at the next bytes.
    ///
    /// - Throws: ``PosterError``, when the rest need not be sent.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) throws(PosterError) {
        guard !self.isDone else { return }
        self.prefix += bytes.prefix(Self.prefixLimit - self.prefix.count)
        guard self.prefix.count >= self.needed else {
            if self.prefix.count == Self.prefixLimit { self.end() }
            return
        }
        let answer: ProbeAnswer
        do { answer = try probe(self.prefix.span.bytes, limits: self.limits) } catch { throw PosterError(error) }
        switch answer {
        case .header: self.end()
        case .needsMoreBytes(let count): self.needed = max(count, self.prefix.count + 1)
        }
        if self.prefix.count == Self.prefixLimit { self.end() }
    }

    /// Forgets what it saw: all is sent again from the beginning.
    public mutating func restart() {
        self = ArrivalProbe(limits: self.limits)
    }

    private mutating func end() {
        self.isDone = true
        self.prefix = []
    }
}
