import HTTPSemantics
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APIOperation {
    /// Operations on films.
    package static let films: [APIOperation] = [
        .film(
            "/movies/home", name: "moviesHome", summary: "All lists at once",
            meaning: "The first page of each list. A list that fails has a problem instead of films, unless all fail.",
            parameters: [.region], schema: "Home"),
        .film(
            "/movies/lists/{list}", name: "movieList", summary: "A list of films",
            meaning: "Does not wait for posters: only known posters are included.",
            parameters: [
                .path("list", .choice(MovieList.allCases.map(\.rawValue)), "The list."), .page, .region,
            ], schema: "FilmPage", isPaged: true, problems: [.notFound]),
        .film(
            "/movies/search", name: "searchMovies", summary: "Search films", meaning: "Sorted by relevance.",
            parameters: [
                .query(
                    "query", .string(1...MovieQuery.maxLength).example("nosferatu"), isRequired: true,
                    "The search terms; not only white space."), .page,
                .query("year", .integer(FilmFilter.allYears), "The year of the first public showing."),
            ], schema: "FilmPage", isPaged: true),
        .film(
            "/genres", name: "genres", summary: "All genres", meaning: "All genres of films.", schema: "Genres",
            session: .none),
        .film(
            "/movies/{id}", name: "movie", summary: "The details of a film",
            meaning: "Facts, and the same facts grouped in sections for display.", parameters: [.movie, .region],
            schema: "Movie",
            problems: [.invalidID, .unknownMovie]),
        APIOperation(
            method: .get, path: "/films/{id}", name: "filmPage", summary: "The page of a film",
            meaning: "Redirects to /movies/{id}.", parameters: [.movieID, .language],
            responses: [
                APIResponse(
                    status: 303, meaning: "A redirect to the details of the film, even if the film does not exist.",
                    headers: [.location, .cacheControl, .noSniffing, .anyOrigin, .exposedNames])
            ], problems: [.invalidParameter, .invalidID]),
        .film(
            "/movies/{id}/credits", name: "movieCredits", summary: "Cast and crew of a film",
            meaning: "In billing order.", parameters: [.movie], schema: "Credits", session: .none,
            problems: [.invalidID, .unknownMovie]),
        .film(
            "/movies/{id}/reviews", name: "movieReviews", summary: "Reviews of a film",
            meaning: "Sorted by date, latest first.", parameters: [.movie, .page], schema: "ReviewPage",
            isPaged: true, session: .none, problems: [.invalidID, .unknownMovie]),
        .film(
            "/movies/{id}/similar", name: "similarMovies", summary: "Similar films",
            meaning: "Excludes the film itself.",
            parameters: [.movie, .page], schema: "FilmPage", isPaged: true, problems: [.invalidID, .unknownMovie]),
        .film(
            "/box-office/daily", name: "dailyBoxOffice", summary: "The box office of a day",
            meaning:
                "At most ten films, sorted by audience. Days are in Seoul's time zone; the response is cached until "
                + "midnight there at most.",
            parameters: [
                .query(
                    "date", .date.example("2024-05-05"),
                    "A day from earliest to latest, which a response or the problem states; default: the latest day "
                        + "with figures.")
            ] + APIParameter.boxOfficeFilters, schema: "BoxOffice"),
        .film(
            "/box-office/weekly", name: "weeklyBoxOffice", summary: "The box office of a week",
            meaning:
                "The figures of Monday to Sunday, Friday to Sunday, or Monday to Thursday. The current week's figures "
                + "end with yesterday.",
            parameters: [
                .query("date", .date.example("2024-05-05"), "A day of the week; default: the latest complete one."),
                .query(
                    "span", .choice(BoxOfficePeriod.Span.allCases.map(\.rawValue)).by(default: "week"),
                    "week: Monday to Sunday; weekend: from Friday; weekdays: until Thursday."),
            ] + APIParameter.boxOfficeFilters, schema: "BoxOffice"),
        .film(
            "/box-office/movies/{code}", name: "boxOfficeMovie", summary: "A film by its box office code",
            meaning: "The same response as /movies/{id}.",
            parameters: [
                .path(
                    "code",
                    .string(pattern: "^([a-z]{1,6}:)?[A-Za-z0-9-]{1,\(MovieID.maxKeyLength)}$").example(
                        "nosferatu-1922"),
                    "The code of an entry, or its id."), .region,
            ], schema: "Movie", problems: [.invalidID, .unknownMovie]),
    ]

    /// Problems possible at all resources about films.
    static let problemsOfFilms: [Problem.Kind] = [
        .invalidParameter, .preconditionFailed, .sourceOff, .sourceUnavailable, .sourceBusy, .sourceTooSlow,
        .storageFailed,
    ]

    static func film(
        _ path: String, name: String, summary: String, meaning: String, parameters: [APIParameter] = [],
        schema: String, isPaged: Bool = false, session: Session = .welcome, problems: [Problem.Kind] = []
    ) -> APIOperation {
        .read(
            path, name: name, summary: summary, meaning: meaning,
            parameters: parameters + [.language, .acceptLanguage] + (session == .welcome ? [.marks] : []),
            schema: schema,
            headers: [.vary] + APIHeader.marks + (isPaged ? [.link] : [])
                + (session == .welcome ? [.invalidToken] : []),
            problems: problems + Self.problemsOfFilms, session: session)
    }

    /// A GET of JSON that clients can revalidate.
    ///
    /// - Parameters:
    ///   - answer: The meaning of the response.
    ///   - headers: Response headers besides the common ones.
    static func read(
        _ path: String, name: String, summary: String, meaning: String, parameters: [APIParameter] = [],
        answer: String = "The result.", schema: String, headers: [APIHeader] = [], problems: [Problem.Kind],
        session: Session = .none
    ) -> APIOperation {
        let takesLanguage = parameters.contains { $0.name == RequestedLanguages.parameter }
        let language = takesLanguage ? [] : [APIParameter.anyLanguage]
        let isForAll = session != .required
        let head = [.cacheControl, .entityTag, .anyOrigin, .exposedNames] + headers + (isForAll ? [.vary] : [])
        return APIOperation(
            method: .get, path: path, name: name, summary: summary, meaning: meaning,
            parameters: parameters + language + [.ifNoneMatch, .ifMatch],
            responses: [
                .json(200, answer, .reference(schema), headers: head + (isForAll ? [.contentEncoding] : [])),
                .notModified(head),
            ], problems: problems, session: session)
    }
}

