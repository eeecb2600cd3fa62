import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
package import PosterPipeline

/// `GET` of pictures at every path of ``PictureRoute``: the slow path, and the only path for misses.
package struct PosterController: Sendable {
    let pipeline: PosterPipeline
    let cacheControl: CacheControl
    let policies: ReloadablePicturePolicy
    /// Whether this server has title cards of films.
    let hasCards: Bool
    private let resolver: PictureResolver

    package init(
        pipeline: PosterPipeline, cacheControl: CacheControl, policies: ReloadablePicturePolicy, hasCards: Bool = false,
        resolver: PictureResolver = PictureResolver()
    ) {
        self.pipeline = pipeline
        self.cacheControl = cacheControl
        self.policies = policies
        self.hasCards = hasCards
        self.resolver = resolver
    }

    package func register(on router: Router<ServerRequestContext>) {
        for path in ["/poster/:id", "/t/p/:size/:file", "/_next/image", "/proxy"] {
            router.get(RouterPath(path), use: self.picture)
        }
    }

    @Sendable
    private func picture(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let missed = context.fastPathMiss?.request as? PictureRequest
        let parser = self.policies.parser
        let asked =
            try missed
            ?? parser.parse(
                context.target, headers: PictureRequestHeaders(request.headers, order: parser.policy.formats),
                now: self.policies.now)
        guard let asked else { throw HTTPError(.notFound) }  // a segment is empty
        return try await self.response(to: asked, hasMissed: missed != nil, request, context)
    }

    /// The response to a request, which is completed if it needs a film.
    ///
    /// - Parameter hasMissed: Whether the picture is known not to be in memory.
    func response(
        to asked: PictureRequest, hasMissed: Bool = false, _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        let parsed = asked.needsFilm ? try await self.resolved(asked, context) : asked
        let conditions = Preconditions(request.headers)
        let query = PosterQuery(parsed.request, conditions: conditions)

        let answer: PosterResponse
        do {
            if !hasMissed, let known = try self.pipeline.cachedResponse(to: query) {
                answer = known  // no task, no suspension
            } else {
                answer = try await context.whileClientPresent { try await self.pipeline.response(to: query) }
            }
        } catch let error as PosterError where self.hasCards && error.isOfPicture {
            guard let language = parsed.card else { throw error }
            return TitleCardRedirection.response(to: context.target, language: language)
        }
        return try answer.response(
            cacheControl: self.cacheControl, to: parsed, conditions: conditions,
            range: RangeRequest(request.headers, method: request.method), now: self.policies.now, client: context.client
        )
    }

    private func resolved(_ picture: PictureRequest, _ context: ServerRequestContext) async throws -> PictureRequest {
        if let known = self.resolver.known(picture) { return known }
        return try await context.whileClientPresent { try await self.resolver.resolved(picture) }
    }
}

extension PictureRequestHeaders {
    init(_ headers: HTTPFields, order: FormatOrder) {
        self.init(
            accept: headers.combined(.accept), order: order,
            hints: ClientHints(
                ratio: headers.only(.clientRatio), width: headers.only(.clientWidth),
                saveData: headers.only(.saveData)))
    }
}

extension HTTPFields {
    /// The value of a field that occurs once; `nil` otherwise.
    fileprivate func only(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count == 1 ? values[0] : nil
    }
}

/// Redirects from a picture that fails to the film's title card, for pages: browsers log every picture with the status
/// of an error, whether or not a script handles it.
enum TitleCardRedirection {
    /// The picture may exist soon. In seconds.
    private static let lifetime = 60

    /// - Parameters:
    ///   - target: `/poster/{id}`, with any query.
    ///   - language: The language of the film's title.
    /// - Returns: 302 to `/films/{id}/card.svg`.
    static func response(to target: RequestTarget, language: String) -> Response {
        var headers: HTTPFields = [
            .location: "/films/\(target.segments[1])/card.svg?language=\(language)",
            .cacheControl: "public, max-age=\(Self.lifetime)",
        ]
        headers.openToAllOrigins()
        return Response(status: .found, headers: headers)
    }
}

extension PosterError {
    /// Whether the picture or its origin failed. Other failures are this server's, and pass within seconds.
    var isOfPicture: Bool {
        switch self {
        case .unacceptableKey, .tooLarge, .unrenderable, .overloaded, .cutOff, .storageFailed: false
        default: true
        }
    }
}
