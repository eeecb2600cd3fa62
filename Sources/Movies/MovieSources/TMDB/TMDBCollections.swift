import BoundedCache
package import MovieDomain
import UpstreamClient

/// The collections of TMDB, such as a film and its sequels, in the first preferred language.
package struct TMDBCollections: FilmCollectionRepository {
    let tmdb: TMDB

    package var source: MovieSource { .tmdb }

    /// A collection; empty texts are filled from the next preferred languages, then from English, with at most two more
    /// requests.
    package func collection(_ id: CollectionID, language: LanguagePreference) async throws -> FilmCollection? {
        guard id.source == .tmdb else { return nil }
        async let genres = Supplement.ask { try await self.tmdb.genreNames(language: language) }
        guard var answer = try await self.answer(id, language: language.first) else { return nil }
        do {
            for other in language.fillers() where answer.hasGaps {
                let others = try await Supplement.ask { try await self.answer(id, language: other) }
                if let others { answer.fill(from: others) }
            }
        } catch is SourceFailure {
            // Logged and recorded by the client; a collection with gaps is still a collection.
        }
        let films = answer.films.page(1, try await genres).results
        return FilmCollection(answer.reference, overview: answer.overview, films: films)
    }

    private func answer(_ id: CollectionID, language: Language) async throws -> Answer? {
        let request = UpstreamRequest(
            "/collection/\(id.key)", query: [("language", TMDB.tag(language))], language: language,
            lifetime: TMDB.Lifetime.collections)
        let posters = self.tmdb.knownPosters
        return try await self.tmdb.client.get(request) { response in
            let answer = try Answer(decoding: response)
            try DecodingPool.checkCompleteness()
            guard answer.reference.id == id else { throw UnreadableResponse(reason: "is about another collection") }
            for row in answer.films.rows {
                posters.insert(row.poster, for: TMDB.PosterKey(id: row.id, language: language))
            }
            return answer
        }
    }

    /// A collection as received in one language.
    private struct Answer: Sendable {
        let reference: CollectionReference
        var overview: String
        var films: TMDBPage

        init(decoding response: UpstreamResponse) throws {
            let object = try TolerantJSON.object(response.body)
            guard let reference = TMDBFilm.collection(object) else {
                throw UnreadableResponse(reason: "is not a collection")
            }
            self.reference = reference
            self.overview = object.text("overview") ?? ""
            self.films = TMDBPage(all: TMDBPage.rows(object.rows("parts")))
        }

        /// Whether a response in another language may fill empty texts.
        var hasGaps: Bool { self.overview.isEmpty || self.films.hasGaps }

        mutating func fill(from other: Answer) {
            if self.overview.isEmpty { self.overview = other.overview }
            self.films.fill(from: other.films)
        }
    }
}
