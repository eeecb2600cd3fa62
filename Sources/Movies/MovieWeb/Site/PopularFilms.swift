import MovieDomain
import Synchronization

/// The popular films of the last home page in each language of the interface: what a page shows that has nothing else, without asking
/// a source for it.
final class PopularFilms: Sendable {
    private let films = Mutex<[Language: [MovieSummary]]>([:])

    /// - Parameters:
    ///   - language: Of the films' texts; those in none of the interface's are not cached.
    func keep(_ films: [MovieSummary], in language: Language) {
        guard TextTable.languages.contains(language) else { return }
        self.films.withLock { $0[language] = films }
    }

    /// Empty before the first home page.
    func films(in language: Language) -> [MovieSummary] { self.films.withLock { $0[language] ?? [] } }
}
