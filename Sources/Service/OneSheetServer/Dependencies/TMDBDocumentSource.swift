import HTTPTypes
import MovieCompatibility
import MovieSources

/// The Movie Database's unmodified responses, for clients of its format.
struct TMDBDocumentSource: TMDBUpstream {
    let tmdb: TMDB

    func document(_ request: DocumentRequest) async throws -> [UInt8]? {
        try await self.tmdb.document(
            request.path, query: request.query.map { ($0.name, $0.value) }, language: request.language,
            lifetime: request.lifetime)
    }

    func decoded<Value: Sendable>(
        _ document: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        try await self.tmdb.decoded(document, decode)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, query: [(name: String, value: String)],
        secrets: [(name: String, value: String)], json: [UInt8]?
    ) async throws -> (status: Int, body: [UInt8]) {
        let kind: TMDB.DocumentMethod =
            switch method {
            case .post: .post
            case .delete: .delete
            default: .get
            }
        return try await self.tmdb.send(kind, path, query: query, secrets: secrets, json: json)
    }
}
