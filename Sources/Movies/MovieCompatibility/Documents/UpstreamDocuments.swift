package import MovieDomain

/// Another service's responses as it wrote them, by its client: cached, coalesced and within its budget.
package protocol UpstreamDocuments: Sendable {
    /// - Returns: nil when the service has no such thing.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    func document(_ request: DocumentRequest) async throws -> [UInt8]?

    /// Runs work on a document: away from the threads that serve requests when it is large.
    /// - Throws: ``SourceFailure``, also for what `decode` throws; `CancellationError`.
    func decoded<Value: Sendable>(
        _ document: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value
}

extension UpstreamDocuments {
    /// A document with changes.
    /// - Returns: nil when the service has no such thing.
    /// - Throws: ``SourceFailure``, also for what is no JSON; `CancellationError`.
    func json(
        _ request: DocumentRequest, from source: MovieSource,
        _ change: @escaping @Sendable (OrderedJSON) -> OrderedJSON = { $0 }
    ) async throws -> OrderedJSON? {
        guard let bytes = try await self.document(request) else { return nil }
        return try await self.decoded(bytes) { bytes in
            do throws(JSONReader.Malformed) {
                return change(try JSONReader.document(bytes))
            } catch {
                throw SourceFailure.badAnswer(source, reason: "it is no JSON")
            }
        }
    }
}

/// A request for a document of another service, without the key.
package struct DocumentRequest: Hashable, Sendable {
    /// A parameter of the query.
    package struct Parameter: Hashable, Sendable {
        package let name, value: String
    }

    /// Below the base URL, with a slash at its start.
    package let path: String
    /// Their order is not significant.
    package let query: [Parameter]
    /// Of the document, if it depends on that.
    package let language: Language?
    /// The freshness lifetime; nil for the client's own.
    package let lifetime: Duration?
    /// When the document gets its last form, if it has one.
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

/// The services of which this server has a key, or which need none.
package struct CompatibleUpstreams: Sendable {
    /// nil for those that are not configured: the domain's films and apps are served in their format.
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
