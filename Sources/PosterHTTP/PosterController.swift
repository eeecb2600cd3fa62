import HTTPTypes
import Hummingbird
import PosterCodec
import PosterPipeline

/// `GET /poster/{id}?w=368`
struct PosterController: Sendable {
    let pipeline: PosterPipeline
    /// For how long others may keep a poster.
    let cacheControl: CacheControl
    /// How much decoders may leave out.
    let effort: RenderTarget.Effort

    func register(on router: Router<PosterRequestContext>) {
        router.get("/poster/:id", use: self.poster)
    }

    @Sendable
    private func poster(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let query = try PosterQuery(
            id: target.posterID, target: target, accept: request.headers.combined(.accept), effort: self.effort)
        let conditions = Preconditions(request.headers)

        let answer: PosterAnswer
        if let known = try self.pipeline.knownAnswer(to: query.request, isCurrent: conditions.settles) {
            answer = known  // the hot path: no task, no suspension
        } else {
            answer = try await context.whileClientPresent {
                try await self.pipeline.answer(to: query.request, isCurrent: conditions.settles)
            }
        }
        return try answer.response(
            cacheControl: self.cacheControl, isNegotiated: query.isNegotiated, version: query.version,
            conditions: conditions, range: RangeRequest(request.headers, method: request.method))
    }
}

extension RequestTarget {
    /// The segment after `/poster/`.
    var posterID: Substring {
        self.segments.filter { !$0.isEmpty }.dropFirst().first ?? ""
    }
}
