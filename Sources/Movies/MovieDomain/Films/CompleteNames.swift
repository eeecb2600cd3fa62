/// The names of directors and actors in a row of a list.
package struct FilmNames: Hashable, Sendable {
    /// The maximal number of actors from credits.
    private static let castLimit = 5

    package let directors: [String]
    /// In billing order.
    package let cast: [String]

    package init(directors: [String], cast: [String]) {
        self.directors = Array(directors.prefix(MovieSummary.nameLimit))
        self.cast = Array(cast.prefix(MovieSummary.nameLimit))
    }

    package init(_ credits: Credits) {
        self.init(
            directors: credits.crew.filter { $0.job == .director }.map(\.name),
            cast: credits.cast.prefix(Self.castLimit).map(\.name))
    }
}

/// Adds directors and main actors to films of sources that omit them in lists, with at most one request per film.
package struct CompleteNames: Sendable {
    /// The limit of concurrent requests.
    package static let atOnce = 8

    private let sources: MovieRepositories

    package init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// Keeps the order. A film that its source does not return within the time for supplements stays unchanged; later
    /// responses include its names.
    ///
    /// - Throws: `CancellationError`.
    package func callAsFunction(
        _ films: [MovieSummary], language: LanguagePreference
    ) async throws -> [MovieSummary] {
        var completed = films
        try await withThrowingTaskGroup(of: (Int, FilmNames?).self) { group in
            func add(_ answer: (index: Int, names: FilmNames?)) {
                guard let names = answer.names else { return }
                completed[answer.index].directors = names.directors
                completed[answer.index].cast = names.cast
            }
            var addedCount = 0
            for (index, film) in films.enumerated() where film.directors.isEmpty && film.cast.isEmpty {
                if addedCount >= Self.atOnce, let answer = try await group.next() { add(answer) }
                group.addTask { (index, try await self.names(of: film.id, language)) }
                addedCount += 1
            }
            for try await answer in group { add(answer) }
        }
        return completed
    }

    private func names(of id: MovieID, _ language: LanguagePreference) async throws -> FilmNames? {
        do {
            let repository = try self.sources.repository(of: id.source)
            return try await Supplement.ask { try await repository.names(of: id, language: language) }
        } catch is SourceFailure {
            // Logged and recorded by the source's client.
            return nil
        }
    }
}
