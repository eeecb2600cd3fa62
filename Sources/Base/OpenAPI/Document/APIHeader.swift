import HTTPSemantics
import HTTPTypes

/// A response header of the description.
package struct APIHeader: Hashable, Sendable {
    package let name: String
    package let schema: APISchema
    package let meaning: String
    /// Whether all responses that list the header have it.
    package let isAlwaysThere: Bool
    /// The component's name in the document: the header's name where that is unique.
    package let key: String

    package init(_ name: String, _ schema: APISchema, always: Bool = false, key: String? = nil, _ meaning: String) {
        self.name = name
        self.key = key ?? name
        self.schema = schema
        self.meaning = meaning
        self.isAlwaysThere = always
    }

    /// A Header Object (OpenAPI 3.1, 4.8.21).
    package var json: JSONValue {
        var json: [String: JSONValue] = [
            "schema": .object(self.schema.json), "description": .string(self.meaning),
        ]
        if self.isAlwaysThere { json["required"] = true }
        return .object(json)
    }

    package var reference: JSONValue { ["$ref": .string("#/components/headers/\(self.key)")] }

    package static let standard: [APIHeader] = [
        .acceptCH, .acceptRanges, .age, .allow, .anyOrigin, .cacheControl, .cacheStatus, .contentEncoding,
        .contentRange, .entityTag, .exposedNames, .lastModified, .link, .noSniffing,
        .noStore, .retryAfter, .serverTiming, .vary, .authenticate, .location,
    ]

    package static let acceptCH = APIHeader(
        "Accept-CH", .string(), "The client hints that the response can depend on (RFC 8942).")
    package static let acceptRanges = APIHeader(
        "Accept-Ranges", .constant("bytes"), "Ranges of the body can be requested (RFC 9110, 14.3).")
    package static let age = APIHeader(
        "Age", .integer(), "Seconds since the origin last confirmed the original (RFC 9111, 5.1).")
    package static let allow = APIHeader("Allow", .string(), always: true, "The methods of this resource.")
    package static let anyOrigin = APIHeader(
        "Access-Control-Allow-Origin", .constant("*"), "Scripts of every site may read the response.")
    package static let exposedNames = APIHeader(
        "Access-Control-Expose-Headers", .constant(HTTPFields.exposedNames),
        "Fields that scripts of other sites may read (Fetch, 3.2.2).")
    package static let cacheControl = APIHeader(
        "Cache-Control", .string(), always: true, "Lifetime of the response in caches (RFC 9111, 5.2.2).")
    package static let cacheStatus = APIHeader(
        "Cache-Status", .string(pattern: "^OneSheet; "), always: true,
        "Source of the response (RFC 9211): hit; fwd=miss when it was rendered from a stored original; "
            + "fwd=uri-miss or fwd=stale when it was requested from the origin; then stored, collapsed, ttl and detail."
    )
    package static let contentEncoding = APIHeader(
        "Content-Encoding", .choice(ContentCoding.allCases.map(\.rawValue)),
        "Compression of the body, if the client accepts it (RFC 9110, 8.4). Each coding has its own ETag.")
    package static let contentRange = APIHeader(
        "Content-Range", .string(pattern: "^bytes ([0-9]+-[0-9]+/[0-9]+|\\*/[0-9]+)$"), always: true,
        "Range of the body, and the total length in bytes (RFC 9110, 14.4).")
    package static let entityTag = APIHeader(
        "ETag", .string(pattern: "^\"[!#-~]+\"$"), always: true,
        "Strong entity tag of the encoded bytes, available without rendering (RFC 9110, 8.8.3).")
    package static let lastModified = APIHeader(
        "Last-Modified", .string(),
        "Time of the original's last change at the origin, or of storage (RFC 9110, 8.8.2).")
    package static let link = APIHeader(
        "Link", .string(), "The first, previous, next and last pages (RFC 8288).")
    package static let noSniffing = APIHeader(
        "X-Content-Type-Options", .constant("nosniff"), always: true, "Browsers must not guess another Content-Type.")
    package static let noStore = APIHeader(
        "Cache-Control", .constant("no-store"), always: true, key: "No-Store", "No cache stores the response.")
    package static let retryAfter = APIHeader(
        "Retry-After", .integer(), "Seconds until the next attempt (RFC 9110, 10.2.3).")
    package static let serverTiming = APIHeader(
        "Server-Timing", .string(),
        "Milliseconds of fetching, decoding and encoding: fetch;dur, decode;dur, encode;dur.")
    package static let vary = APIHeader(
        "Vary", .string(), "Exactly the request headers that the response depends on.")
    package static let authenticate = APIHeader(
        "WWW-Authenticate", .string(pattern: "^Bearer"), always: true, "The authentication scheme (RFC 6750, 3).")
    package static let location = APIHeader("Location", .string(), always: true, "Target of the redirect.")
}
