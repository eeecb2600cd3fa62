import Flights

/// Limits work to a share of the time of some threads: CPU time spent must accrue again before more work may begin. A
/// plain value without a lock or a clock.
struct CPUShare: Sendable {
    /// The burst after an idle period, in nanoseconds of elapsed time: the CPU time that the share grants in it.
    static let burstNanoseconds: UInt64 = 2_000_000_000

    /// CPU time granted per elapsed time: 0.5 is half of one thread.
    let threads: Double
    /// When the time spent has accrued again, in monotonic nanoseconds.
    private var balanceTime: UInt64 = 0

    /// - Parameter threads: Above 0.
    init(threads: Double) {
        self.threads = threads
    }

    /// The time until more work may begin, in nanoseconds; 0 if it may begin at once.
    func pause(at now: UInt64) -> UInt64 {
        self.balanceTime.subtractingClamped(now.addingClamped(Self.burstNanoseconds))
    }

    mutating func charge(nanoseconds: UInt64, at now: UInt64) {
        let saving = UInt64(clamping: Int64(min(Double(nanoseconds) / self.threads, 1e18)))
        self.balanceTime = max(self.balanceTime, now).addingClamped(saving)
    }
}
