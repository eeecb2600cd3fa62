/// A film that its source does not have.
package struct UnknownMovie: Error, Hashable, Sendable {
    package let id: MovieID

    package init(_ id: MovieID) {
        self.id = id
    }
}

/// Returns a film with everything its source has in one answer, completed from a second source; and its credits, reviews and
/// similar films.
package struct ShowMovie: Sendable {
    private let sources: MovieRepositories
    private let supplements: (any SupplementRepository)?

    /// - Parameter supplements: Completes films that have an IMDb title; nil for none.
    package init(sources: MovieRepositories, supplements: (any SupplementRepository)? = nil) {
        self.sources = sources
        self.supplements = supplements
    }

    /// A supplement that fails, or does not come in time, is listed in ``MovieDetails/missing``; it does not fail the film.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(_ id: MovieID, language: LanguagePreference) async throws -> MovieDetails {
        let movie = try await self.find(id) { try await $0.movie(id, language: language) }
        guard let imdbID = movie.imdbID, let supplements, supplements.source != id.source else {
            return MovieDetails(movie: movie, sources: [id.source])
        }
        do {
            let supplement = try await Supplement.ask { try await supplements.supplement(imdbID: imdbID) }
            guard let supplement else { return MovieDetails(movie: movie, sources: [id.source]) }
            return MovieDetails(movie: movie.adding(supplement), sources: [id.source, supplements.source])
        } catch let failure as SourceFailure {
            return MovieDetails(movie: movie, sources: [id.source], missing: [failure])
        }
    }

    /// The complete cast and crew of a film.
    ///
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits {
        try await self.find(id) { try await $0.credits(of: id, language: language) }
    }

    /// A page of the reviews of a film, the latest first.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review> {
        try await self.find(id) { try await $0.reviews(of: id, page: page, language: language) }
    }

    /// A page of films similar to another.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.find(id) { try await $0.similar(to: id, page: page, language: language) }
    }

    private func find<Value: Sendable>(
        _ id: MovieID, _ lookUp: (any MovieRepository) async throws -> Value?
    ) async throws -> Value {
        guard let value = try await lookUp(try self.sources.repository(of: id.source)) else { throw UnknownMovie(id) }
        return value
    }
}

/// A film and the sources that contributed to it.
package struct MovieDetails: Hashable, Sendable {
    package let movie: Movie
    /// The film's own source first.
    package let sources: [MovieSource]
    /// The failures of sources that would have contributed.
    package var missing: [SourceFailure] = []
}
