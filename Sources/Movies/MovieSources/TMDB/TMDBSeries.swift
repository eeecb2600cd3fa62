package import MovieDomain
import UpstreamClient

/// TMDB's series: one request per series and language returns score and pictures.
package struct TMDBSeries: SeriesRepository {
    let tmdb: TMDB

    package func title(_ id: String, at registry: TitleRegistry) async throws -> FoundTitle? {
        let titles = try await self.tmdb.titles(id, at: registry)
        return titles?.film.map { .film($0) } ?? titles?.series.map { .series($0) }
    }

    package func series(_ number: Int, language: Language?) async throws -> Series? {
        let language = language ?? self.tmdb.posterLanguage
        let languages = [language.code, "en", "null"].uniqued.joined(separator: ",")
        let request = UpstreamRequest(
            "/tv/\(number)",
            query: [
                ("language", TMDB.tag(language)), ("include_image_language", languages),
                ("append_to_response", "images"),
            ], language: language, lifetime: TMDB.Lifetime.details)
        return try await self.tmdb.client.get(request) { response in
            let object = try TolerantJSON.object(response.body)
            guard object.integer("id") == number else { throw UnreadableResponse(reason: "is about another series") }
            return Self.series(number, object, in: language)
        }
    }

    private static func series(_ number: Int, _ object: TolerantObject, in language: Language) -> Series {
        let images = object.object("images")
        // TMDB sends null for pictures without text, and sorts by rating.
        let textless = (images?.rows("posters") ?? []).first { picture in
            picture.has("iso_639_1") && picture.text("iso_639_1") == nil
        }
        return Series(
            number: number, poster: TMDBPicture.location(object.text("poster_path")),
            textlessPoster: textless.flatMap { TMDBPicture.location($0.text("file_path")) },
            backdrop: TMDBPicture.location(object.text("backdrop_path")),
            logo: TMDBImages.logo(images?.rows("logos") ?? [], in: language),
            score: AudienceScore(average: object.number("vote_average"), count: object.integer("vote_count")),
            lastAirDate: (object.date("last_air_date") ?? object.date("first_air_date"))?.date)
    }
}
