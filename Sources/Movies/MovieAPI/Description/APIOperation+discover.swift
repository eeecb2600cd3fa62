import HTTPSemantics
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APIOperation {
    /// Operations that find films, besides lists and search.
    package static let discovery: [APIOperation] = [
        .film(
            "/movies/discover", name: "discoverMovies", summary: "Films by genre, time, country and language",
            meaning:
                "All filters hold; without any, all films. Filters that the catalogue does not have are a problem.",
            parameters: [
                .query(
                    FilmFilter.Field.genre.rawValue,
                    .array(.choice(GenreID.allCases.map(\.rawValue)), count: 1...FilmFilter.genreLimit)
                        .example(["drama", "thriller"]), "All of them."),
                .query(
                    FilmFilter.Field.year.rawValue, .integer(FilmFilter.allYears),
                    "Of the first public showing; not with decade."),
                .query(
                    FilmFilter.Field.decade.rawValue, .integer(FilmFilter.decades).example(1990),
                    "Its first year, a multiple of ten."),
                .query(FilmFilter.Field.country.rawValue, .countryCode, "Where the film was made."),
                .query(
                    FilmFilter.Field.originalLanguage.rawValue, APIParameter.languageTag,
                    "The film's own; language is that of the response."),
                .query(
                    FilmFilter.Field.keyword.rawValue, .string(pattern: "^tmdb:[1-9][0-9]{0,17}$").example("tmdb:818"),
                    "The id of a keyword of a film's details."),
                .query(
                    "sort",
                    .choice(FilmFilter.Sort.allCases.map(\.rawValue)).by(
                        default: .string(FilmFilter.Sort.popularity.rawValue)),
                    "newest: without those that are announced."), .page, .region,
            ], schema: "FilmPage", isPaged: true),
        .film(
            "/movies/trending/{period}", name: "trendingMovies", summary: "Films that are most in demand",
            meaning: "Today, or this week.",
            parameters: [
                .path("period", .choice(TrendingPeriod.allCases.map(\.rawValue)), "Which time."), .page,
            ], schema: "FilmPage", isPaged: true, problems: [.notFound]),
        .film(
            "/movies/{id}/recommendations", name: "recommendedMovies",
            summary: "Films that those who like a film like too", meaning: "Without the film itself.",
            parameters: [.movieID, .page], schema: "FilmPage", isPaged: true, problems: [.invalidID, .unknownMovie]),
        .film(
            "/collections/{id}", name: "collection", summary: "Films that belong together",
            meaning: "By release date, those without one last; on one page.",
            parameters: [.path("id", .collectionID, "As details of its films have it.")], schema: "Collection",
            problems: [.invalidID, .unknownCollection]),
    ]
}

extension APISchema {
    static let collection = APISchema.object(
        [
            "id": .collectionID, "source": .source, "name": .string(), "overview": .string().meaning("May be empty."),
            "poster": .reference("Poster"), "backdrop": .reference("Poster"), "films": .array(.reference("Film")),
            "attribution": .attribution,
        ], required: ["id", "source", "name", "overview", "films"])
}
