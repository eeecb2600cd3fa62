package import MovieDomain

/// A client of another service: returns its responses unchanged; caches, coalesces and limits requests.
package protocol UpstreamDocuments: Sendable {
    /// - Returns: `nil` if the service has no such document.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    func document(_ request: DocumentRequest) async throws -> [UInt8]?

    /// Decodes a document, off the threads that serve requests if it is large.
    ///
    /// - Throws: ``SourceFailure``, also if `decode` throws; `CancellationError`.
    func decoded<Value: Sendable>(
        _ document: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value
}

extension UpstreamDocuments {
    /// A parsed and changed document.
    ///
    /// - Returns: `nil` if the service has no such document.
    /// - Throws: ``SourceFailure``, also for invalid JSON; `CancellationError`.
    func json(
        _ request: DocumentRequest, from source: MovieSource,
        _ change: @escaping @Sendable (OrderedJSON) -> OrderedJSON = { $0 }
    ) async throws -> OrderedJSON? {
        guard let bytes = try await self.document(request) else { return nil }
        return try await self.decoded(bytes) { bytes in
            do throws(JSONReader.Malformed) {
                return change(try JSONReader.document(bytes))
            } catch {
                throw SourceFailure.badAnswer(source, reason: "the response is not JSON")
            }
        }
    }
}

/// A request for another service's document, without the API key.
package struct DocumentRequest: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        package let name, value: String
    }

    /// Relative to the base URL, with a leading slash.
    package let path: String
    /// Their order is not significant.
    package let query: [Parameter]
    /// The document's language, if it depends on one.
    package let language: Language?
    /// The freshness lifetime; `nil` for the client's default.
    package let lifetime: Duration?
    /// When the document becomes final; a response stored before is stale from then on. `nil` if it never does.
    package let settledAt: Instant?

    package init(
        _ path: String, query: [(name: String, value: String)], language: Language? = nil, lifetime: Duration? = nil,
        settledAt: Instant? = nil
    ) {
        self.path = path
        self.query = query.map { Parameter(name: $0.name, value: $0.value) }
        self.language = language
        self.lifetime = lifetime
        self.settledAt = settledAt
    }
}

/// Clients of the services that are configured with a key or need none.
package struct CompatibleUpstreams: Sendable {
    /// Without a client (`nil`), the domain's films and apps are served in the service's format.
    package var tmdb: (any TMDBUpstream)?
    package var kobis: (any UpstreamDocuments)?
    package var iTunes: (any UpstreamDocuments)?
    package var kakao: (any UpstreamDocuments)?
    package var omdb: (any UpstreamDocuments)?

    package init(
        tmdb: (any TMDBUpstream)? = nil, kobis: (any UpstreamDocuments)? = nil, iTunes: (any UpstreamDocuments)? = nil,
        kakao: (any UpstreamDocuments)? = nil, omdb: (any UpstreamDocuments)? = nil
    ) {
        self.tmdb = tmdb
        self.kobis = kobis
        self.iTunes = iTunes
        self.kakao = kakao
        self.omdb = omdb
    }
}
