import HTTPSemantics
package import HTTPTypes
package import Hummingbird

/// Compresses responses that offer it (``HTTPTypes/HTTPFields/offerCompression(length:)``) for clients that accept
/// brotli or gzip (RFC 9110, 8.4). Compressed forms have their own entity tags, which get a 304 only as long as the
/// client accepts that coding.
///
/// Must be the innermost middleware: for a `HEAD` it runs the route a second time.
package struct CompressionMiddleware: RouterMiddleware {
    package typealias Context = ServerRequestContext

    private let bodies: CompressedBodies

    package init() {
        self.init(CompressedBodies())
    }

    init(_ bodies: CompressedBodies) {
        self.bodies = bodies
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get || request.method == .head,
            let coding = AcceptEncoding(request.headers.combined(.acceptEncoding)).coding
        else { return try await next(request, context) }
        let plain = request.withPlainTags(of: coding)
        var response = try await next(plain, context)
        guard response.headers.offersCompression else { return response }
        if response.status == .notModified {
            response.headers.restoreTag(of: coding, conditions: request.headers)
            return response
        }
        guard request.method == .head else { return try await self.compressed(response, coding) }
        // The body is dropped, but its compressed length, and whether it is compressed at all, belong to the head (RFC
        // 9110, 9.3.2).
        var head = plain.head
        head.method = .get
        let whole = try await next(Request(head: head, body: plain.body), context)
        guard whole.headers.offersCompression else { return response }
        return try await self.compressed(whole, coding).createHeadResponse()
    }

    private func compressed(_ response: Response, _ coding: ContentCoding) async throws -> Response {
        guard response.status == .ok, response.headers.allowsCompression,
            let length = response.body.contentLength, CompressedBodies.lengths.contains(length)
        else { return response }
        let tag = response.headers[.eTag].flatMap(coding.tag)
        guard let body = try await self.bodies.body(of: response.body, tag: tag, coding) else { return response }
        var response = response
        response.headers[.contentEncoding] = coding.rawValue
        // A weak tag, or a missing one, does not identify bytes.
        if let tag { response.headers[.eTag] = tag }
        response.body = ResponseBody(byteBuffer: body)
        return response
    }
}

extension HTTPFields {
    private static let negotiated = "Accept-Encoding"

    /// Enables compression for clients that accept it. Only for bodies that any client may have: the length of a
    /// compressed text that contains both a secret and a part of the request reveals the secret (BREACH).
    ///
    /// Call it for a 304 too: `Vary` names `Accept-Encoding` in all responses for which it matters, whatever the client
    /// sent.
    ///
    /// - Parameter length: Length of the body in bytes; compression is not offered outside
    ///   ``CompressedBodies/lengths``.
    package mutating func offerCompression(length: Int) {
        guard CompressedBodies.lengths.contains(length) else { return }
        // Last in the list, which `offersCompression` relies on.
        self[.vary] = self[.vary].map { "\($0), \(Self.negotiated)" } ?? Self.negotiated
    }

    fileprivate var offersCompression: Bool { self[.vary]?.hasSuffix(Self.negotiated) == true }

    /// Whether the other fields permit compression. Personal responses are not compressed even if they offer it.
    fileprivate var allowsCompression: Bool {
        guard self[.contentEncoding] == nil, self[.setCookie] == nil else { return false }
        let directives = FieldSyntax.directives(self[.cacheControl] ?? "")
        return directives["private"] == nil && directives["no-transform"] == nil
    }

    /// Sets the tag of the compressed form in a 304, if the client holds that form.
    fileprivate mutating func restoreTag(of coding: ContentCoding, conditions: HTTPFields) {
        guard let tag = self[.eTag].flatMap(coding.tag),
            let held = conditions.combined(.ifNoneMatch),
            FieldSyntax.parts(of: held, at: ",").contains(where: { $0.trimmingBlanks.hasSuffix(tag) })
        else { return }
        self[.eTag] = tag
    }
}

extension Request {
    /// Returns the request with tags of compressed forms in its conditions replaced by plain tags, which routes
    /// compare.
    fileprivate func withPlainTags(of coding: ContentCoding) -> Request {
        var head: HTTPRequest?
        for name in [HTTPField.Name.ifNoneMatch, .ifMatch] {
            guard let value = self.headers.combined(name), let plain = coding.plainTags(in: value) else { continue }
            if head == nil { head = self.head }
            head?.headerFields[name] = plain
        }
        return head.map { Request(head: $0, body: self.body) } ?? self
    }
}

extension ContentCoding {
    private var suffix: String { "-\(self.rawValue)\"" }

    /// The strong tag of a compressed form: `"1f2e-br"` for `"1f2e"`; `nil` for a weak tag.
    func tag(of tag: String) -> String? {
        tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count > 1 ? "\(tag.dropLast())\(self.suffix)" : nil
    }

    /// Replaces tags of compressed forms in a list; returns `nil` if it contains none.
    fileprivate func plainTags(in list: String) -> String? {
        let suffix = self.suffix
        var isChanged = false
        let tags = FieldSyntax.parts(of: list, at: ",").map { item -> String in
            let tag = item.trimmingBlanks
            guard tag.hasSuffix(suffix) else { return String(tag) }
            isChanged = true
            return "\(tag.dropLast(suffix.count))\""
        }
        return isChanged ? tags.joined(separator: ", ") : nil
    }
}
