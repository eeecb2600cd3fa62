import Flights

/// Limits work to a share of the time of some threads: what it takes is saved again before more may begin. A value without
/// a lock or a clock.
struct CPUShare: Sendable {
    /// How much may be taken at once after a rest, at the share of the limit, in nanoseconds.
    static let burstNanoseconds: UInt64 = 2_000_000_000

    /// The time that may be taken per time that passes: 0.5 for half of one thread.
    let threads: Double
    /// When what was taken has been saved again, by the clock.
    private var balanceTime: UInt64 = 0

    /// - Parameter threads: Above 0.
    init(threads: Double) {
        self.threads = threads
    }

    /// How long no more may begin, in nanoseconds; 0 when it may.
    func pause(at now: UInt64) -> UInt64 {
        self.balanceTime.subtractingClamped(now.addingClamped(Self.burstNanoseconds))
    }

    /// Notes CPU time that was taken.
    mutating func charge(nanoseconds: UInt64, at now: UInt64) {
        let saving = UInt64(clamping: Int64(min(Double(nanoseconds) / self.threads, 1e18)))
        self.balanceTime = max(self.balanceTime, now).addingClamped(saving)
    }
}
