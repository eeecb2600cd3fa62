import CoreMetrics
import Synchronization

/// Counts events since the start, for ``PipelineStatus`` and for swift-metrics. Safe from any thread.
final class PipelineCounters: Sendable {
    /// The counted events, with their names in swift-metrics.
    enum Event: String, CaseIterable {
        /// A variant was answered from memory.
        case hit = "onesheet.variant.hits"
        /// The same, of an original that was stale.
        case staleHit = "onesheet.variant.stale_hits"
        /// A requested variant was not in memory.
        case missed = "onesheet.variant.misses"
        /// A variant that was not in memory was read from the variant store.
        case storedHit = "onesheet.variant.disk.hits"
        /// It was not there either.
        case storedMiss = "onesheet.variant.disk.misses"
        /// An original was decoded, for one or more variants.
        case decoded = "onesheet.decodes"
        /// A decode that began while the original arrived was used.
        case decodedEarly = "onesheet.decodes.early"
        /// Planes in memory took the place of a decode, for one or more variants.
        case planeHit = "onesheet.planes.hits"
        /// An original was decoded because there were no planes of it in memory that serve.
        case planeMiss = "onesheet.planes.misses"
        /// A variant was rendered because other posters had been requested at its target.
        case ladderRendered = "onesheet.ladder.rendered"
        /// The same, and a request was answered with it.
        case ladderUsed = "onesheet.ladder.used"
        /// A variant was left out of a decode under way.
        case dropped = "onesheet.renders.dropped"
        /// A variant was rendered.
        case rendered = "onesheet.renders"
        /// A request joined the render of another.
        case coalesced = "onesheet.renders.coalesced"
        /// The original was replaced during a render.
        case discarded = "onesheet.renders.discarded"
        /// The last waiter of a render was cancelled.
        case cancelled = "onesheet.renders.cancelled"
        /// A request was rejected for overload.
        case overloaded = "onesheet.overloaded"
        /// A variant was rendered ahead of requests.
        case warmed = "onesheet.warmed"
        /// An original was on disk when it was needed.
        case originalHit = "onesheet.original.hits"
        /// An original was not.
        case originalMissed = "onesheet.original.misses"
        /// A request joined the fetch of another.
        case originalCoalesced = "onesheet.originals.coalesced"
    }

    private final class Cell: Sendable {
        let value = Atomic<Int>(0)
        let counter: Counter

        init(_ event: Event, _ metrics: any MetricsFactory) {
            self.counter = Counter(label: event.rawValue, factory: metrics)
        }
    }

    private let cells: [Event: Cell]
    /// The one that is counted on event loops.
    private let hits: Cell

    init(metrics: any MetricsFactory) {
        let hits = Cell(.hit, metrics)
        var cells: [Event: Cell] = [.hit: hits]
        for event in Event.allCases where event != .hit { cells[event] = Cell(event, metrics) }
        self.cells = cells
        self.hits = hits
    }

    func count(_ event: Event, by amount: Int = 1) {
        guard amount > 0 else { return }
        let cell = self.cell(of: event)
        cell.value.add(amount, ordering: .relaxed)
        cell.counter.increment(by: amount)
    }

    func value(of event: Event) -> Int {
        self.cell(of: event).value.load(ordering: .relaxed)
    }

    private func cell(of event: Event) -> Cell {
        event == .hit ? self.hits : self.cells[event].unsafelyUnwrapped  // there is one for each case
    }
}

/// What a pipeline holds and has done. Counts of events are since the start.
public struct PipelineStatus: Hashable, Sendable {
    /// Variants answered from memory, those of stale originals apart.
    package var hits: Int
    /// Variants of stale originals, or of originals that have a successor, answered from memory.
    package var staleHits: Int
    package var renders: Int
    /// Decodes of originals for variants.
    package var decodes: Int
    /// Requests that waited for a render that another had begun.
    package var coalesced: Int
    /// Renders whose original was replaced meanwhile.
    package var discarded: Int
    package var overloaded: Int
    package var warmed: Int
    package var evicted: Int
    package var revalidations: Int
    package var variantCount: Int
    package var variantBytes: Int
    package var variantByteBudget: Int
    /// Renders of one or more variants without a decode.
    package var planeHits: Int
    /// Decodes although planes may be kept.
    package var planeMisses: Int
    package var planesEvicted: Int
    /// Originals with decoded planes in memory.
    package var planesCount: Int
    package var planesBytes: Int
    package var planesByteBudget: Int
    /// Variants rendered because other posters were requested so, and how many of these have been requested since, as far
    /// as was looked.
    package var ladderRendered: Int
    package var ladderUsed: Int
    /// nil when nothing is encoded again.
    package var reencoding: ReencodingStatus?
}
