import MovieDomain

/// All that finds films' posters, made of what there is.
struct FilmPosters {
    /// Decides for everybody.
    let decisions: SharedPosterDecisions
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
        self.decisions = SharedPosterDecisions(decide, now: now)
        self.locate = LocatePoster(decider: self.decisions, own: own)
        self.sources = decide.sources
        self.available = Set(own.map(\.source))
    }
}
