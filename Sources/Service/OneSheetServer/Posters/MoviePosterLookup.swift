import BoundedCache
import Flights
import MovieDomain

/// Coalesces concurrent decisions about a film's poster, and caches which films have none, for lists, which cannot wait
/// for decisions.
final class CoalescingPosterDecider: PosterDecider {
    /// Maximum number of cached films without a poster, about 100 bytes each.
    private static let posterlessLimit = 20_000
    /// Lifetime of these entries, in seconds; the repository may store the decision for longer.
    private static let posterlessSeconds: Int64 = 600

    private let decider: any PosterDecider
    private let now: @Sendable () -> Instant
    private let decisions = SingleFlight<MovieID, PosterDecision>()
    /// Expiry times, in seconds since 1970.
    private let posterless = BoundedCache<MovieID, Int64>(countLimit: CoalescingPosterDecider.posterlessLimit)

    init(_ decider: any PosterDecider, now: @escaping @Sendable () -> Instant) {
        self.decider = decider
        self.now = now
    }

    var waiterCount: Int { self.decisions.waiterCount }

    /// Whether a recent decision found no poster; reads the cache only.
    func isPosterless(_ id: MovieID) -> Bool {
        self.posterless.value(for: id).map { self.now().secondsSince1970 < $0 } ?? false
    }

    func decision(for id: MovieID) async throws -> PosterDecision {
        try await self.decisions.value(for: id, level: Urgency.current?.level ?? .interactive) { _ in
            let decision = try await self.decider.decision(for: id)
            self.note(decision, of: id)
            return decision
        }.value
    }

    /// Not coalesced: only the one fetch that found the picture gone calls it.
    func replacement(
        for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool
    ) async throws -> PosterReference? {
        try await self.decider.replacement(for: id, isGone: isGone)
    }

    private func note(_ decision: PosterDecision, of id: MovieID) {
        if decision.poster == nil, !decision.isUncertain {
            self.posterless.insert(self.now().secondsSince1970 + Self.posterlessSeconds, for: id)
        } else {
            self.posterless.remove(id)
        }
    }
}

/// The use cases that find posters of films, composed from repositories and finders.
struct MoviePosterLookup {
    /// The maximum number of films linked concurrently, and of films queued for it.
    private static let linkLimit = 4
    private static let waitingLinkLimit = 256

    let decisions: CoalescingPosterDecider
    let locate: LocatePoster
    /// All sources of films, enabled or not.
    let sources: Set<MovieSource>
    let available: Set<MovieSource>
    /// The sources with posters for films of other sources.
    private let finderSources: Set<MovieSource>
    private let links = BackgroundTasks<MovieID, MovieID>(
        limit: MoviePosterLookup.linkLimit, overflow: .queues(limit: MoviePosterLookup.waitingLinkLimit),
        priority: .utility)

    /// - Parameters:
    ///   - own: Repositories of sources' own pictures; several of one source are tried in order.
    ///   - off: The options that would enable the missing sources.
    ///   - finders: Finders of posters for other sources' films, in the order of use.
    ///   - identities: Links films when their posters are searched; `nil` disables linking.
    init(
        own: [any SourcePictureRepository], off: [MovieSource: String] = [:], finders: [any PosterFinder] = [],
        inspector: any PictureInspector, memory: any PosterDecisionRepository,
        identities: FilmIdentities? = nil, now: @escaping @Sendable () -> Instant
    ) {
        let decide = DecidePoster(
            own: own, off: off, choose: ChoosePosterCandidate(finders: finders, inspector: inspector, now: now),
            decisions: memory, identities: identities,
            inBackground: { [links] id, work in
                links.start(id, for: id) { await Urgency.$current.withValue(Urgency(.warming), operation: work) }
            }, now: now)
        self.decisions = CoalescingPosterDecider(decide, now: now)
        self.locate = LocatePoster(decider: self.decisions, own: own)
        self.sources = decide.sources
        self.available = Set(own.map(\.source))
        self.finderSources = Set(finders.map(\.source))
    }

    /// Whether a film without a poster at its own source has none: no other source is searched for it, or a recent
    /// search found none. Without I/O.
    func isPosterless(_ id: MovieID) -> Bool {
        let isSearched = id.source != .embedded && self.finderSources.contains { $0 != id.source }
        return !isSearched || self.decisions.isPosterless(id)
    }

    /// Cancels background work, and starts no more.
    func close() { self.links.close() }
}
