import FoundationEssentials
package import HTTPSemantics
package import HTTPTypes
package import Hummingbird
package import NIOCore

/// A document encoded once as a response, with its entity tag, `Cache-Control` and `Vary`: JSON for programs, or a
/// page.
package struct EncodedResponse: Sendable {
    /// The caches that may store a response.
    package enum CachePolicy: Hashable, Sendable {
        /// Any cache, for `seconds`, and for `stale` more while it is revalidated (RFC 5861): ten times as long by
        /// default; 0 disables that.
        case shared(seconds: Int, stale: Int? = nil)
        /// The client's own cache, which must revalidate each time.
        case own
        case none
    }

    /// The request header fields that a response depends on.
    package struct Variance: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `Accept-Language`.
        package static let language = Variance(rawValue: 1)
        /// `Authorization` and `Cookie`.
        package static let caller = Variance(rawValue: 2)
        /// `Cookie` alone: navigations of browsers have no `Authorization`.
        package static let cookie = Variance(rawValue: 4)

        /// The value of `Vary`; `nil` if the response depends on no field.
        var fieldValue: String? {
            let caller =
                self.contains(.caller) ? ["Authorization", "Cookie"] : self.contains(.cookie) ? ["Cookie"] : []
            let names = (self.contains(.language) ? ["Accept-Language"] : []) + caller
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }
    }

    enum Format: String, Sendable {
        case json
        case page

        var contentType: String { self == .json ? "application/json" : "text/html; charset=utf-8" }
    }

    fileprivate static let staleFactor = 10

    let format: Format
    package internal(set) var bytes: ByteBuffer
    /// `nil` for a page that is filled for one client: the tokens in its forms differ every time.
    package internal(set) var tag: EntityTag?
    package internal(set) var caching: CachePolicy
    /// Whether any client may receive it, even if no cache may store it.
    var isForAll: Bool
    package internal(set) var variance: Variance
    /// The slots to be filled by ``filled(forAll:_:)``, in order.
    package internal(set) var slots: [Slot] = []
    /// The `Link` field (RFC 8288); `nil` omits it.
    package var links: String?
    /// The `WWW-Authenticate` field, for a public response to a request with invalid credentials (RFC 6750, 3); `nil`
    /// omits it.
    package var challenge: String?
    /// Additional fields, also of a 304; names in its `Vary` are added to ``variance``.
    package var extra: HTTPFields = [:]
    /// 200, unless the document describes an error of the request.
    package var status = HTTPResponse.Status.ok
    /// The coding of a body that was compressed for one client; `nil` if ``bytes`` are not compressed. A body that any
    /// client may receive is compressed by ``CompressionMiddleware`` only.
    var coding: ContentCoding?
    /// Staleness of the stalest stored part; `nil` if all are fresh.
    private var staleness: Staleness?
    /// Age of the oldest stale part, in seconds.
    private var age: Int64 = 0

    private init(
        _ bytes: [UInt8], _ format: Format, caching: CachePolicy, variance: Variance, hasSlots: Bool
    ) {
        self.format = format
        if hasSlots { self.slots = Self.slots(in: bytes, format) }
        self.bytes = ByteBuffer(bytes: bytes)
        self.tag = EntityTag(digestOf: [format.rawValue] + Self.parts(of: bytes, around: self.slots))
        self.caching = caching
        if case .shared = caching { self.isForAll = true } else { self.isForAll = false }
        self.variance = variance
    }

    /// Encodes a JSON document.
    ///
    /// - Parameter hasSlots: Whether members have texts of ``slotText(_:)``.
    /// - Throws: `EncodingError` for numbers that JSON cannot represent.
    package static func json(
        _ value: some Encodable, caching: CachePolicy, variance: Variance = [], links: String? = nil,
        hasSlots: Bool = false
    ) throws -> EncodedResponse {
        var response = EncodedResponse(
            try Self.jsonBytes(of: value), .json, caching: caching, variance: variance, hasSlots: hasSlots)
        response.links = links
        return response
    }

    /// Wraps an encoded JSON document.
    package static func json(bytes: [UInt8], caching: CachePolicy, variance: Variance = []) -> EncodedResponse {
        EncodedResponse(bytes, .json, caching: caching, variance: variance, hasSlots: false)
    }

    /// Wraps an HTML page, which depends on the cookie if it has slots.
    ///
    /// - Parameter hasSlots: Whether it contains texts of ``pageSlot(_:)``.
    package static func page(
        _ html: String, caching: CachePolicy, variance: Variance = [], hasSlots: Bool = true, extra: HTTPFields = [:]
    ) -> EncodedResponse {
        var response = EncodedResponse(
            Array(html.utf8), .page, caching: caching, variance: variance, hasSlots: hasSlots)
        if !response.slots.isEmpty { response.variance.insert(.cookie) }
        response.extra = extra
        return response
    }

    /// Marks the response with its parts' freshness, and applies ``CachePolicy/limited(by:staleSeconds:)``.
    package mutating func mark(_ recorder: FreshnessRecorder, staleSeconds: Int) {
        self.staleness = recorder.staleness
        self.age = recorder.age
        self.caching = self.caching.limited(by: recorder, staleSeconds: staleSeconds)
    }

    /// Encodes with sorted keys: equal values have equal encodings.
    package static func jsonBytes(of value: some Encodable) throws -> [UInt8] {
        return [UInt8](try JSONEncoder.sorted.encode(value))
    }

    /// Returns a response with ``status``, or a 304; a failed precondition is thrown (RFC 9110, 13.2.2).
    ///
    /// - Parameter status: Replaces ``status``. Only a success is subject to the request's conditions.
    /// - Throws: ``Problem`` of the kind `precondition-failed`.
    package func response(to request: Request, status: HTTPResponse.Status? = nil) throws(Problem) -> Response {
        let status = status ?? self.status
        var headers: HTTPFields = [.cacheControl: self.caching.fieldValue, .contentTypeOptions: "nosniff"]
        headers[.eTag] = self.tag?.description
        // Only for JSON: pages are for people, not for scripts of other sites.
        if self.format == .json { headers.letScriptsRead() }
        let varyNames = [self.variance.fieldValue, self.extra[.vary]].compactMap(\.self)
        headers[.vary] = varyNames.isEmpty ? nil : varyNames.joined(separator: ", ")
        if self.isForAll { headers.offerCompression(length: self.bytes.readableBytes) }
        if self.coding != nil { headers.offerCompression(length: CompressedBodies.lengths.lowerBound) }
        headers[.link] = self.links
        headers[.wwwAuthenticate] = self.challenge
        if let staleness { headers.mark(staleness, age: self.age) }
        for field in self.extra where field.name != .vary { headers[field.name] = field.value }
        // The result of a change is sent whatever the client has cached.
        let isRead = (request.method == .get || request.method == .head) && status.kind == .successful
        let outcome = self.tag.map { tag in
            isRead ? Preconditions(request.headers).outcome(tag: tag, modifiedAt: nil) : .met
        }
        switch outcome ?? .met {
        case .failed: throw Problem.preconditionFailed
        case .notModified:
            var response = Response(status: .notModified, headers: headers)
            response.headers[.contentLength] = nil
            return response
        case .met:
            headers[.contentType] = self.format.contentType
            if let coding {
                headers[.contentEncoding] = coding.rawValue
                headers[.eTag] = headers[.eTag].flatMap(coding.tag)
            }
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: self.bytes))
        }
    }
}

