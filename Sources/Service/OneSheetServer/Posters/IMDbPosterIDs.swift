import BoundedCache
import MovieDomain
import PosterAPI
import PosterPipeline

/// Maps poster ids by IMDb title to the films' own: `imdb:tt0111161` to `tmdb:278`, and `imdb:tt0111161~ja` to
/// `tmdb:278~ja`.
final class IMDbPosterIDs: PosterIDResolver {
    /// Maximum number of cached titles, about 150 bytes each.
    private static let limit = 32_768
    /// Lifetime of cached titles.
    private static let lifetime = Duration.seconds(86_400)
    /// Separates a film from the choice of one of its pictures.
    private static let mark = UInt8(ascii: "~")

    private let find: FindByIMDbTitle
    private let titles: RequestedTitles
    private let films: BoundedCache<String, MovieID>

    init(_ find: FindByIMDbTitle, titles: RequestedTitles, now: @escaping @Sendable () -> Instant) {
        self.find = find
        self.titles = titles
        self.films = BoundedCache(
            countLimit: Self.limit, timeToLive: Self.lifetime,
            now: { UInt64(max(0, now().secondsSince1970)) * 1_000_000_000 })
    }

    func knownID(for id: PosterID) -> PosterID? {
        let (title, choice) = Self.parts(of: id)
        return self.films.value(for: title).flatMap { Self.poster(of: $0, choice) }
    }

    func ownID(for id: PosterID) async throws -> PosterID {
        if let known = self.knownID(for: id) { return known }
        let (title, choice) = Self.parts(of: id)
        do {
            guard let film = try await self.find(title), let own = Self.poster(of: film, choice) else {
                throw PosterError.unknownPoster(id)
            }
            self.films.insert(film, for: title)
            self.titles.note(title, of: film)
            return own
        } catch let failure as SourceFailure {
            throw PosterError(failure)
        }
    }

    /// - Returns: The title, and the choice of a picture with its mark.
    private static func parts(of id: PosterID) -> (title: String, choice: String) {
        let end = id.key.utf8.firstIndex(of: Self.mark) ?? id.key.utf8.endIndex
        return (String(id.key[..<end]), String(id.key[end...]))
    }

    /// - Parameter choice: Without effect if it is a language and the film's source has one poster.
    /// - Returns: `nil` if the id would be too long.
    private static func poster(of film: MovieID, _ choice: String) -> PosterID? {
        let hasChoice = film.source == .tmdb || Int(choice.dropFirst()) != nil
        return try? PosterID(source: film.source.rawValue, key: film.key + (hasChoice ? choice : ""))
    }
}
