import BoundedCache
import MovieDomain

/// Titles and backdrops of the films of recent pages, for title cards.
final class FilmTitles: Sendable {
    /// About 500 bytes each.
    private static let limit = 8192

    private struct Key: Hashable {
        let id: MovieID
        let language: Language
    }

    private let films = BoundedCache<Key, MovieSummary>(countLimit: FilmTitles.limit)

    /// - Parameter language: The language of the film's texts.
    func keep(_ film: MovieSummary, in language: Language) {
        let facts = MovieSummary(
            id: film.id, title: film.title, originalTitle: film.originalTitle,
            originalLanguage: film.originalLanguage, backdrop: film.backdrop)
        if let facts { self.films.insert(facts, for: Key(id: film.id, language: language)) }
    }

    func film(_ id: MovieID, in language: Language) -> MovieSummary? {
        self.films.value(for: Key(id: id, language: language))
    }
}
