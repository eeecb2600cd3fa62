import FoundationEssentials
package import MovieDomain
import UpstreamClient

extension TMDBMovies {
    /// The names in the credits, reduced from about 100,000 bytes to 200 for storage.
    package func names(of id: MovieID, language: LanguagePreference) async throws -> FilmNames? {
        guard id.source == .tmdb else { return nil }
        let request = UpstreamRequest(
            "/movie/\(id.key)/credits", query: [("language", TMDB.tag(language.first))], language: language.first,
            lifetime: TMDB.Lifetime.names, reduce: StoredNames.bytes)
        return try await self.tmdb.client.get(request) { try StoredNames.names(in: $0) }
    }
}

/// The stored form of a film's names.
private struct StoredNames: Encodable {
    let directors, cast: [String]

    @Sendable
    static func bytes(of answer: UpstreamResponse) throws -> [UInt8] {
        let credits = try TolerantJSON.object(answer.body)
        guard credits.has("cast") || credits.has("crew") else { throw UnreadableResponse(reason: "has no credits") }
        let names = FilmNames(TMDBCredits.credits(credits))
        return [UInt8](try JSONEncoder().encode(StoredNames(directors: names.directors, cast: names.cast)))
    }

    static func names(in stored: UpstreamResponse) throws -> FilmNames {
        let names = try TolerantJSON.object(stored.body)
        return FilmNames(directors: names.texts("directors"), cast: names.texts("cast"))
    }
}
