import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /collections/{id}`
struct CollectionController: Sendable {
    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.getFilms("/collections/:id", on: router, self.collection)
    }

    /// A collection: the members of its reference in films' details, and its films.
    private struct CollectionObject: Encodable {
        private enum CodingKeys: String, CodingKey {
            case source, overview, films, attribution
        }

        let reference: CollectionReferenceObject
        let source: MovieSource
        /// May be empty.
        let overview: String
        /// By release date.
        let films: [MovieSummaryObject]

        func encode(to encoder: any Encoder) throws {
            // Encodes into the same object.
            try self.reference.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.source.rawValue, forKey: .source)
            try container.encode(self.overview, forKey: .overview)
            try container.encode(self.films, forKey: .films)
            try container.encodeIfPresent(Attribution.texts(of: [self.source]), forKey: .attribution)
        }
    }

    @Sendable
    private func collection(_ parsed: MovieRequest) async throws -> EncodedResponse {
        guard let id = CollectionID(try parsed.segment(1)) else {
            throw Problem(
                .invalidID, "the id is not a collection id; use the id of a film's collection, such as tmdb:10")
        }
        let found = try await self.responses.services.showCollection(id, language: parsed.language)
        let films = try self.responses.films(found.films, marks: parsed.marks, language: parsed.language.first)
        self.responses.reportListServed(found.films.map(\.id), of: parsed)
        return try self.responses.response(
            CollectionObject(
                reference: try CollectionReferenceObject(found.reference, self.responses.pictures), source: id.source,
                overview: found.overview, films: films),
            caching: .shared(seconds: CacheLifetime.details), parsed)
    }
}
