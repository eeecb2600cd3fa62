import BoundedCache
import Flights
import MovieDomain

/// Decides about the poster of one film once at a time, for whoever asks meanwhile; and remembers which films have none, for lists that cannot
/// wait for an answer.
final class CoalescingPosterDecider: PosterDecider {
    /// The most films without a poster that are remembered, some 100 bytes each.
    private static let posterlessLimit = 20_000
    /// How long that is remembered here, in seconds: others may keep the decision for longer.
    private static let posterlessSeconds: Int64 = 600

    private let decider: any PosterDecider
    private let now: @Sendable () -> Instant
    private let decisions = SingleFlight<MovieID, PosterDecision>()
    /// Until when, in seconds since 1970.
    private let posterless = BoundedCache<MovieID, Int64>(countLimit: CoalescingPosterDecider.posterlessLimit)

    init(_ decider: any PosterDecider, now: @escaping @Sendable () -> Instant) {
        self.decider = decider
        self.now = now
    }

    /// How many wait for decisions.
    var waiterCount: Int { self.decisions.waiterCount }

    /// Whether it was decided lately that nobody has a poster of it. Synchronous, from memory.
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

    /// Asked by the one fetch that found the picture gone: there is nothing to share.
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

/// All that finds films' posters, made of what there is.
struct MoviePosterLookup {
    /// Decides for everybody.
    let decisions: CoalescingPosterDecider
    /// Finds pictures by the decisions.
    let locate: LocatePoster
    /// Whose films can be asked for, or could be if they were switched on.
    let sources: Set<MovieSource>
    /// Those of them that are there.
    let available: Set<MovieSource>

    /// - Parameters:
    ///   - own: What sources have of their own; several of one source are asked in turn.
    ///   - off: Of sources that are not there: what would switch them on.
    ///   - finders: Those who are asked for posters of others' films, in turn.
    ///   - memory: Where decisions are kept.
    init(
        own: [any SourcePictureRepository], off: [MovieSource: String] = [:], finders: [any PosterFinder] = [],
        inspector: any PictureInspector, memory: any PosterDecisionRepository,
        lifetimes: PosterDecisionLifetimes = PosterDecisionLifetimes(), now: @escaping @Sendable () -> Instant
    ) {
        let decide = DecidePoster(
            own: own, off: off, choose: ChoosePosterCandidate(finders: finders, inspector: inspector, now: now),
            decisions: memory, lifetimes: lifetimes, now: now)
        self.decisions = CoalescingPosterDecider(decide, now: now)
        self.locate = LocatePoster(decider: self.decisions, own: own)
        self.sources = decide.sources
        self.available = Set(own.map(\.source))
    }
}
