import BoundedCache
import MovieDomain

/// The IMDb titles by which TMDB's films were requested: other sites can be asked for their scores before the films'
/// details are there.
final class RequestedTitles: Sendable {
    /// Maximum number of films, about 150 bytes each.
    private static let limit = 32_768

    private let titles = BoundedCache<MovieID, String>(countLimit: RequestedTitles.limit)

    /// Has no effect for films of other sources: no source has confirmed an id of OMDb, and embedded films have ids that
    /// are IMDb's for no film.
    func note(_ title: String, of film: MovieID) {
        if film.source == .tmdb { self.titles.insert(title, for: film) }
    }

    func title(of film: MovieID) -> String? { self.titles.value(for: film) }
}
