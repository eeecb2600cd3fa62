/// Finds a film's scores at its own source, its counterpart's, and the sources of other sites' scores.
package struct FindScores: Sendable {
    private let sources: MovieRepositories
    private let supplements: [any SupplementRepository]
    private let identities: FilmIdentities?

    /// - Parameters:
    ///   - supplements: The sources of other sites' scores; the first one's score of a site counts.
    ///   - identities: Finds counterparts of films; `nil` disables it.
    package init(
        sources: MovieRepositories, supplements: [any SupplementRepository] = [], identities: FilmIdentities? = nil
    ) {
        self.sources = sources
        self.supplements = supplements
        self.identities = identities
    }

    /// Sends at most one request per film and source, or a search for the counterpart. Failures of other sources than
    /// the film's own are listed in ``FilmScores/missing``.
    ///
    /// - Parameters:
    ///   - includesOthers: Whether scores of other sites are wanted, which have daily budgets.
    ///   - whenPartlyKnown: Called with the film's own scores before other sites' are requested.
    /// - Returns: `nil` if the source has no such film.
    /// - Throws: ``SourceFailure`` of the film's own source, `CancellationError`.
    package func callAsFunction(
        _ id: MovieID, includesOthers: Bool, whenPartlyKnown: (FilmScores) -> Void = { _ in }
    ) async throws -> FilmScores? {
        guard var scores = try await self.sources.repository(of: id.source).scores(of: id) else { return nil }
        do {
            if let other = try await self.identities?.link(of: id)?.counterpart,
                let found = try await self.sources.repository(of: other.source).scores(of: other)
            {
                scores.add(found)
            }
        } catch SourceFailure.off {
            // Treated as if there were no counterpart.
        } catch let failure as SourceFailure {
            scores.missing.append(failure)
        }
        guard includesOthers, let imdbID = scores.imdbID else { return scores }
        let others = self.supplements.filter { $0.source != id.source }
        if !others.isEmpty { whenPartlyKnown(scores) }
        for answer in try await Self.answers(of: others, imdbID: imdbID) {
            switch answer {
            case .success(let found): scores.add(found?.scores ?? [])
            case .failure(let failure): scores.missing.append(failure)
            }
        }
        return scores
    }

    /// The results of all sources, asked at the same time, in their order.
    private static func answers(
        of sources: [any SupplementRepository], imdbID: String
    ) async throws -> [Result<MovieSupplement?, SourceFailure>] {
        try await withThrowingTaskGroup(of: (Int, Result<MovieSupplement?, SourceFailure>).self) { group in
            for (place, source) in sources.enumerated() {
                group.addTask {
                    do {
                        return (place, .success(try await source.supplement(imdbID: imdbID)))
                    } catch let failure as SourceFailure {
                        return (place, .failure(failure))
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
