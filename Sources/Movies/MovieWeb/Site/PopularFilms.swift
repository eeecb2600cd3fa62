import MovieDomain
import Synchronization

/// The popular films of the latest home page, by interface language. Pages without films of their own show them, which
/// requires no request to a source.
final class PopularFilms: Sendable {
    private let films = Mutex<[Language: [MovieSummary]]>([:])

    /// - Parameter language: The language of the films' texts; ignored unless it is one of the interface.
    func keep(_ films: [MovieSummary], in language: Language) {
        guard TranslatedTexts.languages.contains(language) else { return }
        self.films.withLock { $0[language] = films }
    }

    /// Empty before the first home page was made.
    func films(in language: Language) -> [MovieSummary] { self.films.withLock { $0[language] ?? [] } }
}
