import CoreMetrics
import Synchronization

/// Counts events since the start for ``PipelineStatus`` and swift-metrics. Safe from any thread.
final class PipelineCounters: Sendable {
    /// The counted events, with their names in swift-metrics.
    enum Event: String, CaseIterable {
        /// A request was answered with a fresh variant in memory.
        case hit = "onesheet.variant.hits"
        /// A request was answered with a variant in memory of a stale or replaced original.
        case staleHit = "onesheet.variant.stale_hits"
        /// A requested variant was not in memory.
        case missed = "onesheet.variant.misses"
        /// A variant that was not in memory was read from the variant store.
        case storedHit = "onesheet.variant.disk.hits"
        /// A variant was neither in memory nor in the variant store.
        case storedMiss = "onesheet.variant.disk.misses"
        /// An original was decoded, for one or more variants.
        case decoded = "onesheet.decodes"
        /// A decode that began while the original arrived was used.
        case decodedEarly = "onesheet.decodes.early"
        /// Planes in memory replaced a decode, for one or more variants.
        case planeHit = "onesheet.planes.hits"
        /// An original was decoded because no suitable planes of it were in memory.
        case planeMiss = "onesheet.planes.misses"
        /// A variant was rendered because other posters had been requested at its target.
        case ladderRendered = "onesheet.ladder.rendered"
        /// Such a variant was used by a request.
        case ladderUsed = "onesheet.ladder.used"
        /// A variant was dropped from a running job.
        case dropped = "onesheet.renders.dropped"
        case rendered = "onesheet.renders"
        /// A request joined the render of another.
        case coalesced = "onesheet.renders.coalesced"
        /// A rendered variant was discarded because its original was replaced meanwhile.
        case discarded = "onesheet.renders.discarded"
        /// A render was cancelled with its last waiter.
        case cancelled = "onesheet.renders.cancelled"
        /// A request met overload; it was rejected, or answered with a stale variant.
        case overloaded = "onesheet.overloaded"
        /// A variant was made ahead of requests.
        case warmed = "onesheet.warmed"
        /// An original was found in the store.
        case originalHit = "onesheet.original.hits"
        /// An original was not found in the store.
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
    /// The counter used on event loops, without a dictionary look-up.
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

/// The state of a pipeline, and its counts of events since the start.
public struct PipelineStatus: Hashable, Sendable {
    /// Requests answered with fresh variants in memory.
    package var hits: Int
    /// Requests answered with variants in memory of stale or replaced originals.
    package var staleHits: Int
    /// Requested variants that were not in memory.
    package var misses: Int
    package var renders: Int
    /// Decodes of originals for variants.
    package var decodes: Int
    package var coalesced: Int
    package var discarded: Int
    package var overloaded: Int
    package var warmed: Int
    package var evicted: Int
    package var revalidations: Int
    package var variantCount: Int
    package var variantBytes: Int
    package var variantByteBudget: Int
    /// Renders of one or more variants from planes in memory.
    package var planeHits: Int
    /// Decodes while the plane cache was enabled.
    package var planeMisses: Int
    package var planesEvicted: Int
    /// Originals with planes in memory.
    package var planesCount: Int
    package var planesBytes: Int
    package var planesByteBudget: Int
    /// Variants rendered because other posters were requested at their targets, and how many of these were requested
    /// since, as of the latest reviews.
    package var ladderRendered: Int
    package var ladderUsed: Int
    /// `nil` if no variants are encoded again.
    package var reencoding: ReencodingStatus?
}
