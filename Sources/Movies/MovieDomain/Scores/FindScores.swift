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

    /// Sends at most one request per film and source, or a search for the counterpart. Failures of sources are listed
    /// in ``FilmScores/missing``.
    ///
    /// - Parameters:
    ///   - imdbID: The film's IMDb title, if it is known: other sites are then asked at once, otherwise after the film's
    ///     own source.
    ///   - includesOthers: Whether scores of other sites are wanted, which have daily budgets.
    ///   - whenPartlyKnown: Called with the scores so far, each time that a source has answered while others have not.
    /// - Returns: `nil` if the source has no such film.
    /// - Throws: ``SourceFailure`` of the film's own source, unless another one has scores; `CancellationError`.
    package func callAsFunction(
        _ id: MovieID, imdbID: String? = nil, includesOthers: Bool,
        whenPartlyKnown: (FilmScores) -> Void = { _ in }
    ) async throws -> FilmScores? {
        let others = includesOthers ? self.supplements.filter { $0.source != id.source } : []
        return try await withThrowingTaskGroup(of: Answer.self) { group in
            func ask(_ imdbID: String) {
                for (place, source) in others.enumerated() {
                    group.addTask {
                        .other(place, try await Self.result { try await source.supplement(imdbID: imdbID) })
                    }
                }
            }
            group.addTask { .own(try await Self.result { try await self.own(id) }) }
            if let imdbID { ask(imdbID) }
            var collected = Collected(imdbID: imdbID)
            while let answer = try await group.next() {
                switch answer {
                case .own(.success(nil)):
                    group.cancelAll()
                    return nil
                case .own(.success(let found?)):
                    collected.own = found
                    if imdbID == nil, let title = found.imdbID, !others.isEmpty {
                        // Before the requests, for posters with the shortest waits.
                        whenPartlyKnown(collected.scores)
                        ask(title)
                        continue
                    }
                case .own(.failure(let failure)):
                    guard imdbID != nil, !others.isEmpty else { throw failure }
                    collected.failure = failure
                case .other(let place, let found): collected.others[place] = found
                }
                if !group.isEmpty { whenPartlyKnown(collected.scores) }
            }
            if let failure = collected.failure, collected.scores.others.isEmpty { throw failure }
            return collected.scores
        }
    }

    private enum Answer: Sendable {
        case own(Result<FilmScores?, SourceFailure>)
        /// Of the source at this place.
        case other(Int, Result<MovieSupplement?, SourceFailure>)
    }

    /// The answers so far.
    private struct Collected {
        var own: FilmScores?
        /// The failure of the film's own source.
        var failure: SourceFailure?
        /// By the source's place: an earlier one's score of a site counts.
        var others: [Int: Result<MovieSupplement?, SourceFailure>] = [:]
        private let imdbID: String?

        init(imdbID: String?) {
            self.imdbID = imdbID
        }

        var scores: FilmScores {
            var scores = self.own ?? FilmScores(imdbID: self.imdbID)
            if let failure { scores.missing.append(failure) }
            for (_, answer) in self.others.sorted(by: { $0.key < $1.key }) {
                switch answer {
                case .success(let found): scores.add(found?.scores ?? [])
                case .failure(let failure): scores.missing.append(failure)
                }
            }
            return scores
        }
    }

    /// The scores of the film's own source and of its counterpart's.
    private func own(_ id: MovieID) async throws -> FilmScores? {
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
        return scores
    }

    /// - Throws: Other errors than ``SourceFailure``.
    private static func result<Value>(
        _ body: () async throws -> Value
    ) async throws -> Result<Value, SourceFailure> {
        do {
            return .success(try await body())
        } catch let failure as SourceFailure {
            return .failure(failure)
        }
    }
}
