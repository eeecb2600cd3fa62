import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
import NIOCore
import PosterCodec
package import PosterPipeline

/// `GET /poster/{id}/info`, `…/srcset?widths=154,342` and `…/placeholder?format=png`
package struct DetailsController: Sendable {
    let pipeline: PosterPipeline
    let cacheControl: CacheControl
    let policies: ReloadablePicturePolicy
    let links: PosterURLBuilder
    private let resolver: PictureResolver

    package init(
        pipeline: PosterPipeline, cacheControl: CacheControl, policies: ReloadablePicturePolicy,
        links: PosterURLBuilder, resolver: PictureResolver = PictureResolver()
    ) {
        self.pipeline = pipeline
        self.cacheControl = cacheControl
        self.policies = policies
        self.links = links
        self.resolver = resolver
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/poster/:id/info", use: self.info)
        router.get("/poster/:id/srcset", use: self.srcset)
        router.get("/poster/:id/placeholder", use: self.placeholder)
    }

    /// Responds with the original's format, size, colours and hashes.
    @Sendable
    private func info(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try await self.parse(context, known: [])
        let description = try await context.whileClientPresent { try await self.pipeline.description(of: parsed.id) }
        return try self.json(description.info, name: "info", of: description, until: parsed.expires, request)
    }

    /// Responds with the attributes of an `<img>`.
    @Sendable
    private func srcset(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try await self.parse(context, known: ["widths", "format"])
        let widths = try parsed.query.widths(of: parsed.policy.ladder)
        let format = try parsed.query.format(from: OutputFormat.allCases)
        let description = try await context.whileClientPresent { try await self.pipeline.description(of: parsed.id) }
        // The URLs' signatures expire together with the request's.
        let links = self.links.applying(parsed.policy, until: parsed.expires)
        let srcset = try Srcset(
            of: description, id: parsed.named, parsed.selection, widths: widths, format: format, links: links)
        return try self.json(srcset, name: "srcset", of: description, until: parsed.expires, request)
    }

    /// Responds with the ThumbHash rendered as a picture.
    @Sendable
    private func placeholder(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try await self.parse(context, known: ["format", "v"])
        let named = try parsed.query.format(from: [.webp, .png])
        let accepted = AcceptHeader(request.headers.combined(.accept)).choice(of: parsed.policy.formats.ofWebP)
        let format = named ?? (accepted.format == .webp ? .webp : .png)
        var query = PictureRequest(request: PosterRequest(id: parsed.id, rendition: .original))
        query.vary = named == nil ? .accept : []
        query.version = try parsed.query.version()
        query.expires = parsed.expires
        let (poster, provenance) = try await context.whileClientPresent {
            let description = try await self.pipeline.description(of: parsed.id)
            return (
                try await self.pipeline.placeholder(of: description, format: format), description.provenance
            )
        }
        return try PosterResponse.variant(poster, provenance).response(
            cacheControl: self.cacheControl, to: query, conditions: Preconditions(request.headers),
            range: RangeRequest(request.headers, method: request.method), now: self.policies.now, client: context.client
        )
    }

    private struct ParsedRequest {
        /// The id of the original.
        let id: PosterID
        /// The id in the path; the film's own for an IMDb title.
        let named: PosterID
        let selection: PosterSelection
        let query: DetailsQuery
        let policy: PicturePolicy
        /// When the signature expires, in seconds since 1970; `nil` if never.
        let expires: Int64?
    }

    private func parse(_ context: ServerRequestContext, known: [String]) async throws -> ParsedRequest {
        let target = context.target
        // An empty segment is not skipped: one resource has one path.
        guard target.segments.count == 3, !target.segments[1].isEmpty else { throw HTTPError(.notFound) }
        let parser = self.policies.parser
        let signature = try parser.policy.signature(of: target, now: self.policies.now)
        var named = try PictureRequest.posterID(target.segments[1])
        let query = try DetailsQuery(signature.others, known: known + PosterSelection.names)
        let selection = try query.selection()
        if named.isOfIMDb {
            let title = named
            named = try await context.whileClientPresent { try await self.resolver.ownID(title) }
        }
        return ParsedRequest(
            id: try parser.languages.id(named, selection), named: named,
            selection: parser.languages.haveSeveral(of: named) ? selection : PosterSelection(), query: query,
            policy: parser.policy, expires: signature.expires)
    }

    private func json(
        _ value: some Encodable, name: String, of description: PosterDescription, until expires: Int64?,
        _ request: Request
    ) throws -> Response {
        let json = try EncodedResponse.jsonBytes(of: value)
        let tag = EntityTag(digestOf: [name, String(decoding: json, as: UTF8.self)])
        let provenance = description.provenance
        let lifetime = self.cacheControl.lifetime(
            of: provenance, version: nil, expires: expires, now: self.policies.now)
        var headers: HTTPFields = [
            .cacheControl: self.cacheControl.value(lifetime), .contentTypeOptions: "nosniff",
            .eTag: tag.description,
        ]
        headers.openToAllOrigins()
        headers.offerCompression(length: json.count)
        headers[.age] = provenance.age(in: lifetime, expires: expires).map(String.init)
        // No date: the response may change while the original does not.
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

private struct DetailsQuery {
    private let parameters: QueryParameters

    /// - Throws: ``Problem`` that names the parameter and the accepted values.
    init(_ pairs: [(name: String, value: String)], known: [String]) throws(Problem) {
        self.parameters = try QueryParameters(pairs, known: known, names: known.joined(separator: ", "))
    }

    /// The value of `widths`; by default the ladder's rungs, or ``Srcset/defaultWidths`` without a ladder.
    func widths(of ladder: WidthLadder?) throws(Problem) -> [Int] {
        guard let text = self.parameters["widths"] else { return ladder?.rungs ?? Srcset.defaultWidths }
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let widths = parts.prefix(Srcset.widthLimit + 1).compactMap { part in
            QueryParameters.number(String(decoding: Array(part), as: UTF8.self))
        }
        guard widths.count == parts.count, widths.count <= Srcset.widthLimit,
            widths.allSatisfy(PictureRequest.sides.contains)
        else {
            throw Problem(
                .invalidParameter,
                "widths must be 1 to \(Srcset.widthLimit) whole numbers of pixels from "
                    + "\(PictureRequest.sides.lowerBound) to \(PictureRequest.sides.upperBound), separated by commas")
        }
        guard let ladder else { return widths }
        return try widths.map { width throws(Problem) in try ladder.width(for: width) }
    }

    /// The value of `format`; `nil` for `auto` and without the parameter.
    func format(from formats: [OutputFormat]) throws(Problem) -> OutputFormat? {
        guard let text = self.parameters["format"], text != "auto" else { return nil }
        guard let format = OutputFormat(rawValue: text), formats.contains(format) else {
            let names = formats.map(\.rawValue)
            throw Problem(
                .invalidParameter,
                "format must be auto, \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
        }
        return format
    }

    /// The value of `v`; `nil` without the parameter.
    func version() throws(Problem) -> String? {
        try self.parameters.version()
    }

    func selection() throws(Problem) -> PosterSelection {
        try PosterSelection(self.parameters)
    }
}
