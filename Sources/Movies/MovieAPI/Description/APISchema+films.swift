import HTTPSemantics
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APISchema {
    /// Schemas of resources about films.
    package static let films: [String: APISchema] = [
        "Film": .object(Self.filmMembers, required: Self.requiredOfFilms), "Movie": .movie, "Poster": .poster,
        "FilmPage": .page(of: .reference("Film")), "ReviewPage": .page(of: .reference("Review")),
        "Review": .review, "Home": .home, "Genres": .genres, "Genre": .genre, "Credits": .credits,
        "CastMember": .castMember, "GalleryPicture": .galleryPicture, "CrewMember": .crewMember,
        "Certificate": .certificate, "Video": .video, "Release": .release, "Keyword": .keyword,
        "CollectionReference": .collectionReference, "PartProblem": .partProblem,
        "CountryCode": .assignedCountry, "Collection": .collection, "BoxOffice": .boxOffice,
        "BoxOfficeEntry": .boxOfficeEntry, "BoxOfficeFigure": .boxOfficeFigure,
    ]

    /// `[source:]key` of a film.
    static let movieID = Self.movieID(titles: "omdb")

    /// ``movieID``, or `imdb:` and an IMDb title.
    static let movieIDOrTitle = Self.movieID(titles: "(omdb|imdb)")

    /// - Parameter titles: A pattern of the prefixes of IMDb titles.
    private static func movieID(titles: String) -> APISchema {
        .string(
            pattern: "^((sample:)?[a-z0-9-]{1,\(MovieID.maxKeyLength)}|(tmdb|itunes):[1-9][0-9]{0,17}"
                + "|(kobis|kmdb):[A-Za-z0-9]{1,32}|\(titles):tt[0-9]{1,12})$"
        ).example("nosferatu-1922")
    }

    /// `[source:]key` of a person.
    static let personID = APISchema.string(pattern: "^((sample:)?[a-z0-9-]{1,64}|tmdb:[1-9][0-9]{0,17})$").example(
        "fritz-lang")

    /// `[source:]key` of a collection.
    static let collectionID = APISchema.string(pattern: "^((sample:)?[a-z0-9-]{1,64}|tmdb:[1-9][0-9]{0,17})$").example(
        "tmdb:10")

    static let country = APISchema.string(pattern: "^[A-Z]{2}$").meaning("ISO 3166-1 alpha-2; XK for Kosovo.")

    /// For parameters; other pairs of letters are rejected.
    static let countryCode = APISchema.reference("CountryCode").example("KR")

    private static let assignedCountry = APISchema.choice(Country.all.map(\.code))
        .meaning("ISO 3166-1 alpha-2, and XK for Kosovo.")

    static func page(of element: APISchema) -> APISchema {
        .object(
            [
                "page": .integer(from: 1), "results": .array(element),
                "totalPages": .integer().meaning("Number of pages; 0 for an empty list."),
                "totalResults": .integer().meaning("Number of results of the list; fewer may be available."),
                "attribution": .attribution,
            ], required: ["page", "results", "totalPages", "totalResults"])
    }

    static let attribution = APISchema.array(.string()).meaning("Must be shown wherever the data is shown.")
    package static let date = APISchema.string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$").meaning("YYYY-MM-DD.")

    static let requiredOfFilms = [
        "id", "source", "title", "originalTitle", "overview", "genres", "directors", "cast", "poster",
    ]

    static let filmMembers: [String: APISchema] = [
        "id": .movieID, "source": .source,
        "title": .string().meaning("The title in the requested language, or in the next best one."),
        "originalTitle": .string(), "originalLanguage": .string(pattern: "^[a-z]{2,3}$").meaning("ISO 639."),
        "overview": .string().meaning("A few sentences; may be empty."), "releaseDate": .date,
        "year": .integer(0...9999).meaning("The year of the first public showing."),
        "genres": .array(.reference("Genre")), "directors": .array(.string()), "cast": .array(.string()),
        "score": .object(["average": .number(0...10), "count": .integer(from: 1)]),
        "poster": .reference("Poster").orNull, "backdrop": .reference("Poster"), "rerelease": .rerelease,
        "isFavourite": .isFavourite, "isOnWatchlist": .isOnWatchlist, "myRating": .myRating,
    ]

    static let source = APISchema.choice(MovieSource.allCases.map(\.rawValue)).meaning("The source.")
    static let isFavourite = APISchema.boolean.orNull.meaning(
        "Only with marks=true: the mark of the session's user; false without a session, null while unknown.")
    static let isOnWatchlist = APISchema.isFavourite
    static let myRating = APISchema.rating.orNull.meaning(
        "Only with marks=true: the rating of the session's user; null without a rating, absent while unknown.")

    private static let poster = APISchema.object(Self.posterMembers, required: ["url", "srcset"])

    private static let galleryPicture = APISchema.object(Self.galleryMembers, required: ["kind", "url", "srcset"])

    static let galleryMembers = Self.posterMembers.merging([
        "kind": .choice(GalleryPicture.Kind.allCases.map(\.rawValue))
    ]) { first, _ in first }

    private static let posterMembers: [String: APISchema] = [

        "url": .string().meaning("URL for clients without srcset."),
        "srcset": .string().meaning("URLs and their widths, for the HTML attribute srcset."),
        "width": .integer(from: 1).meaning("Width of the original as shown, in pixels; when known."),
        "height": .integer(from: 1).meaning("Height of the original as shown, in pixels; when known."),
        "color": .string(pattern: "^#[0-9a-f]{6}$").meaning("The dominant colour; when known."),
        "thumbhash": .string().meaning("ThumbHash in Base64; when known."),
    ]

    private static let genre = APISchema.object([
        "id": .choice(GenreID.allCases.map(\.rawValue)).meaning("The same for all sources."),
        "name": .string().meaning("The name in the requested language, or in English."),
    ])

    private static let rerelease = APISchema.object([
        "date": .date, "anniversary": .integer().meaning("Years since the first release."),
    ]).meaning("The rerelease; only in lists of films in cinemas, for films that are shown again.")

    private static let genres = APISchema.object(
        ["genres": .array(.reference("Genre")), "attribution": .attribution], required: ["genres"])

    private static let partProblem = APISchema.object([
        "source": .source, "type": .string(), "title": .string(), "status": .integer(400...599), "detail": .string(),
    ])

    private static let home = APISchema.object(
        [
            "sections": .array(
                .object(
                    [
                        "id": .choice(["nowPlaying", "popular", "topRated", "upcoming"]),
                        "list": .choice(MovieList.allCases.map(\.rawValue)).meaning("List of /movies/lists/{list}."),
                        "title": .string().meaning("For display."), "results": .array(.reference("Film")),
                        "totalPages": .integer(), "totalResults": .integer(),
                        "problem": .reference("PartProblem"),
                    ], required: ["id", "list", "title", "results"])),
            "attribution": .attribution,
        ], required: ["sections"])

    private static let movie = APISchema.object(
        Self.filmMembers.merging([
            "tagline": .string().meaning("May be empty."), "runtimeMinutes": .integer(from: 1),
            "countries": .array(.country),
            "certificate": .reference("Certificate"), "status": .choice(FilmStatus.allCases.map(\.rawValue)),
            "reviewCount": .integer(from: 0).meaning("Number of reviews in the language of the reviews; when known."),
            "homepage": .string(), "imdbId": .string(),
            "otherScores": .array(.object(["name": .string(), "value": .string()])),
            "keywords": .array(.reference("Keyword")).meaning("In the source's language: English at TMDB."),
            "collection": .reference("CollectionReference"), "regionalRelease": .reference("Release"),
            "sections": .array(.reference("DetailSection")).meaning("In display order; empty sections are omitted."),
            "counterpart": .counterpart, "attribution": .attribution,
            "problems": .array(.reference("PartProblem")).meaning("The problems of missing sources."),
        ]) { first, _ in first },
        required: Self.requiredOfFilms + ["tagline", "countries", "otherScores", "keywords", "sections"])

    static let counterpart = APISchema.object(["id": .movieID, "reason": .string().meaning("Reason for the match.")])
        .meaning("The same film at another source; both share facts, ratings and favourites.")

    private static let credits = APISchema.object(
        [
            "id": .movieID, "cast": .array(.reference("CastMember")).meaning("In billing order."),
            "crew": .array(.reference("CrewMember")).meaning("Directors come first."),
            "attribution": .attribution,
        ], required: ["id", "cast", "crew"])

    private static let castMember = APISchema.object(
        [
            "id": .personID, "name": .string(), "originalName": .string().meaning("May be empty."),
            "role": .string().meaning("May be empty."), "portrait": .reference("Poster"),
        ], required: ["name", "originalName", "role"])

    private static let crewMember = APISchema.object(
        [
            "id": .personID, "name": .string(),
            "department": .choice(Department.allCases.filter { $0 != .acting }.map(\.rawValue))
                .meaning("Absent when unknown."),
            "job": .choice(Job.allCases.map(\.rawValue)),
            "sourceJob": .string().meaning("The source's word for the job; may be empty."),
        ], required: ["name", "job", "sourceJob"])

    private static let certificate = APISchema.object([
        "system": .choice(Certificate.System.allCases.map(\.rawValue)).meaning("The rating organisation."),
        "country": .string(pattern: "^[A-Z]{2}$").meaning("ISO 3166-1 alpha-2."),
        "rating": .string().meaning("For kmrb ALL, 12, 15, 18 or RESTRICTED; for others a term such as PG-13."),
    ]).meaning("The age rating.")

    private static let video = APISchema.object(
        [
            "id": .string(), "type": .choice(Video.Kind.allCases.map(\.rawValue)),
            "site": .choice(Video.Site.allCases.map(\.rawValue)),
            "key": .string().meaning("The key of the video at the site."), "name": .string().meaning("May be empty."),
            "language": .string(pattern: "^[a-z]{2,3}$").meaning("ISO 639."), "country": .country,
            "official": .boolean.meaning("Whether a producer or distributor of the film published the video."),
            "publishedAt": .string(format: "date-time"),
            "height": .integer(from: 1).meaning("Height of the video in pixels, such as 1080."),
            "url": .string().meaning("URL of the video's page; at itunes, URL of the file."),
            "thumbnail": .reference("Poster"),
        ], required: ["id", "type", "site", "key", "name", "official", "url"])

    private static let release = APISchema.object(
        [
            "country": .country, "date": .date, "type": .choice(Release.Kind.allCases.map(\.rawValue)),
            "certificate": .reference("Certificate"),
            "note": .string().meaning("A note such as the festival of a premiere; may be empty."),
        ], required: ["country", "type", "note"])

    private static let keyword = APISchema.object(
        ["id": .string().meaning("Absent if the source has only words."), "name": .string()], required: ["name"])

    private static let collectionReference = APISchema.object(
        [
            "id": .collectionID, "name": .string(), "poster": .reference("Poster"),
            "backdrop": .reference("Poster"),
        ], required: ["id", "name"])

    private static let review = APISchema.object(
        [
            "id": .string(), "author": .string(), "score": .number(0...10),
            "preview": .string().meaning("The first \(Review.previewLength) characters."),
            "content": .string(), "isTruncated": .boolean.meaning("Whether content is longer than the preview."),
            "createdAt": .string(format: "date-time"), "url": .string(),
        ], required: ["id", "author", "preview", "content", "isTruncated"])

    private static let boxOffice = APISchema.object(
        [
            "source": .source, "from": .date, "to": .date,
            "span": .choice(BoxOfficePeriod.Span.allCases.map(\.rawValue)),
            "week": .object(["year": .integer(0...9999), "number": .integer(1...53)]).meaning("ISO 8601."),
            "filter": .object(
                [
                    "area": .string(pattern: "^[0-9]{7}$").meaning("Includes the default of --kobis-area."),
                    "origin": .choice(BoxOfficeFilter.Origin.allCases.map(\.rawValue)),
                    "films": .choice(BoxOfficeFilter.Films.allCases.map(\.rawValue)),
                ], required: []
            ).meaning("The filter of films and figures; absent without a filter."),
            "isComplete": .boolean.meaning("Whether all days are past; otherwise the figures end with yesterday."),
            "earliest": Self.date.meaning("The earliest day that date accepts."),
            "latest": Self.date.meaning(
                "The latest day that date accepts; without date, the latest day with figures. Changes at midnight in "
                    + "Seoul."),
            "results": .array(.reference("BoxOfficeEntry")).meaning("Sorted by rank."), "attribution": .attribution,
        ], required: ["source", "from", "to", "isComplete", "earliest", "latest", "results"])

    private static let boxOfficeEntry = APISchema.object(
        [
            "rank": .integer(from: 1),
            "code": .string().meaning("The code of /box-office/movies/{code}."),
            "rankChange": .integer(from: -1_000_000).meaning("Number of ranks gained; negative for a loss."),
            "isNew": .boolean, "id": .movieID, "source": .source, "title": .string(), "releaseDate": .date,
            "audience": .reference("BoxOfficeFigure"), "sales": .reference("BoxOfficeFigure"),
            "salesShare": .number().meaning("Share of all sales, in percent."), "screens": .integer(),
            "showings": .integer(), "poster": .reference("Poster").orNull, "isFavourite": .isFavourite,
            "isOnWatchlist": .isOnWatchlist, "myRating": .myRating,
        ],
        required: [
            "rank", "rankChange", "isNew", "id", "code", "source", "title", "audience", "sales", "screens", "showings",
            "poster",
        ])

    private static let boxOfficeFigure = APISchema.object(
        [
            "value": .number().meaning("Figure of the period."),
            "change": .number().meaning("Change from the previous period."),
            "changePercent": .number(), "total": .number().meaning("Total since the release."),
        ], required: ["value", "total"])
}
