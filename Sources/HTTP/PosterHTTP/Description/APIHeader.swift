import HTTPTypes

/// A header of an answer.
struct APIHeader: Hashable, Sendable {
    let name: String
    let schema: APISchema
    /// A sentence.
    let meaning: String
    /// Whether every answer that names it has it.
    let isAlwaysThere: Bool
    /// What the document calls it: the name, where there is but one of that name.
    let key: String

    private init(_ name: String, _ schema: APISchema, always: Bool = false, key: String? = nil, _ meaning: String) {
        self.name = name
        self.key = key ?? name
        self.schema = schema
        self.meaning = meaning
        self.isAlwaysThere = always
    }

    /// A Header Object (OpenAPI 3.1, 4.8.21).
    var json: JSONValue {
        var json: [String: JSONValue] = [
            "schema": .object(self.schema.json), "description": .string(self.meaning),
        ]
        if self.isAlwaysThere { json["required"] = true }
        return .object(json)
    }

    /// Where the document has it.
    var reference: JSONValue { ["$ref": .string("#/components/headers/\(self.key)")] }

    /// The document's headers.
    static let all: [APIHeader] = [
        .acceptCH, .acceptRanges, .age, .allow, .anyOrigin, .cacheControl, .cacheStatus, .contentRange, .entityTag,
        .exposedNames, .lastModified, .link, .noSniffing, .noStore, .retryAfter, .serverTiming, .vary, .authenticate,
        .location, .ownCaching, .setCookie, .invalidToken,
    ]

    static let acceptCH = APIHeader(
        "Accept-CH", .string(), "The client hints that the answer could have depended on (RFC 8942).")
    static let acceptRanges = APIHeader(
        "Accept-Ranges", .constant("bytes"), "Parts of the body can be asked for (RFC 9110, 14.3).")
    static let age = APIHeader(
        "Age", .integer(), "Seconds since the origin last confirmed the original (RFC 9111, 5.1).")
    static let allow = APIHeader("Allow", .string(), always: true, "The methods that are possible here.")
    static let anyOrigin = APIHeader(
        "Access-Control-Allow-Origin", .constant("*"), "Scripts of every site may read the answer.")
    static let exposedNames = APIHeader(
        "Access-Control-Expose-Headers", .constant(HTTPFields.exposedNames),
        "What scripts of other sites may read beside the body (Fetch, 3.2.2).")
    static let cacheControl = APIHeader(
        "Cache-Control", .string(), always: true, "For how long caches may keep the answer (RFC 9111, 5.2.2).")
    static let cacheStatus = APIHeader(
        "Cache-Status", .string(pattern: "^OneSheet; "), always: true,
        "Where the answer came from (RFC 9211): hit; fwd=miss when it was rendered from a stored original; "
            + "fwd=uri-miss or fwd=stale when the origin was asked; then stored, collapsed, ttl and detail.")
    static let contentRange = APIHeader(
        "Content-Range", .string(pattern: "^bytes ([0-9]+-[0-9]+/[0-9]+|\\*/[0-9]+)$"), always: true,
        "Which part of how many bytes this is (RFC 9110, 14.4).")
    static let entityTag = APIHeader(
        "ETag", .string(pattern: "^\"[!#-~]+\"$"), always: true,
        "Names these bytes; strong, and known without rendering (RFC 9110, 8.8.3).")
    static let lastModified = APIHeader(
        "Last-Modified", .string(), "When the origin changed the original, or when it was stored (RFC 9110, 8.8.2).")
    static let link = APIHeader(
        "Link", .string(), "Where the first, previous, next and last pages are (RFC 8288).")
    static let noSniffing = APIHeader(
        "X-Content-Type-Options", .constant("nosniff"), always: true, "Content-Type means what it says.")
    static let noStore = APIHeader(
        "Cache-Control", .constant("no-store"), always: true, key: "No-Store", "No cache keeps the answer.")
    static let retryAfter = APIHeader(
        "Retry-After", .integer(), "When to try again, in seconds (RFC 9110, 10.2.3).")
    static let serverTiming = APIHeader(
        "Server-Timing", .string(),
        "Milliseconds of fetching, decoding and encoding: fetch;dur, decode;dur, encode;dur.")
    static let vary = APIHeader(
        "Vary", .string(), "The headers of the request that the answer depended on, and no others.")
    static let authenticate = APIHeader(
        "WWW-Authenticate", .string(pattern: "^Bearer"), always: true, "How to show who one is (RFC 6750, 3).")
    static let invalidToken = APIHeader(
        "WWW-Authenticate", .constant(FilmCaller.invalidToken), key: "Invalid-Token",
        "Only where Authorization: Bearer has a token that is worth nothing: nobody's favourites are told, and it is time to sign in "
            + "again (RFC 6750, 3.1).")
    static let location = APIHeader("Location", .string(), always: true, "Where to go on.")
    static let ownCaching = APIHeader(
        "Cache-Control", .constant(OwnAnswer.cacheControl), always: true, key: "Own-Cache-Control",
        "It is for whoever asks: no cache keeps it.")
    static let setCookie = APIHeader(
        "Set-Cookie", .string(pattern: "^\(SessionCookie.name)="),
        "The token for browsers: HttpOnly, SameSite=Lax; not for other sites' pages.")
}
