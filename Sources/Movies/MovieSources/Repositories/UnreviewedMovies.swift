package import MovieDomain

/// Films of a source that has neither reviews nor similar films: both are pages without anything.
package protocol UnreviewedMovies: MovieRepository {}

extension UnreviewedMovies {
    /// Without reviews; nil when there is no such film.
    package func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try await self.movie(id, language: language).map { _ in
            Page(number: page, results: [], totalPages: 0, totalResults: 0)
        }
    }

    /// Without films; nil when there is no such film.
    package func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        try await self.movie(id, language: language).map { _ in
            Page(number: page, results: [], totalPages: 0, totalResults: 0)
        }
    }
}
