/// Decides on a film's poster: the source's own, else one of another source; such decisions are stored for a while.
package struct DecidePoster: PosterDecider {
    package enum Failure: Error, Hashable, Sendable {
        case unknownFilm(MovieID)
    }

    /// Runs an operation in the background, unless one is running for the film or too many are.
    package typealias Background = @Sendable (MovieID, @escaping @Sendable () async -> Void) -> Void

    private let own: [MovieSource: [any SourcePictureRepository]]
    private let options: [MovieSource: String]
    private let choose: ChoosePosterCandidate
    private let decisions: any PosterDecisionRepository
    private let identities: FilmIdentities?
    private let inBackground: Background
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - own: The sources' own pictures; repositories of one source are queried in order until one has the id.
    ///   - options: The options that would configure missing sources.
    ///   - identities: Links films to counterparts after a search for posters; `nil` disables it.
    ///   - inBackground: Runs the search for counterparts.
    package init(
        own: [any SourcePictureRepository], off options: [MovieSource: String] = [:], choose: ChoosePosterCandidate,
        decisions: any PosterDecisionRepository, identities: FilmIdentities? = nil,
        inBackground: @escaping Background, now: @escaping @Sendable () -> Instant
    ) {
        self.own = Dictionary(grouping: own, by: \.source)
        self.options = options
        self.choose = choose
        self.decisions = decisions
        self.identities = identities
        self.inBackground = inBackground
        self.now = now
    }

    /// The sources of its films, including sources that are not configured.
    package var sources: Set<MovieSource> { Set(self.own.keys).union(self.options.keys) }

    package func decision(for id: MovieID) async throws -> PosterDecision {
        let repositories = try self.repositories(of: id.source)
        if let remembered = try await self.remembered(id) { return remembered }
        var failures: [SourceFailure] = []
        if let listed = repositories.lazy.compactMap({ $0.listedTerms(for: id) }).first {
            do {
                if let decision = try await self.choose.first(for: listed) {
                    return try await self.keep(decision, for: listed)
                }
            } catch let failure as SourceFailure {
                failures.append(failure)
            }
        }
        let own = try await repositories.first { repository -> SourcePoster? in
            let poster = try await repository.sourcePoster(of: id)
            return poster == .unknown ? nil : poster
        }
        switch own ?? .unknown {
        case .known(let poster): return PosterDecision(poster, of: id, at: self.now())
        case .unknown: throw Failure.unknownFilm(id)
        case .none:
            guard let film = try await self.searchTerms(for: id, in: repositories) else {
                return PosterDecision(poster: nil, source: nil, decidedAt: self.now())
            }
            return try await self.keep(self.choose(for: film, after: failures), for: film)
        }
    }

    /// Decides again after a picture was removed from its origin. The source's own poster, which may have changed, has
    /// priority.
    package func replacement(
        for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool
    ) async throws -> PosterReference? {
        let repositories = try self.repositories(of: id.source)
        let before = try await self.remembered(id)
        guard let film = try await self.searchTerms(for: id, in: repositories) else { return nil }
        let gone = before?.gone ?? []
        let own = try await repositories.first { try await $0.refreshedPoster(of: id) }
        if let own, !gone.contains(own.location), !isGone(own.location) {
            try await self.decisions.forget(id)
            return own
        }
        let decision = try await self.choose(for: film) { gone.contains($0) || isGone($0) }
        // Without a replacement, nothing is stored: the source's own poster may return.
        guard decision.poster != nil || before != nil else { return nil }
        return try await self.keep(decision, for: film).poster
    }

    private func repositories(of source: MovieSource) throws(SourceFailure) -> [any SourcePictureRepository] {
        if let repositories = self.own[source] { return repositories }
        throw .off(source, option: self.options[source] ?? "")
    }

    /// The stored decision. Decisions on films of the embedded catalogue are not stored.
    private func remembered(_ id: MovieID) async throws -> PosterDecision? {
        id.source == .embedded ? nil : try await self.decisions.decision(for: id, at: self.now())
    }

    private func searchTerms(
        for id: MovieID, in repositories: [any SourcePictureRepository]
    ) async throws -> PosterSearchTerms? {
        // Films of the embedded catalogue need no other source.
        id.source == .embedded ? nil : try await repositories.first { try await $0.searchTerms(for: id) }
    }

    private func keep(_ decision: PosterDecision, for film: PosterSearchTerms) async throws -> PosterDecision {
        let end = decision.decidedAt.secondsSince1970 + decision.lifetime
        try await self.decisions.keep(decision, for: film.id, until: Instant(secondsSince1970: end))
        if let identities = self.identities {
            self.inBackground(film.id) {
                do {
                    try await identities.search(film, after: decision)
                } catch {
                    // Cancelled. The next decision or request for the film searches again.
                }
            }
        }
        return decision
    }
}

extension [any SourcePictureRepository] {
    func first<Value: Sendable>(
        _ lookUp: (any SourcePictureRepository) async throws -> Value?
    ) async throws -> Value? {
        for repository in self {
            if let value = try await lookUp(repository) { return value }
        }
        return nil
    }
}
