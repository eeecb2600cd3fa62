@testable import PosterPipeline

/// The events that pipelines count, summed over schedules: a simulation that reaches no early decode, say, says nothing
/// about them.
struct SimulationCounts {
    private var counts: [PipelineCounters.Event: Int] = [:]
    /// Whether an original was being decoded while it arrived.
    var hasDecodedEarly = false
    /// The number of schedules that have decoded an original while it arrived.
    private var earlyScheduleCount = 0

    /// Adds the events of a node that has ended.
    mutating func add(_ node: SimulatedNode) {
        for event in PipelineCounters.Event.allCases {
            self.counts[event, default: 0] += node.pipeline.counters.value(of: event)
        }
    }

    /// Adds the events of a schedule.
    mutating func add(_ schedule: SimulationCounts) {
        self.counts.merge(schedule.counts, uniquingKeysWith: +)
        if schedule.hasDecodedEarly { self.earlyScheduleCount += 1 }
    }

    /// Events that fewer than one in a hundred schedules reach.
    private static let rareEvents: Set<PipelineCounters.Event> = [.discarded, .dropped, .ladderUsed]

    /// Names of the other events that no schedule has reached.
    var missing: [String] {
        PipelineCounters.Event.allCases.filter { (self.counts[$0] ?? 0) == 0 && !Self.rareEvents.contains($0) }
            .map(\.rawValue)
    }
}

extension SimulationCounts: CustomStringConvertible {
    var description: String {
        let events = PipelineCounters.Event.allCases.map { "\($0.rawValue) \(self.counts[$0] ?? 0)" }
        return (events + ["schedules with early decodes \(self.earlyScheduleCount)"]).joined(separator: "\n")
    }
}
