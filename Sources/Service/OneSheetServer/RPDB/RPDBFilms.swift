import BoundedCache
import MovieCompatibility
import MovieDomain
import MovieHTTP
import PosterAPI
import PosterPipeline

/// Finds films and series by the ids of RPDB's clients, at The Movie Database, OMDb and in the embedded catalogue.
final class RPDBFilms: RPDBPictureFinder {
    /// Maximum number of cached pictures, about 300 bytes each.
    private static let limit = 16_384
    /// Lifetime of cached pictures: as long as details of series, with their scores.
    private static let lifetime = Duration.seconds(5 * 3600)

    private struct Key: Hashable {
        let kind: RPDBPictureKind
        let title: RPDBTitle
        let language: String?
    }

    private let services: MovieServices
    private let titles: RequestedTitles
    private let numbers: TMDBNumberTable
    private let languages: PosterLanguages
    private let pictures: BoundedCache<Key, RPDBPicture>

    /// - Parameters:
    ///   - titles: Receives the IMDb titles of films.
    ///   - languages: The sources with posters in several languages.
    init(_ services: MovieServices, titles: RequestedTitles, languages: PosterLanguages) {
        self.services = services
        self.titles = titles
        self.numbers = TMDBNumberTable(services)
        self.languages = languages
        let now = services.now
        self.pictures = BoundedCache(
            countLimit: Self.limit, timeToLive: Self.lifetime,
            now: { UInt64(max(0, now().secondsSince1970)) * 1_000_000_000 })
    }

    func knownPicture(_ kind: RPDBPictureKind, of title: RPDBTitle, language: String?) -> RPDBPicture? {
        self.pictures.value(for: Key(kind: kind, title: title, language: language))
    }

    func picture(_ kind: RPDBPictureKind, of title: RPDBTitle, language: String?) async throws -> RPDBPicture? {
        do {
            guard let picture = try await self.found(kind, of: title, language: language) else { return nil }
            self.pictures.insert(picture, for: Key(kind: kind, title: title, language: language))
            return picture
        } catch let failure as SourceFailure {
            throw PosterError(failure)
        }
    }

    private func found(
        _ kind: RPDBPictureKind, of title: RPDBTitle, language: String?
    ) async throws -> RPDBPicture? {
        switch try await self.film(of: title) {
        case .film(let film):
            if case .imdb(let title) = title { self.titles.note(title, of: film) }
            return try await self.picture(kind, of: film, language: language)
        case .series(let number): return try await self.picture(kind, ofSeries: number, language: language)
        case nil: return nil
        }
    }

    /// Films of the embedded catalogue have ids that are derived from their keys.
    private func film(of title: RPDBTitle) async throws -> FoundTitle? {
        switch title {
        case .movie(let number): return try await self.numbers.film(number).map { .film($0) }
        case .series(let number): return self.services.series == nil ? nil : .series(number)
        case .tvdb(let number): return try await self.services.series?.title(String(number), at: .tvdb)
        case .tvdbMovie: return nil
        case .imdb(let id):
            if let film = try await self.numbers.film(title: id) { return .film(film) }
            if let found = try await self.services.series?.title(id, at: .imdb) { return found }
            do {
                return try await self.services.findByIMDbTitle?(id).map { .film($0) }
            } catch SourceFailure.off {
                return nil  // without a source of titles no film has one
            }
        }
    }

    private func picture(
        _ kind: RPDBPictureKind, of film: MovieID, language: String?
    ) async throws -> RPDBPicture? {
        let poster = try PosterID(source: film.source.rawValue, key: film.key)
        switch kind {
        case .poster, .textless:
            let selection = PosterSelection(language: language, isTextless: kind == .textless)
            return RPDBPicture(try self.languages.id(poster, selection))
        case .backdrop:
            // Galleries begin with backdrops and stills; a film without any has only posters there.
            let images = try await self.images(of: film)
            guard let place = images.firstIndex(where: { $0.picture.kind == .backdrop || $0.picture.kind == .still })
            else { return nil }
            return try self.picture(images[place], of: film)
        case .logo:
            let own = language.flatMap { Language($0) } ?? self.services.defaultLanguage
            return try FilmImage.logo(await self.images(of: film), in: own).flatMap { try self.picture($0, of: film) }
        }
    }

    private func images(of film: MovieID) async throws -> [FilmImage] {
        try await self.services.sources.repository(of: film.source).images(of: film) ?? []
    }

    /// - Returns: `nil` for a picture without an id.
    private func picture(_ image: FilmImage, of film: MovieID) throws -> RPDBPicture? {
        if let place = image.place {
            return RPDBPicture(try PosterID(source: film.source.rawValue, key: "\(film.key)~\(place)"))
        }
        return try Self.picture(at: image.picture.location)
    }

    private func picture(
        _ kind: RPDBPictureKind, ofSeries number: Int, language: String?
    ) async throws -> RPDBPicture? {
        let language = language.flatMap { Language($0) }
        guard let series = try await self.services.series?.series(number, language: language) else { return nil }
        let location =
            switch kind {
            case .poster: series.poster
            case .textless: series.textlessPoster ?? series.poster
            case .backdrop: series.backdrop
            case .logo: series.logo
            }
        let score = series.score.flatMap { BadgeScore(fraction: $0.average / 10, at: .tmdb) }
        let scores = BadgeScores(
            score.map { [.tmdb: $0] } ?? [:], isCurrent: true,
            lifetime: score.map { _ in series.scoreLifetime(at: self.services.now()) })
        return try location.flatMap { try Self.picture(at: $0, scores: scores) }
    }

    /// - Returns: `nil` for a picture of another server than TMDB's.
    private static func picture(at location: PictureLocation, scores: BadgeScores? = nil) throws -> RPDBPicture? {
        guard case .tmdb(let file) = location else { return nil }
        return RPDBPicture(
            try PosterID(source: PosterID.tmdbImageSource, key: file), scores: scores, isAtPoster: false)
    }
}

extension BadgeSource {
    /// The badges of clients that choose none: of the configured sources.
    ///
    /// - Parameter keys: The sources with keys.
    static func usual(_ keys: Set<MovieSource>) -> [BadgeSource] {
        let others: [BadgeSource] = keys.isDisjoint(with: [.omdb, .mdblist]) ? [] : [.imdb, .rt, .metacritic]
        return others + [keys.contains(.tmdb) ? .tmdb : .sample]
    }
}
