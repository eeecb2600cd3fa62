import MovieDomain

/// A resource of The Movie Database that is the same for all clients.
enum TMDBResource: Hashable, Sendable {
    enum Configuration: String, CaseIterable, Sendable {
        case countries, jobs, languages, timezones
        case primaryTranslations = "primary_translations"
    }

    enum Search: String, CaseIterable, Sendable {
        case movie, person, multi
    }

    enum FilmPart: String, CaseIterable, Sendable {
        case credits, videos, images, reviews, similar, recommendations, keywords, translations, lists, changes
        case releaseDates = "release_dates"
        case externalIDs = "external_ids"
        case alternativeTitles = "alternative_titles"
        case offers = "watch/providers"
        /// Earlier formats of the credits, videos and releases, for old clients.
        case casts, trailers, releases

        /// - Parameter name: A path segment; old clients use another one for similar films.
        init?(name: String) {
            self.init(rawValue: name == "similar_movies" ? Self.similar.rawValue : name)
        }
    }

    enum PersonPart: String, CaseIterable, Sendable {
        case movieCredits = "movie_credits"
        case seriesCredits = "tv_credits"
        case combinedCredits = "combined_credits"
        case externalIDs = "external_ids"
        case images
    }

    case configuration
    case configurationList(Configuration)
    case genres
    case list(MovieList)
    case search(Search)
    case discover
    case trending(TrendingPeriod)
    /// An id of another site, such as `tt0137523`.
    case find(String)
    /// A number or an IMDb id.
    case film(id: String)
    case filmPart(FilmPart, id: String)
    case person(id: String)
    case personPart(PersonPart, id: String)
    case collection(id: String)
    /// Forwarded to The Movie Database.
    case other(path: String)

    /// - Parameter path: Relative to the version.
    /// - Throws: ``TMDBFault`` for unknown paths and invalid ids.
    init(_ path: [String]) throws(TMDBFault) {
        if let resource = Self.fixed(path) ?? Self.passedOn(path) {
            self = resource
            return
        }
        guard let resource = try Self.item(path) else { throw TMDBFault(.notFound) }
        self = resource
    }

    /// The resources without an id.
    private static func fixed(_ path: [String]) -> TMDBResource? {
        switch (path.first, path.count) {
        case ("configuration", 1): .configuration
        case ("configuration", 2): Configuration(rawValue: path[1]).map { .configurationList($0) }
        case ("genre", 3) where path[1] == "movie" && path[2] == "list": .genres
        case ("movie", 2): MovieList(rawValue: path[1]).map { .list($0) }
        case ("search", 2): Search(rawValue: path[1]).map { .search($0) }
        case ("discover", 2) where path[1] == "movie": .discover
        case ("trending", 3) where path[1] == "movie": TrendingPeriod(rawValue: path[2]).map { .trending($0) }
        default: nil
        }
    }

    private static func item(_ path: [String]) throws(TMDBFault) -> TMDBResource? {
        guard path.count >= 2 else { return nil }
        let part = path.dropFirst(2).joined(separator: "/")
        switch path[0] {
        case "find" where part.isEmpty: return .find(try Self.foreignID(path[1]))
        case "movie":
            let id = try Self.id(path[1], orTitle: true)
            return part.isEmpty ? .film(id: id) : FilmPart(name: part).map { .filmPart($0, id: id) }
        case "person":
            let id = try Self.id(path[1])
            return part.isEmpty ? .person(id: id) : PersonPart(rawValue: part).map { .personPart($0, id: id) }
        case "collection" where part.isEmpty: return .collection(id: try Self.id(path[1]))
        default: return nil
        }
    }

    /// The number at the start of a segment: `603` for `603-the-matrix`.
    static func id(_ segment: String, orTitle: Bool = false) throws(TMDBFault) -> String {
        if orTitle, MovieID(source: .omdb, key: segment) != nil { return segment }
        let digits = segment.prefix { $0 != "-" }
        guard MovieID(source: .tmdb, key: String(digits)) != nil else { throw TMDBFault(.invalidID) }
        return String(digits)
    }

    private static func foreignID(_ segment: String) throws(TMDBFault) -> String {
        guard Self.isPathSegment(segment) else { throw TMDBFault(.invalidID) }
        return segment
    }
}
