import Synchronization

/// The mutable state of a running job: which targets are still wanted, and how urgent they are. Two words of 64 bits,
/// which another process could map. Safe from any thread.
public final class JobControl: Sendable {
    /// Stops the job and all its targets.
    public let stop: StopFlag
    let render: RenderControl
    /// One bit per target.
    private let wantedBits: Atomic<UInt64>
    /// Two bits per target.
    private let urgencyBits: Atomic<UInt64>
    /// Returns a bit for each target that another process has dropped; `nil` if no other process can drop targets.
    private let droppedElsewhere: (@Sendable () -> UInt64)?

    /// - Parameters:
    ///   - targetCount: 1...``RenderJob/targetLimit``.
    ///   - urgencies: One per target, from 0 (the least urgent) to 2; 0 for targets without one.
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
    /// - Parameter droppedElsewhere: Returns a bit for each target that another process has dropped.
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

    /// The maximum number of targets of a job: a word of 64 bits has two for each.
    static let targetLimit = 32

    /// Drops a target. Dropping the last wanted target stops the job.
    ///
    /// - Returns: Whether it was the last wanted target.
    @discardableResult
    public func drop(_ index: Int) -> Bool {
        let bit = UInt64(1) << UInt64(index)
        let (before, after) = self.wantedBits.bitwiseAnd(~bit, ordering: .relaxed)
        guard before & bit != 0, after == 0 else { return false }
        self.stop.raise()
        return true
    }

    /// Raises the urgency of a target, 0...2; never lowers it.
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

    /// The wanted candidate to encode next: the most urgent, then the cheapest, then the first.
    ///
    /// - Parameters:
    ///   - candidates: One bit per target.
    ///   - costs: One per target.
    /// - Returns: `nil` if no candidate is wanted.
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
