package import MovieDomain
import UpstreamClient

/// Responses as TMDB wrote them, for clients of its own API. They are stored as those that are decoded, under the same keys.
extension TMDB {
    /// The methods of requests that are neither stored nor shared.
    package enum DocumentMethod: Sendable {
        case get, post, delete
    }

    /// The body of a response to a GET, also of one that refuses what the client asks, by `status_code` or `errors`.
    ///
    /// - Parameters:
    ///   - path: Below the base URL, with a slash at its start.
    ///   - language: Of the response, if it depends on that.
    ///   - lifetime: How long it is fresh unless it says so; nil for the client's own.
    /// - Returns: nil when TMDB has no such thing.
    /// - Throws: `SourceFailure`, `CancellationError`.
    package func document(
        _ path: String, query: [(name: String, value: String)], language: Language?, lifetime: Duration?
    ) async throws -> [UInt8]? {
        let request = UpstreamRequest(
            path, query: query, language: language, lifetime: lifetime, isRefusal: TMDBStatus.isRefusal)
        return try await self.client.get(request) { response in try TMDBDocument(response) }?.bytes
    }

    /// Runs work on a document, on a thread for large responses when it is large.
    /// - Throws: `SourceFailure`, also for what `decode` throws; `CancellationError`.
    package func decoded<Value: Sendable>(
        _ document: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        try await self.client.decoded(document, decode)
    }

    /// The response to a request, whatever its status.
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

/// A response's body that is JSON.
private struct TMDBDocument: Sendable {
    let bytes: [UInt8]

    /// - Throws: ``UnreadableResponse`` for other formats than JSON, such as a page of a proxy.
    init(_ response: UpstreamResponse) throws {
        // Some of the configuration are lists.
        let first = response.body.first { $0 > 32 }
        if first != UInt8(ascii: "[") { _ = try TolerantJSON.object(response.body) }
        self.bytes = response.body
    }
}
