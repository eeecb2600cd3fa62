import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP
import NIOCore

/// The dependencies shared by the compatible APIs.
struct CompatibilityContext: Sendable {
    let useCases: MovieUseCases
    let posters: FilmPictures
    let keys: ClientKeys
    let upstreams: CompatibleUpstreams
    let responses: SharedResponses

    var services: MovieServices { self.useCases.services }
    var pictures: any PictureURLs { self.posters.urls }
    var site: SiteOrigin { self.useCases.authenticator.site }

    /// Runs `make`, cancelled when the client disconnects, and records the freshness of the result's parts.
    func recorded<Value: Sendable>(
        _ context: ServerRequestContext, _ make: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, recorder: FreshnessRecorder) {
        let recorder = FreshnessRecorder()
        let value = try await context.whileClientPresent {
            try await FreshnessRecorder.$current.withValue(recorder) { try await make() }
        }
        return (value, recorder)
    }

    /// A path of this server as an absolute URL, as clients reach it; absolute URLs are unchanged.
    func absolute(_ target: String, _ request: Request, _ context: ServerRequestContext) -> String {
        self.site.absolute(target, for: request, context)
    }

    /// A stored response to the same request, or the result of `make`. Call after the client's key was accepted.
    func shared(
        _ request: Request, _ context: ServerRequestContext, _ make: () async throws -> Response
    ) async throws -> Response {
        try await self.responses.response(to: request, base: self.absolute("/", request, context), make)
    }

    /// The value of `Vary`, or `nil`. A listed key field keeps caches from answering clients without a key.
    ///
    /// - Parameters:
    ///   - byHost: Whether URLs in the response contain the request's host.
    ///   - keyFields: The header fields with a client's key; a key in the query is part of the URL already.
    func variance(of api: CompatibleAPI, byHost: Bool = true, keyFields: [HTTPField.Name] = []) -> String? {
        let names =
            [byHost ? self.site.variance : nil].compactMap { $0 }
            + (self.keys.areRequired(by: api) ? keyFields.map(\.rawName) : [])
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    func page(of id: MovieID, _ request: Request, _ context: ServerRequestContext) -> String {
        let path = "/films/\(PercentEncoding.encode(id.description.utf8))"
        return self.absolute(self.useCases.publicURL.address(of: path), request, context)
    }
}

extension Response {
    /// A response in another service's format.
    ///
    /// - Parameters:
    ///   - caching: The policy before it is limited by the freshness of the response's parts.
    ///   - recorder: `nil` for a response without parts of sources.
    ///   - variance: The value of `Vary`, or `nil`.
    static func compatible(
        _ bytes: [UInt8], type: String, status: HTTPResponse.Status = .ok, caching: EncodedResponse.CachePolicy,
        recorder: FreshnessRecorder? = nil, variance: String?, fields: [HTTPField.Name: String?] = [:]
    ) -> Response {
        let caching = recorder.map { caching.limited(by: $0, staleSeconds: CacheLifetime.stale) } ?? caching
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: caching.fieldValue, .contentTypeOptions: "nosniff",
        ]
        headers[.vary] = variance
        headers.letScriptsRead()
        for (name, value) in fields { headers[name] = value }
        if let recorder, let staleness = recorder.staleness { headers.mark(staleness, age: recorder.age) }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
