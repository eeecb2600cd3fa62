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
                "Films that match all filters; all films without a filter. A filter that the catalogue does not "
                + "support is rejected.",
            parameters: [
                .query(
                    FilmFilter.Field.genre.rawValue,
                    .array(.choice(GenreID.allCases.map(\.rawValue)), count: 1...FilmFilter.genreLimit)
                        .example(["drama", "thriller"]), "Genres, all of which the film has."),
                .query(
                    FilmFilter.Field.year.rawValue, .integer(FilmFilter.allYears),
                    "The year of the first public showing; excludes decade."),
                .query(
                    FilmFilter.Field.decade.rawValue, .integer(FilmFilter.decades).example(1990),
                    "The first year of the decade, a multiple of ten."),
                .query(FilmFilter.Field.country.rawValue, .countryCode, "A production country of the film."),
                .query(
                    FilmFilter.Field.originalLanguage.rawValue, APIParameter.languageTag,
                    "The film's original language; the parameter language selects the response's."),
                .query(
                    FilmFilter.Field.keyword.rawValue, .string(pattern: "^tmdb:[1-9][0-9]{0,17}$").example("tmdb:818"),
                    "The id of a keyword of a film's details."),
                .query(
                    "sort",
                    .choice(FilmFilter.Sort.allCases.map(\.rawValue)).by(
                        default: .string(FilmFilter.Sort.popularity.rawValue)),
                    "The order; newest excludes announced films."), .page, .region,
            ], schema: "FilmPage", isPaged: true),
        .film(
            "/movies/trending/{period}", name: "trendingMovies", summary: "Trending films",
            meaning: "The films most in demand today or this week.",
            parameters: [
                .path("period", .choice(TrendingPeriod.allCases.map(\.rawValue)), "The period."), .page,
            ], schema: "FilmPage", isPaged: true, problems: [.notFound]),
        .film(
            "/movies/{id}/recommendations", name: "recommendedMovies",
            summary: "Films recommended to those who like a film", meaning: "Excludes the film itself.",
            parameters: [.movie, .page], schema: "FilmPage", isPaged: true, problems: [.invalidID, .unknownMovie]),
        .film(
            "/collections/{id}", name: "collection", summary: "A collection of films",
            meaning: "Sorted by release date, films without a date last; on one page.",
            parameters: [.path("id", .collectionID, "The id, as in the films' details.")], schema: "Collection",
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
