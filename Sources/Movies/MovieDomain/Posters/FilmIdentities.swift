/// Maps films to their ids at another source, and searches for unknown ones.
package struct FilmIdentities: Sendable {
    /// The sources of the mapped films: they have facts, but no scores, reviews or similar films.
    package static let linkedSources: Set<MovieSource> = [.kobis, .kmdb]

    private let links: any FilmLinkRepository
    private let finder: (any FilmFinder)?
    private let own: [MovieSource: [any SourcePictureRepository]]
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - finder: Searches for counterparts; `nil` restricts lookups to stored links.
    ///   - own: Supply the titles to search with; repositories of one source are queried in order until one has the
    ///     film.
    package init(
        links: any FilmLinkRepository, finder: (any FilmFinder)?, own: [any SourcePictureRepository],
        now: @escaping @Sendable () -> Instant
    ) {
        self.links = links
        self.finder = finder
        self.own = Dictionary(grouping: own, by: \.source)
        self.now = now
    }

    /// The stored link of a film of ``linkedSources``; `nil` if there is none, for films of other sources, and if the
    /// repository fails, which it logs.
    package func storedLink(of id: MovieID) async throws -> FilmLink? {
        guard Self.linkedSources.contains(id.source) else { return nil }
        do { return try await self.links.link(of: id) } catch is StorageFailure { return nil }
    }

    /// The counterparts of the films among `ids` that have a stored link; empty if the repository fails.
    func storedCounterparts(of ids: [MovieID]) async throws -> [MovieID: MovieID] {
        let ids = ids.filter { Self.linkedSources.contains($0.source) }
        guard !ids.isEmpty else { return [:] }
        do {
            let links = try await self.links.links(of: ids).map { ($0.film, $0.counterpart) }
            let all = Dictionary(links) { first, _ in first }
            return all.filter { ids.contains($0.key) }
        } catch is StorageFailure {
            return [:]
        }
    }

    /// The stored link of a film of ``linkedSources``, or else the result of a search.
    ///
    /// - Returns: `nil` if there is none, and for films of other sources.
    /// - Throws: ``SourceFailure`` of the search, `CancellationError`.
    package func link(of id: MovieID) async throws -> FilmLink? {
        guard Self.linkedSources.contains(id.source) else { return nil }
        if let link = try await self.storedLink(of: id) { return link }
        guard self.finder != nil, let repositories = self.own[id.source],
            let film = try await repositories.first({ try await $0.searchTerms(for: id) })
        else { return nil }
        return try await self.search(film)
    }

    /// Searches for the counterpart of a film and stores the link.
    ///
    /// - Returns: `nil` if no match is certain; a stored link remains.
    /// - Throws: ``SourceFailure``, `CancellationError`. If storing fails, the repository logs it and the link is
    ///   returned.
    @discardableResult
    package func search(_ film: PosterSearchTerms) async throws -> FilmLink? {
        guard Self.linkedSources.contains(film.id.source), let finder = self.finder else { return nil }
        guard let link = film.counterpart(among: try await finder.films(for: film), at: self.now()) else { return nil }
        do { try await self.links.keep(link) } catch is StorageFailure {}
        return link
    }

    /// Searches after a decision on the film's poster, with the same upstream requests, unless these failed.
    func search(_ film: PosterSearchTerms, after decision: PosterDecision) async throws {
        guard let finder = self.finder, !decision.failures.contains(where: { $0.source == finder.source }) else {
            return
        }
        // The source's client logs failures; the next decision or request for the film searches again.
        do { try await self.search(film) } catch is SourceFailure {}
    }
}
