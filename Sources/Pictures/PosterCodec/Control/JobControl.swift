import Synchronization

/// What changes while a job runs: targets that are not wanted any more, and how soon the others are. Two words of 64
/// bits, which another process could map. Safe from any thread.
public final class JobControl: Sendable {
    /// Stops the job, and with it every target.
    public let stop: StopFlag
    /// The stop flag and the clocks of the job's stages.
    let render: RenderControl
    /// A bit for each target.
    private let wantedBits: Atomic<UInt64>
    /// Two bits for each target.
    private let urgencyBits: Atomic<UInt64>
    /// A bit for each target that another process has dropped; nil without one.
    private let droppedElsewhere: (@Sendable () -> UInt64)?

    /// - Parameters:
    ///   - targetCount: 1...``RenderJob/targetLimit``.
    ///   - urgencies: One for each target, 0...2 from the least urgent to the most; targets without one have 0.
    ///   - now: The time in nanoseconds since a fixed moment; by default all timings are zero.
    ///   - cpuTime: The CPU time of the calling thread in nanoseconds; by default it is not limited.
    public convenience init(
        targetCount: Int, urgencies: [UInt8] = [], now: @escaping @Sendable () -> UInt64 = { 0 },
        cpuTime: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        self.init(
            targetCount: targetCount, urgencies: urgencies,
            render: RenderControl(stop: StopFlag(), now: now, cpuTime: cpuTime))
    }

    /// A job that `render` stops and times.
    /// - Parameter droppedElsewhere: A bit for each target that another process has dropped.
    package init(
        targetCount: Int, urgencies: [UInt8] = [], render: RenderControl,
        droppedElsewhere: (@Sendable () -> UInt64)? = nil
    ) {
        precondition(
            (1...Self.targetLimit).contains(targetCount) && urgencies.count <= targetCount, "targets out of range")
        self.stop = render.stop
        self.render = render
        self.droppedElsewhere = droppedElsewhere
        self.wantedBits = Atomic(UInt64(1) << UInt64(targetCount) - 1)
        self.urgencyBits = Atomic(
            urgencies.enumerated().reduce(0) { $0 | UInt64(min($1.element, 2)) << UInt64(2 * $1.offset) })
    }

    /// The most targets of a job: two bits of a word for each.
    static let targetLimit = 32

    /// Notes that a target is not wanted any more. The job is stopped with its last target.
    ///
    /// - Returns: Whether it was the last one.
    @discardableResult
    public func drop(_ index: Int) -> Bool {
        let bit = UInt64(1) << UInt64(index)
        let (before, after) = self.wantedBits.bitwiseAnd(~bit, ordering: .relaxed)
        guard before & bit != 0, after == 0 else { return false }
        self.stop.raise()
        return true
    }

    /// Raises the urgency of a target, 0...2; it never falls.
    public func raise(_ index: Int, to urgency: UInt8) {
        let shift = UInt64(2 * index)
        let level = UInt64(min(urgency, 2))
        var bits = self.urgencyBits.load(ordering: .relaxed)
        while bits >> shift & 3 < level {
            let raised = bits & ~(3 << shift) | level << shift
            let (exchanged, original) = self.urgencyBits.weakCompareExchange(
                expected: bits, desired: raised, ordering: .relaxed)
            if exchanged { return }
            bits = original
        }
    }

    /// Whether the target was not dropped.
    public func isWanted(_ index: Int) -> Bool { self.wanted >> UInt64(index) & 1 == 1 }

    /// A bit for each target that was not dropped.
    public var wanted: UInt64 { self.wantedBits.load(ordering: .relaxed) & ~(self.droppedElsewhere?() ?? 0) }

    /// The urgency of a target, 0...2.
    public func urgency(of index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: self.urgencyBits.load(ordering: .relaxed) >> UInt64(2 * index) & 3)
    }

    /// The wanted one of `candidates` that is encoded next: the most urgent, of equals the cheapest, of these the first.
    ///
    /// - Parameters:
    ///   - candidates: A bit for each target.
    ///   - costs: One for each target.
    /// - Returns: nil when none of them is wanted.
    func next(of candidates: UInt64, costs: [UInt32]) -> Int? {
        var left = candidates & self.wanted
        let urgencies = self.urgencyBits.load(ordering: .relaxed)
        var best: (index: Int, urgency: UInt64)?
        while left != 0 {
            let index = left.trailingZeroBitCount
            left &= left - 1
            let urgency = urgencies >> UInt64(2 * index) & 3
            if let best, (best.urgency, costs[best.index]) >= (urgency, UInt32.max) { continue }
            if let best, best.urgency > urgency { continue }
            if let best, best.urgency == urgency, costs[best.index] <= costs[index] { continue }
            best = (index, urgency)
        }
        return best?.index
    }
}
