import MovieCompatibility
import UpstreamClient

/// A service's unmodified responses, through the client that also serves films: both share stored responses.
struct ClientDocuments: UpstreamDocuments {
    private let client: UpstreamClient

    init(_ client: UpstreamClient) {
        self.client = client
    }

    func document(_ request: DocumentRequest) async throws -> [UInt8]? {
        let request = UpstreamRequest(
            request.path, query: request.query.map { ($0.name, $0.value) }, language: request.language,
            lifetime: request.lifetime, settledAt: request.settledAt)
        return try await self.client.get(request) { $0.body }
    }

    func decoded<Value: Sendable>(
        _ document: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        try await self.client.decoded(document, decode)
    }
}
