import MovieDomain

extension TMDBResource {
    /// The path of the resource at The Movie Database, relative to the version.
    var path: String {
        switch self {
        case .configuration: "/configuration"
        case .configurationList(let list): "/configuration/\(list.rawValue)"
        case .genres: "/genre/movie/list"
        case .list(let list): "/movie/\(list.rawValue)"
        case .search(let kind): "/search/\(kind.rawValue)"
        case .discover: "/discover/movie"
        case .trending(let period): "/trending/movie/\(period.rawValue)"
        case .find(let id): "/find/\(id)"
        case .film(let id): "/movie/\(id)"
        case .filmPart(let part, let id): "/movie/\(id)/\(part.rawValue)"
        case .person(let id): "/person/\(id)"
        case .personPart(let part, let id): "/person/\(id)/\(part.rawValue)"
        case .collection(let id): "/collection/\(id)"
        case .other(let path): "/\(path)"
        }
    }

    /// The forwarded parameters; others have no meaning there, or are the client's own.
    var parameters: [String] {
        switch self {
        case .configuration: []
        case .configurationList, .genres: ["language"]
        case .collection: ["append_to_response", "include_image_language", "language"]
        case .list: ["language", "page", "region"]
        case .search(.movie):
            ["query", "include_adult", "language", "page", "primary_release_year", "region", "year"]
        case .search(.person), .search(.multi): ["query", "include_adult", "language", "page"]
        case .discover: Self.discoverParameters
        case .trending: ["language", "page"]
        case .find: ["external_source", "language"]
        case .film:
            [
                "append_to_response", "country", "end_date", "include_image_language", "include_video_language",
                "language", "page", "start_date",
            ]
        case .filmPart(let part, _): Self.parameters(of: part)
        case .person: ["append_to_response", "language"]
        case .personPart: ["language"]
        case .other: Self.allParameters
        }
    }

    private static func parameters(of part: FilmPart) -> [String] {
        switch part {
        case .credits, .casts: ["language"]
        case .videos, .trailers: ["language", "include_video_language"]
        case .images: ["language", "include_image_language"]
        case .reviews, .similar, .recommendations, .lists: ["language", "page"]
        case .changes: ["end_date", "page", "start_date"]
        case .alternativeTitles: ["country"]
        case .keywords, .translations, .releaseDates, .externalIDs, .offers, .releases: []
        }
    }

    private static let discoverParameters = """
        certification certification.gte certification.lte certification_country include_adult include_video
        language page primary_release_year primary_release_date.gte primary_release_date.lte region
        release_date.gte release_date.lte sort_by vote_average.gte vote_average.lte vote_count.gte
        vote_count.lte watch_region with_cast with_companies with_crew with_genres with_keywords
        with_origin_country with_original_language with_overview_translation with_people with_release_type
        with_runtime.gte with_runtime.lte with_title_translation with_watch_monetization_types
        with_watch_providers without_companies without_genres without_keywords without_watch_providers year
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// The parameters of the resources that are only forwarded.
    private static let allParameters = Self.discoverParameters + Self.otherParameters

    private static let otherParameters = """
        air_date.gte air_date.lte append_to_response country end_date external_source first_air_date.gte
        first_air_date.lte first_air_date_year include_image_language include_null_first_air_dates
        include_video_language movie_id query screened_theatrically start_date timezone with_networks
        with_status with_type
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    var hasPages: Bool {
        switch self {
        case .list, .search, .discover, .trending: true
        case .filmPart(let part, _): [.reviews, .similar, .recommendations, .lists].contains(part)
        case .configuration, .configurationList, .genres, .find, .film, .person, .personPart, .collection, .other:
            false
        }
    }

    /// The freshness lifetime of a response that states none: about the value that The Movie Database usually sends.
    var lifetime: Duration {
        switch self {
        case .configuration, .configurationList, .genres, .collection: .seconds(24 * 3600)
        case .list: .seconds(1800)
        case .search, .discover, .find, .other: .seconds(4 * 3600)
        case .trending(.day): .seconds(900)
        case .trending(.week): .seconds(2 * 3600)
        case .film, .filmPart, .person, .personPart: .seconds(5 * 3600)
        }
    }
}
