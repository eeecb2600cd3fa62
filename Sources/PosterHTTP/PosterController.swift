import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import PosterCodec
import PosterPipeline

/// `GET /poster/{id}?w=368` and `GET /poster/{id}/info`
struct PosterController: Sendable {
    let pipeline: PosterPipeline
    /// For how long others may keep a poster.
    let cacheControl: CacheControl
    /// How much decoders may leave out.
    let effort: RenderTarget.Effort

    func register(on router: Router<PosterRequestContext>) {
        router.get("/poster/:id", use: self.poster)
        router.get("/poster/:id/info", use: self.info)
    }

    @Sendable
    private func poster(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let query = try PosterQuery(
            id: target.posterID, target: target, accept: request.headers.combined(.accept), effort: self.effort)
        let condition = IfNoneMatch(request.headers.combined(.ifNoneMatch))

        let answer: PosterAnswer
        if let known = try self.pipeline.knownAnswer(to: query.request, isCurrent: condition.matches) {
            answer = known  // the hot path: no task, no suspension
        } else {
            answer = try await context.whileClientPresent {
                try await self.pipeline.answer(to: query.request, isCurrent: condition.matches)
            }
        }
        return answer.response(cacheControl: self.cacheControl, isNegotiated: query.isNegotiated)
    }

    /// What the original is, and what a page can show before it arrives.
    @Sendable
    private func info(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let id = try PosterQuery.posterID(target.posterID)
        guard try target.parameters().isEmpty else {
            throw Problem(.invalidParameter, "this resource takes no parameters")
        }
        let info = try await context.whileClientPresent { try await self.pipeline.info(for: id) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(info)
        let tag = EntityTag(digestOf: ["info", String(decoding: json, as: UTF8.self)])
        var headers: HTTPFields = [
            .cacheControl: self.cacheControl.fresh, .contentTypeOptions: "nosniff", .eTag: tag.description,
        ]
        if IfNoneMatch(request.headers.combined(.ifNoneMatch)).matches(tag) {
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        }
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}

extension RequestTarget {
    /// The segment after `/poster/`.
    fileprivate var posterID: Substring {
        self.segments.filter { !$0.isEmpty }.dropFirst().first ?? ""
    }
}

extension HTTPFields {
    /// A header's lines joined by commas (RFC 9110, 5.3); nil without one.
    fileprivate func combined(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}
