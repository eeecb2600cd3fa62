import HTTPServer
import MovieHTTP

/// The resources that are the same for all clients, with a cache of encoded responses.
struct TMDBDocuments: Sendable {
    private struct CacheKey: Hashable, Sendable {
        let resource: TMDBResource
        let request: TMDBRequest
        let imageBase: String
        /// The generation of picture URLs.
        let generation: UInt64
    }

    private let context: CompatibilityContext
    private let written: TMDBCatalogueDocuments
    /// `nil` without a key.
    private let received: TMDBUpstreamDocuments?
    private let cache: ResponseCache<CacheKey>

    init(_ context: CompatibilityContext, numbers: TMDBNumberTable, timeZones: TMDBTimeZones) {
        self.context = context
        self.written = TMDBCatalogueDocuments(services: context.services, numbers: numbers, timeZones: timeZones)
        self.received = context.upstreams.tmdb.map { TMDBUpstreamDocuments(upstream: $0) }
        self.cache = ResponseCache(lifetime: context.services.sharedResponseLifetime)
    }

    /// - Parameters:
    ///   - request: Without the client's own parameters.
    ///   - imageBase: The URL of this server's images, with a trailing slash.
    ///   - generation: The generation of picture URLs.
    /// - Throws: ``TMDBFault``, and the domain's errors.
    func response(
        _ resource: TMDBResource, for request: TMDBRequest, imageBase: String, generation: UInt64,
        _ context: ServerRequestContext
    ) async throws -> EncodedResponse {
        let request = request.reduced(to: resource.parameters)
        let base = resource == .configuration ? imageBase : ""
        let key = CacheKey(resource: resource, request: request, imageBase: base, generation: generation)
        if let stored = self.cache.response(for: key) { return stored }
        do {
            let (bytes, recorder) = try await self.context.recorded(context) {
                try await self.bytes(resource, request, imageBase: imageBase)
            }
            var response = EncodedResponse.json(
                bytes: bytes, caching: .shared(seconds: Self.lifetime(of: resource)))
            response.mark(recorder, staleSeconds: CacheLifetime.stale)
            self.cache.insert(response, for: key)
            return response
        } catch {
            self.cache.remove(key)
            throw error
        }
    }

    private func bytes(
        _ resource: TMDBResource, _ request: TMDBRequest, imageBase: String
    ) async throws -> [UInt8] {
        if let received { return try await received.document(resource, for: request, imageBase: imageBase) }
        return try await self.written.document(resource, for: request, imageBase: imageBase).bytes
    }

    /// How long caches may store a response, in seconds.
    private static func lifetime(of resource: TMDBResource) -> Int {
        switch resource {
        case .configuration, .configurationList, .genres: CacheLifetime.genres
        case .list, .search, .discover, .trending, .find, .other: CacheLifetime.list
        case .film, .filmPart, .person, .personPart, .collection: CacheLifetime.details
        }
    }
}
