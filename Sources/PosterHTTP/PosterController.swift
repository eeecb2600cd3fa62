import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import PosterPipeline

/// Pictures in every language that ``PictureReader`` reads, and `GET /poster/{id}/info`
struct PosterController: Sendable {
    let pipeline: PosterPipeline
    /// For how long others may keep a poster.
    let cacheControl: CacheControl
    /// What may be asked for.
    let policies: PicturePolicies

    func register(on router: Router<PosterRequestContext>) {
        for path in ["/poster/:id", "/t/p/:size/:file", "/_next/image", "/proxy"] {
            router.get(RouterPath(path), use: self.picture)
        }
        router.get("/poster/:id/info", use: self.info)
    }

    @Sendable
    private func picture(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let query = try self.policies.reader.read(
            RequestTarget(request.uri.string), headers: PictureHeaders(request.headers), now: self.policies.now)
        guard let query else { throw HTTPError(.notFound) }  // one of its segments is empty
        let condition = IfNoneMatch(request.headers.combined(.ifNoneMatch))

        let answer: PosterAnswer
        if let known = try self.pipeline.knownAnswer(to: query.request, isCurrent: condition.matches) {
            answer = known  // the hot path: no task, no suspension
        } else {
            answer = try await context.whileClientPresent {
                try await self.pipeline.answer(to: query.request, isCurrent: condition.matches)
            }
        }
        return answer.response(cacheControl: self.cacheControl, to: query)
    }

    /// What the original is, and what a page can show before it arrives.
    @Sendable
    private func info(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        guard target.segments.count == 3, !target.segments[1].isEmpty else { throw HTTPError(.notFound) }
        let id = try PosterQuery.posterID(target.segments[1])
        guard try self.policies.reader.admittedParameters(of: target, now: self.policies.now).isEmpty else {
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

extension PictureHeaders {
    fileprivate init(_ headers: HTTPFields) {
        self.init(
            accept: headers.combined(.accept),
            hints: ClientHints(
                ratio: headers.only(.clientRatio), width: headers.only(.clientWidth),
                saveData: headers.only(.saveData)))
    }
}

extension HTTPFields {
    /// A header's lines joined by commas (RFC 9110, 5.3); nil without one.
    fileprivate func combined(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// The value of a header that has one line; nil otherwise.
    fileprivate func only(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count == 1 ? values[0] : nil
    }
}
