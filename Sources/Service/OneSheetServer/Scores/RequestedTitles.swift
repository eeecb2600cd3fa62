import BoundedCache
import MovieDomain

/// The IMDb titles by which films were requested: other sites can be asked for their scores before the films' details
/// are there.
final class RequestedTitles: Sendable {
    /// Maximum number of films, about 150 bytes each.
    private static let limit = 32_768

    private let titles = BoundedCache<MovieID, String>(countLimit: RequestedTitles.limit)

    func note(_ title: String, of film: MovieID) { self.titles.insert(title, for: film) }

    func title(of film: MovieID) -> String? { self.titles.value(for: film) }
}
