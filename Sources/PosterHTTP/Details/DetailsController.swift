import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import PosterCodec
import PosterPipeline

/// `GET /poster/{id}/info`, `…/srcset?widths=154,342` and `…/placeholder?format=png`
struct DetailsController: Sendable {
    /// The last segments of its resources.
    static let segments = ["info", "srcset", "placeholder"]

    let pipeline: PosterPipeline
    /// For how long others may keep what is told.
    let cacheControl: CacheControl
    let links: PosterLinks

    func register(on router: Router<PosterRequestContext>) {
        router.get("/poster/:id/info", use: self.info)
        router.get("/poster/:id/srcset", use: self.srcset)
        router.get("/poster/:id/placeholder", use: self.placeholder)
    }

    /// What the original is, and what a page can show before it arrives.
    @Sendable
    private func info(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let id = try PosterQuery.posterID(target.posterID)
        _ = try DetailsQuery(target, known: [])
        let description = try await context.whileClientPresent { try await self.pipeline.description(of: id) }
        return try self.json(description.info, name: "info", of: description, request)
    }

    /// What an `<img>` needs.
    @Sendable
    private func srcset(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let id = try PosterQuery.posterID(target.posterID)
        let query = try DetailsQuery(target, known: ["widths", "format"])
        let widths = try query.widths()
        let format = try query.format(from: OutputFormat.allCases)
        let description = try await context.whileClientPresent { try await self.pipeline.description(of: id) }
        let srcset = Srcset(of: description, widths: widths, format: format, links: self.links)
        return try self.json(srcset, name: "srcset", of: description, request)
    }

    /// The hash as a picture.
    @Sendable
    private func placeholder(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let id = try PosterQuery.posterID(target.posterID)
        let query = try DetailsQuery(target, known: ["format", "v"])
        let named = try query.format(from: [.webp, .png])
        let version = try query.version()
        let format = named ?? (AcceptHeader(request.headers.combined(.accept)).prefersWebP ? .webp : .png)
        let (poster, provenance) = try await context.whileClientPresent {
            let description = try await self.pipeline.description(of: id)
            return (
                try await self.pipeline.placeholder(of: description, format: format), description.provenance
            )
        }
        return try PosterAnswer.variant(poster, provenance).response(
            cacheControl: self.cacheControl, isNegotiated: named == nil, version: version,
            conditions: Preconditions(request.headers),
            range: RangeRequest(request.headers, method: request.method))
    }

    private func json(
        _ value: some Encodable, name: String, of description: PosterDescription, _ request: Request
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(value)
        let tag = EntityTag(digestOf: [name, String(decoding: json, as: UTF8.self)])
        let provenance = description.provenance
        let lifetime = self.cacheControl.lifetime(of: provenance, version: nil)
        var headers: HTTPFields = [
            .cacheControl: self.cacheControl.value(lifetime), .contentTypeOptions: "nosniff",
            .eTag: tag.description,
        ]
        headers.openToAllOrigins()
        headers[.age] = provenance.ageField.map(String.init)
        // Not the original's date: what is told of it may change while it does not.
        switch Preconditions(request.headers).outcome(tag: tag, modifiedAt: nil) {
        case .failed: throw Problem.preconditionFailed
        case .notModified:
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        case .met:
            headers[.contentType] = "application/json"
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
        }
    }
}
