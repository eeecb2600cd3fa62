/// How fast an original arrives, and whether it is worth while to decode it meanwhile. A value without a clock.
struct ArrivalPace: Sendable {
    /// The first bytes, without which no pace is measured.
    static let leastCount = 64 << 10
    /// Less time is not worth it: what is left is decoded as soon when all is there, for more requests at once.
    static let leastRest: UInt64 = 10_000_000
    /// More time is not waited for with memory in use.
    static let mostRest: UInt64 = 2_000_000_000
    /// The time after which an origin may be called slow.
    static let patience: UInt64 = 100_000_000
    /// The longest pause between two pieces.
    static let longestPause: UInt64 = 500_000_000

    /// What the pace says.
    enum Verdict {
        /// Too early to tell, or nearly all is there.
        case open
        /// Decoding is worth it.
        case fits
        /// Decoding must end.
        case tooSlow
    }

    private let byteCount: Int
    private let start: UInt64
    private var count = 0
    private var latest: UInt64

    /// - Parameters:
    ///   - byteCount: What the origin has declared.
    ///   - start: When it did, in nanoseconds.
    init(byteCount: Int, start: UInt64) {
        self.byteCount = byteCount
        (self.start, self.latest) = (start, start)
    }

    /// Counts a piece that has arrived.
    mutating func receive(_ count: Int, at now: UInt64) -> Verdict {
        defer { self.latest = now }
        self.count += count
        guard !self.isStalled(at: now) else { return .tooSlow }
        let elapsed = now - self.start
        // Of the time until all is there, at the pace so far.
        let rest = Double(elapsed) * Double(self.byteCount - self.count) / Double(max(1, self.count))
        if rest > Double(Self.mostRest) { return elapsed < Self.patience ? .open : .tooSlow }
        return self.count >= Self.leastCount && rest >= Double(Self.leastRest) ? .fits : .open
    }

    /// Whether nothing has arrived for too long.
    func isStalled(at now: UInt64) -> Bool { now > self.latest + Self.longestPause }
}
