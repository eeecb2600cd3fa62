import Synchronization

/// What a pipeline has done since its start. Safe from any thread.
final class PipelineCounters: Sendable {
    /// What is counted.
    enum Event: Int, CaseIterable {
        /// A variant was answered from memory.
        case hit
        /// The same, of an original that was stale.
        case staleHit
        /// A variant was rendered.
        case rendered
        /// A request joined the render of another.
        case coalesced
        /// A render had a successor when it was finished.
        case discarded
        /// A request found no room.
        case overloaded
        /// A variant was made that nobody had asked for yet.
        case warmed
    }

    private final class Cell: Sendable {
        let value = Atomic<Int>(0)
    }

    private let cells = Event.allCases.map { _ in Cell() }

    func count(_ event: Event, by amount: Int = 1) {
        self.cells[event.rawValue].value.add(amount, ordering: .relaxed)
    }

    func value(of event: Event) -> Int {
        self.cells[event.rawValue].value.load(ordering: .relaxed)
    }
}
