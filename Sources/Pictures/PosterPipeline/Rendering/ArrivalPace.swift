/// Decides from the pace of an arriving original whether decoding it meanwhile is worthwhile. A plain value without a
/// clock.
struct ArrivalPace: Sendable {
    /// Minimum number of bytes before the pace is judged.
    static let leastCount = 64 << 10
    /// Minimum remaining time in nanoseconds: a decode after the arrival ends as soon, and can serve more requests.
    static let leastRest: UInt64 = 10_000_000
    /// Maximum remaining time in nanoseconds: a decoder would occupy memory for too long.
    static let mostRest: UInt64 = 2_000_000_000
    /// Time before an origin is judged too slow, in nanoseconds.
    static let patience: UInt64 = 100_000_000
    /// Maximum pause between two pieces, in nanoseconds.
    static let longestPause: UInt64 = 500_000_000

    enum Verdict {
        /// Too early to tell, or nearly complete.
        case open
        case fits
        case tooSlow
    }

    private let byteCount: Int
    private let start: UInt64
    private var count = 0
    private var latest: UInt64

    /// - Parameters:
    ///   - byteCount: The length declared by the origin.
    ///   - start: The time of the declaration, in nanoseconds.
    init(byteCount: Int, start: UInt64) {
        self.byteCount = byteCount
        (self.start, self.latest) = (start, start)
    }

    mutating func receive(_ count: Int, at now: UInt64) -> Verdict {
        defer { self.latest = now }
        self.count += count
        guard !self.isStalled(at: now) else { return .tooSlow }
        let elapsed = now - self.start
        // The remaining time at the pace so far.
        let rest = Double(elapsed) * Double(self.byteCount - self.count) / Double(max(1, self.count))
        if rest > Double(Self.mostRest) { return elapsed < Self.patience ? .open : .tooSlow }
        return self.count >= Self.leastCount && rest >= Double(Self.leastRest) ? .fits : .open
    }

    /// Whether nothing has arrived for too long.
    func isStalled(at now: UInt64) -> Bool { now > self.latest + Self.longestPause }
}