extension EncodedResponse.CachePolicy {
    /// Returns the policy limited by the freshness of a response's parts: no cache stores a response with gaps, and
    /// shared caches store a stale one only briefly.
    ///
    /// - Parameter staleSeconds: Maximum time for which caches that ignore `Age` may store a stale response.
    package func limited(by recorder: FreshnessRecorder, staleSeconds: Int) -> Self {
        guard case .shared(let seconds, _) = self else { return self }
        if recorder.hasGaps { return .none }
        return recorder.staleness == nil ? self : .shared(seconds: min(seconds, staleSeconds), stale: 0)
    }

    /// The value of `Cache-Control`.
    package var fieldValue: String {
        switch self {
        case .shared(let seconds, stale: 0): "public, max-age=\(seconds)"
        case .shared(let seconds, let stale):
            "public, max-age=\(seconds), stale-while-revalidate=\(stale ?? seconds * EncodedResponse.staleFactor)"
        case .own: "private, no-cache"
        case .none: "no-store"
        }
    }
}

extension Response {
    /// A response that no cache stores.
    package static func unstored(
        _ bytes: [UInt8], type: String = "application/json", status: HTTPResponse.Status = .ok
    ) -> Response {
        let headers: HTTPFields = [.contentType: type, .cacheControl: "no-store", .contentTypeOptions: "nosniff"]
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
