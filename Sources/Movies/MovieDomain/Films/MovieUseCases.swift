/// A film that its source does not have.
package struct UnknownMovie: Error, Hashable, Sendable {
    package let id: MovieID

    package init(_ id: MovieID) {
        self.id = id
    }
}

/// Returns a film with everything its source has in one answer, completed from a second source.
package struct ShowMovie: Sendable {
    private let sources: MovieRepositories
    private let supplements: (any SupplementRepository)?

    /// - Parameter supplements: Completes films that have an IMDb title; nil for none.
    package init(sources: MovieRepositories, supplements: (any SupplementRepository)? = nil) {
        self.sources = sources
        self.supplements = supplements
    }

    /// A supplement that fails is listed in ``MovieDetails/missing``; it does not fail the film.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(_ id: MovieID, language: LanguagePreference) async throws -> MovieDetails {
        let movie = try await self.sources.find(id) { try await $0.movie(id, language: language) }
        guard let imdbID = movie.imdbID, let supplements, supplements.source != id.source else {
            return MovieDetails(movie: movie, sources: [id.source])
        }
        do {
            guard let supplement = try await supplements.supplement(imdbID: imdbID) else {
                return MovieDetails(movie: movie, sources: [id.source])
            }
            return MovieDetails(movie: movie.adding(supplement), sources: [id.source, supplements.source])
        } catch let failure as SourceFailure {
            return MovieDetails(movie: movie, sources: [id.source], missing: [failure])
        }
    }
}

/// A film and the sources that contributed to it.
package struct MovieDetails: Hashable, Sendable {
    package let movie: Movie
    /// The film's own source first.
    package let sources: [MovieSource]
    /// The failures of sources that would have contributed.
    package let missing: [SourceFailure]

    package init(movie: Movie, sources: [MovieSource], missing: [SourceFailure] = []) {
        self.movie = movie
        self.sources = sources
        self.missing = missing
    }
}

/// Returns the complete cast and crew of a film.
package struct ShowCredits: Sendable {
    private let sources: MovieRepositories

    package init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(of id: MovieID, language: LanguagePreference) async throws -> Credits {
        try await self.sources.find(id) { try await $0.credits(of: id, language: language) }
    }
}

/// Returns a page of the reviews of a film, the latest first.
package struct ShowReviews: Sendable {
    private let sources: MovieRepositories

    package init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review> {
        try await self.sources.find(id) { try await $0.reviews(of: id, page: page, language: language) }
    }
}

/// Returns a page of films similar to another.
package struct ShowSimilar: Sendable {
    private let sources: MovieRepositories

    package init(sources: MovieRepositories) {
        self.sources = sources
    }

    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary> {
        try await self.sources.find(id) { try await $0.similar(to: id, page: page, language: language) }
    }
}

extension MovieRepositories {
    /// Returns what `lookUp` finds in the repository of the film's source.
    /// - Throws: ``UnknownMovie`` when it finds nil, ``SourceFailure``, `CancellationError`.
    fileprivate func find<Value: Sendable>(
        _ id: MovieID, _ lookUp: (any MovieRepository) async throws -> Value?
    ) async throws -> Value {
        guard let value = try await lookUp(try self.repository(of: id.source)) else { throw UnknownMovie(id) }
        return value
    }
}
