/// Knows under which id another source has a film, and searches for those that are not known yet.
package struct FilmIdentities: Sendable {
    /// The sources whose films are linked: they have facts of their own, but neither scores nor reviews nor similar films.
    package static let linkedSources: Set<MovieSource> = [.kobis, .kmdb]

    private let links: any FilmLinkRepository
    private let finder: (any FilmFinder)?
    private let own: [MovieSource: [any SourcePictureRepository]]
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - finder: Finds counterparts; nil for stored links only.
    ///   - own: Tell the titles to search with; several of one source are queried in order until one has the film.
    package init(
        links: any FilmLinkRepository, finder: (any FilmFinder)?, own: [any SourcePictureRepository],
        now: @escaping @Sendable () -> Instant
    ) {
        self.links = links
        self.finder = finder
        self.own = Dictionary(grouping: own, by: \.source)
        self.now = now
    }

    /// The stored link of a film of ``linkedSources``; nil for none, for other sources' films, and when the library cannot be
    /// read, which it logs.
    package func storedLink(of id: MovieID) async throws -> FilmLink? {
        guard Self.linkedSources.contains(id.source) else { return nil }
        do { return try await self.links.link(of: id) } catch is StorageFailure { return nil }
    }

    /// The counterparts of those films of `ids` that have a stored link; none when the library cannot be read.
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

    /// The stored link of a film of ``linkedSources``, else one that is found now.
    ///
    /// - Returns: nil for none, and for other sources' films.
    /// - Throws: ``SourceFailure`` of the search, `CancellationError`.
    package func link(of id: MovieID) async throws -> FilmLink? {
        guard Self.linkedSources.contains(id.source) else { return nil }
        if let link = try await self.storedLink(of: id) { return link }
        guard self.finder != nil, let repositories = self.own[id.source],
            let film = try await repositories.first({ try await $0.searchTerms(for: id) })
        else { return nil }
        return try await self.search(film)
    }

    /// Searches for the counterpart of a film, and stores what is found.
    ///
    /// - Returns: nil when no film is certain; a stored link remains then.
    /// - Throws: ``SourceFailure``, `CancellationError`. A link that cannot be stored is logged by the library and returned.
    @discardableResult
    package func search(_ film: PosterSearchTerms) async throws -> FilmLink? {
        guard Self.linkedSources.contains(film.id.source), let finder = self.finder else { return nil }
        guard let link = film.counterpart(among: try await finder.films(for: film), at: self.now()) else { return nil }
        do { try await self.links.keep(link) } catch is StorageFailure {}
        return link
    }

    /// Searches after a decision about the film's poster, whose search it shares, unless that failed.
    func search(_ film: PosterSearchTerms, after decision: PosterDecision) async throws {
        guard let finder = self.finder, !decision.failures.contains(where: { $0.source == finder.source }) else {
            return
        }
        // The source's client logs failures; the next decision, or a request for the film, searches again.
        do { try await self.search(film) } catch is SourceFailure {}
    }
}
