import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /me/marks`
struct MarksController: Sendable {
    /// Maximum number of films in a request.
    static let idLimit = 100

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.get("/me/marks", known: ["ids"], on: router, self.marks)
    }

    private struct MarksObject: Encodable {
        struct Film: Encodable {
            private enum CodingKeys: String, CodingKey {
                case id
            }

            let id: MovieID
            let marks: FilmMarks

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(self.id.description, forKey: .id)
                try self.marks.encode(of: self.id, to: encoder)
            }
        }

        let results: [Film]
    }

    @Sendable
    private func marks(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let session = try await self.responses.useCases.authenticator.session(of: parsed.request, parsed.context)
        let ids = try self.ids(parsed.query["ids"])
        let marks = FilmMarks.known(try await self.responses.useCases.showMarks(ids, for: session))
        return try EncodedResponse.json(
            MarksObject(results: ids.map { MarksObject.Film(id: $0, marks: marks) }), caching: .own, variance: .caller)
    }

    private func ids(_ text: String?) throws(Problem) -> [MovieID] {
        guard let text, !text.isEmpty else {
            throw Problem(
                .invalidParameter, "ids is missing; send 1 to \(Self.idLimit) film ids, separated by commas")
        }
        let texts = text.split(separator: ",", maxSplits: Self.idLimit, omittingEmptySubsequences: false)
        guard texts.count <= Self.idLimit else {
            throw Problem(.invalidParameter, "ids must have at most \(Self.idLimit) film ids")
        }
        var known: Set<MovieID> = []
        return try texts.map { text throws(Problem) in
            guard let id = MovieID(String(text)) else {
                throw Problem(
                    .invalidParameter,
                    "ids must be film ids such as tmdb:603 or nosferatu-1922; '\(text.prefix(64))' is not a film id")
            }
            guard known.insert(id).inserted else { throw Problem(.invalidParameter, "ids has \(id) more than once") }
            return id
        }
    }
}
