import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting

@testable import MovieWeb

/// Scripted film sources and the pages generated from them.
struct PageFixture: Sendable {
    struct NoFilm: Error {}

    /// Noon of a Sunday in Greenwich, evening of the same day in Seoul.
    static let sunday = Instant(secondsSince1970: 1_714_910_400)  // 2024-05-05T12:00:00Z

    let movies: ScriptedMovies
    let catalogue: ScriptedCatalogue
    let people: ScriptedPeople
    let site: Website

    /// - Parameters:
    ///   - source: The source of films, lists and people.
    ///   - options: Sources that are not configured.
    init(
        source: MovieSource = .embedded, pageSize: Int = 20, off options: [MovieSource: String] = [:],
        served: (@Sendable ([MovieID], Language, String, String) -> Void)? = nil
    ) throws {
        self.movies = ScriptedMovies(source: source, pageSize: pageSize)
        self.catalogue = ScriptedCatalogue(source: source, pageSize: pageSize)
        self.people = ScriptedPeople(source: source, pageSize: pageSize)
        var services = MovieServices(
            sources: MovieRepositories([self.movies], off: options), catalogue: self.catalogue,
            boxOffice: ScriptedBoxOffice(), store: UnusedStore(), accounts: ScriptedAccounts(),
            sessions: MemorySessions(),
            favourites: MemoryFavourites(), watchlist: MemoryFavourites(), userData: MemoryUserData(),
            now: { Self.sunday })
        services.showPerson = ShowPerson([self.people])
        services.personCatalogue = self.people
        services.listServed = served
        self.site = try Website(
            MovieUseCases(services, publicURL: nil), pictures: NumberedPictureURLs(), files: WebFiles.ofProgram.get())
    }

    /// - Parameters:
    ///   - target: Path and query.
    ///   - known: Parameters that the page supports.
    func request(_ target: String, known: [String] = [], accept: String? = nil) throws -> PageRequest {
        var headers: HTTPFields = [:]
        headers[.acceptLanguage] = accept
        return try PageRequest(
            target: RequestTarget(target), headers: headers, client: "127.0.0.1", known: known, site: self.site)
    }

    /// A film summary; the id is of the embedded catalogue unless it has a source.
    static func film(_ id: String, title: String? = nil, year: Int? = nil) throws -> MovieSummary {
        guard let id = MovieID(id), let film = MovieSummary(id: id, title: title ?? "Film \(id.key)", year: year)
        else { throw NoFilm() }
        return film
    }
}

/// Picture URLs of the form `/picture/SOURCE/KEY?w=WIDTH`. TMDB's pictures are served.
struct NumberedPictureURLs: PictureURLs {
    let generation: UInt64 = 1
    let acceptedHints: String? = nil
    let badgeChoices = BadgeChoices.scripted()

    func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, widths: PictureWidths, badges: PictureBadges?,
        isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject? {
        isMissing() ? nil : self.object("\(id.source)/\(id.key)", size, width: 240, widest: 780, widths)
    }

    func picture(_ id: PictureID, width: Int, badges: PictureBadges?) throws(Problem) -> String {
        "/picture/\(id.source)/\(id.key)?w=\(width)"
    }

    func picture(
        _ id: PictureID, size: (width: Int, height: Int)?, width: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject {
        self.object("\(id.source)/\(id.key)", size, width: width, widest: 780, widths)
    }

    func tmdbImage(
        _ file: String, size: (width: Int, height: Int)?, width: Int, widest: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject? {
        self.object("t/\(file)", size, width: width, widest: widest, widths)
    }

    func videoThumbnail(_ key: String) throws(Problem) -> PosterObject? {
        self.object("youtube/\(key)", (480, 270), width: 480, widest: 480, .page)
    }

    private func object(
        _ name: String, _ size: (width: Int, height: Int)?, width: Int, widest: Int, _ widths: PictureWidths
    ) -> PosterObject {
        let url = { (width: Int) in "/picture/\(name)?w=\(width)" }
        let srcset = widths.pixels.filter { $0 <= widest }.map { "\(url($0)) \($0)w" }.joined(separator: ", ")
        var object = PosterObject(url: url(width), srcset: srcset, width: size?.width, height: size?.height)
        object.gradient = widths == .page ? ["#112233", "#223344", "#334455"] : nil
        return object
    }
}
