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

extension TMDBResource {
    /// A film's part that belongs to the client.
    static let personalPart = "account_states"

    /// Resources that only The Movie Database has, such as television. They are forwarded; without a key, a few have
    /// empty documents. `*` stands for an id.
    private static let others = """
        certification/movie/list certification/tv/list collection/*/images collection/*/translations company/*
        company/*/alternative_names company/*/images company/*/movies credit/* discover/tv genre/tv/list
        genre/*/movies keyword/* keyword/*/movies list/* list/*/item_status movie/changes movie/latest
        network/* network/*/alternative_names network/*/images person/changes person/latest person/popular
        person/*/changes person/*/tagged_images person/*/translations review/* search/collection
        search/company search/keyword search/tv trending/all/* trending/person/* trending/tv/* tv/* tv/*/*
        tv/*/watch/providers tv/*/season/* tv/*/season/*/* tv/*/season/*/watch/providers
        tv/*/season/*/episode/* tv/*/season/*/episode/*/* tv/episode/*/changes tv/season/*/changes
        watch/providers/*
        """.split(whereSeparator: \.isWhitespace).map { $0.split(separator: "/").map(String.init) }

    /// Maximum length of an id, in bytes.
    private static let idLimit = 64

    /// `nil` for a path that The Movie Database does not have, and for a client's own resources.
    private static func passedOn(_ path: [String]) -> TMDBResource? {
        guard path.last != Self.personalPart, path.allSatisfy(Self.isPathSegment),
            Self.others.contains(where: { Self.matches($0, path) })
        else { return nil }
        return .other(path: path.joined(separator: "/"))
    }

    private static func matches(_ pattern: [String], _ path: [String]) -> Bool {
        pattern.count == path.count && zip(pattern, path).allSatisfy { $0 == "*" || $0 == $1 }
    }

    /// Accepts only letters, digits, hyphens and underscores, as the segment becomes part of a path.
    static func isPathSegment(_ segment: String) -> Bool {
        (1...Self.idLimit).contains(segment.utf8.count)
            && segment.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 45
                    || byte == 95
            }
    }
}
