extension ShowMovie {
    /// A film completed from all sources of scores but its own, the first one's facts first.
    ///
    /// The sources are requested at once, so that they share the response's time for supplements. A failed source is
    /// listed in ``MovieDetails/missing``; the facts of the others stay.
    ///
    /// - Throws: `CancellationError`.
    func supplemented(_ details: MovieDetails) async throws -> MovieDetails {
        let repositories = self.supplements.filter { $0.source != details.movie.id.source }
        guard let imdbID = details.movie.imdbID, !repositories.isEmpty else { return details }
        let answers = try await withThrowingTaskGroup(of: (Int, SupplementAnswer).self) { group in
            for (index, repository) in repositories.enumerated() {
                group.addTask { (index, try await SupplementAnswer(of: repository, imdbID: imdbID)) }
            }
            var answers: [Int: SupplementAnswer] = [:]
            for try await (index, answer) in group { answers[index] = answer }
            return answers
        }
        var details = details
        for (index, repository) in repositories.enumerated() {
            switch answers[index] {
            case .facts(let supplement):
                details.movie = details.movie.adding(supplement)
                details.sources.append(repository.source)
            case .failure(let failure): details.missing.append(failure)
            case .unknownFilm, nil: break
            }
        }
        return details
    }
}

/// The response of one source of scores.
private enum SupplementAnswer: Sendable {
    case facts(MovieSupplement)
    case unknownFilm
    case failure(SourceFailure)

    /// - Throws: Errors other than ``SourceFailure``, such as `CancellationError`.
    init(of repository: any SupplementRepository, imdbID: String) async throws {
        do {
            let supplement = try await Supplement.ask { try await repository.supplement(imdbID: imdbID) }
            self = supplement.map { .facts($0) } ?? .unknownFilm
        } catch let failure as SourceFailure {
            self = .failure(failure)
        }
    }
}
