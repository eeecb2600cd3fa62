package import MovieDomain
import UpstreamClient

/// Unmodified JSON responses, for clients of TMDB's own API. They share stored entries with decoded responses.
extension TMDB {
    /// Methods of requests that are neither stored nor shared.
    package enum DocumentMethod: Sendable {
        case get, post, delete
    }

    /// The body of a response to a GET, including refusals of the client's parameters (`status_code` or `errors`).
    ///
    /// - Parameters:
    ///   - path: The path below the base URL, with a leading slash.
    ///   - language: The language of the response, if it depends on one.
    ///   - lifetime: The freshness lifetime without `Cache-Control`; `nil` for the client's default.
    /// - Returns: `nil` if TMDB has no such resource.
    /// - Throws: `SourceFailure`, `CancellationError`.
    package func document(
        _ path: String, query: [(name: String, value: String)], language: Language?, lifetime: Duration?
    ) async throws -> [UInt8]? {
        let request = UpstreamRequest(
            path, query: query, language: language, lifetime: lifetime, isRefusal: TMDBStatus.isRefusal)
        return try await self.client.get(request) { response in try TMDBDocument(response) }?.bytes
    }

    /// Decodes a document, on a thread for large responses if it is large.
    /// - Throws: `SourceFailure`, also for errors of `decode`; `CancellationError`.
    package func decoded<Value: Sendable>(
        _ document: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        try await self.client.decoded(document, decode)
    }

    /// Sends a request and returns the response, whatever its status.
    ///
    /// - Parameter secrets: Parameters that are neither stored nor printed.
    /// - Throws: `SourceFailure`, `CancellationError`.
    package func send(
        _ method: DocumentMethod, _ path: String, query: [(name: String, value: String)],
        secrets: [(name: String, value: String)], json: [UInt8]?
    ) async throws -> (status: Int, body: [UInt8]) {
        let kind: UpstreamRequest.Method =
            switch method {
            case .get: .get
            case .post: .post
            case .delete: .delete
            }
        let response = try await self.client.send(
            UpstreamRequest(path, method: kind, query: query, secrets: secrets, json: json))
        return (response.status, try await self.client.decoded(response) { try TMDBDocument($0) }.bytes)
    }
}

/// A JSON response body.
private struct TMDBDocument: Sendable {
    let bytes: [UInt8]

    /// - Throws: ``UnreadableResponse`` for formats other than JSON, such as a proxy's error page.
    init(_ response: UpstreamResponse) throws {
        // Some configuration resources are arrays.
        let first = response.body.first { $0 > 32 }
        if first != UInt8(ascii: "[") { _ = try TolerantJSON.object(response.body) }
        self.bytes = response.body
    }
}
