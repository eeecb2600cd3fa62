import HTTPTypes
import Hummingbird
import PosterPipeline

/// `GET /poster/{id}?w=368`
struct PosterController: Sendable {
    let pipeline: PosterPipeline
    /// `Cache-Control` of every poster.
    let cacheControl: String

    func register(on router: Router<PosterRequestContext>) {
        router.get("/poster/:id", use: self.poster)
    }

    @Sendable
    private func poster(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let accept = request.headers.combined(.accept)
        let id = target.segments.last { !$0.isEmpty } ?? ""
        let poster = try PosterQuery.parse(id: id, target: target, accept: accept)
        let condition = IfNoneMatch(request.headers.combined(.ifNoneMatch))

        let answer: PosterAnswer
        if let known = try self.pipeline.knownAnswer(to: poster, isCurrent: condition.matches) {
            answer = known  // the hot path: no task, no suspension
        } else {
            answer = try await context.whileClientPresent {
                try await self.pipeline.answer(to: poster, isCurrent: condition.matches)
            }
        }
        return answer.response(cacheControl: self.cacheControl, isNegotiated: poster.rendition != .original)
    }
}

extension HTTPFields {
    /// A header's lines joined by commas (RFC 9110, 5.3); nil without one.
    fileprivate func combined(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}