extension APIParameter {
    static let movieID = APIParameter.path(
        "id", .movieID, "The film as [source:]key; without a source, a film of the embedded catalogue.")

    static let movie = APIParameter.path(
        "id", .movieIDOrTitle,
        "The film as [source:]key; without a source, a film of the embedded catalogue. imdb:tt0111161 is the film of an "
            + "IMDb title at TMDB, else at OMDb.")

    static let boxOfficeFilters = [
        APIParameter.query(
            "area", .string(pattern: "^([0-9]{7}|all)$").example("0105001"),
            "KOBIS' code of a region of Korea, or all; default: --kobis-area. Rejected without KOBIS."),
        APIParameter.query(
            "origin", .choice(BoxOfficeFilter.Origin.allCases.map(\.rawValue)),
            "Ranks only Korean or only foreign films; default: all."),
        APIParameter.query(
            "films", .choice(BoxOfficeFilter.Films.allCases.map(\.rawValue)),
            "Ranks only art-house and independent films (diversity), or only the others; default: all. Rejected "
                + "without KOBIS."
        ),
    ]

    static let marks = APIParameter.query(
        MovieRequest.marksParameter, .boolean.by(default: false),
        "Adds isFavourite, isOnWatchlist and myRating of the session's user; the response is then private."
    )

    static let region = APIParameter.query(
        QueryParameters.regionParameter, .countryCode,
        "The client's country (ISO 3166-1); default: --region, else the source's own choice.")

    static let page = APIParameter.query(
        "page", .integer(1...QueryParameters.pageLimit).by(default: 1),
        "The page, from 1; pages after the last are empty."
    )

    static let language = APIParameter.query(
        RequestedLanguages.parameter, Self.languageTag,
        "Language of texts; falls back to the film's own, then English. Overrides Accept-Language.")

    /// For resources with the same response in all languages.
    static let anyLanguage = APIParameter.query(
        RequestedLanguages.parameter, Self.languageTag,
        "Accepted and ignored, for clients that send it with every request.")

    static let languageTag = APISchema.string(2...35, pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$").example(
        "ko")

    static let acceptLanguage = APIParameter.header(
        "Accept-Language", .string().example("ko, en;q=0.8"), "The preferred languages (RFC 9110, 12.5.4).")
}
