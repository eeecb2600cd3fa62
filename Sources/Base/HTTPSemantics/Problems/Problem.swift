import FoundationEssentials

/// An error response (RFC 9457). Independent of any framework.
public struct Problem: Error, Hashable, Sendable {
    /// The kinds of problems; each has a page in docs/problems.md.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case malformedRequest = "malformed-request"
        case invalidParameter = "invalid-parameter"
        case invalidID = "invalid-id"
        case invalidBody = "invalid-body"
        case bodyTooLarge = "body-too-large"
        case targetTooLong = "target-too-long"
        case unsupportedVersion = "unsupported-version"
        case unauthorized = "unauthorized"
        case sessionRequired = "session-required"
        case notApproved = "not-approved"
        case approvalDenied = "approval-denied"
        case crossSite = "cross-site"
        case invalidSignature = "invalid-signature"
        case expiredSignature = "expired-signature"
        case urlNotAllowed = "url-not-allowed"
        case notFound = "not-found"
        case unknownPoster = "unknown-poster"
        case unknownMovie = "unknown-movie"
        case unknownPerson = "unknown-person"
        case unknownCollection = "unknown-collection"
        case unknownApp = "unknown-app"
        case unknownRequestToken = "unknown-request-token"
        case methodNotAllowed = "method-not-allowed"
        case tooManyFavourites = "too-many-favourites"
        case preconditionFailed = "precondition-failed"
        case rangeNotSatisfiable = "range-not-satisfiable"
        case expectationFailed = "expectation-failed"
        case unsupportedImage = "unsupported-image"
        case imageOverLimit = "image-over-limit"
        case badOriginal = "bad-original"
        case tooManyRequests = "too-many-requests"
        case headerTooLarge = "header-too-large"
        case originUnavailable = "origin-unavailable"
        case originTooSlow = "origin-too-slow"
        case originBusy = "origin-busy"
        case sourceOff = "source-off"
        case sourceUnavailable = "source-unavailable"
        case sourceTooSlow = "source-too-slow"
        case sourceBusy = "source-busy"
        case overloaded = "overloaded"
        case cutOff = "cut-off"
        case storageFailed = "storage-failed"
        case internalError = "internal-error"

        /// The problem's `type`.
        public var type: String { "urn:onesheet:problem:\(self.rawValue)" }

        /// The HTTP status code.
        public var status: Int { self.properties.status }

        /// The problem's `title`.
        public var title: String { self.properties.title }

        private var properties: (status: Int, title: String) {
            switch self {
            case .malformedRequest: (400, "Malformed request")
            case .invalidParameter: (400, "Invalid parameter")
            case .invalidID: (400, "Invalid id")
            case .invalidBody: (400, "Invalid body")
            case .bodyTooLarge: (413, "Body too large")
            case .targetTooLong: (414, "Target too long")
            case .unsupportedVersion: (505, "Unsupported HTTP version")
            case .unauthorized: (401, "Not authorised")
            case .sessionRequired: (401, "No session")
            case .notApproved: (401, "Not approved yet")
            case .approvalDenied: (403, "Approval denied")
            case .crossSite: (403, "Cross-site request")
            case .invalidSignature: (403, "Invalid signature")
            case .expiredSignature: (403, "Expired signature")
            case .urlNotAllowed: (403, "URL not allowed")
            case .notFound: (404, "No such resource")
            case .unknownPoster: (404, "Unknown poster")
            case .unknownMovie: (404, "Unknown film")
            case .unknownPerson: (404, "Unknown person")
            case .unknownCollection: (404, "Unknown collection")
            case .unknownApp: (404, "Unknown app")
            case .unknownRequestToken: (404, "Unknown request token")
            case .methodNotAllowed: (405, "Method not allowed")
            case .tooManyFavourites: (409, "Too many favourites")
            case .preconditionFailed: (412, "Precondition failed")
            case .rangeNotSatisfiable: (416, "Range not satisfiable")
            case .expectationFailed: (417, "Expectation failed")
            case .unsupportedImage: (415, "Unsupported image format")
            case .imageOverLimit: (422, "Image over a limit")
            case .badOriginal: (502, "The origin sent no usable image")
            case .tooManyRequests: (429, "Too many requests")
            case .headerTooLarge: (431, "Header fields too large")
            case .originUnavailable: (502, "The origin is unavailable")
            case .originTooSlow: (504, "The origin is too slow")
            case .originBusy: (503, "The origin is too busy")
            case .sourceOff: (503, "The source is switched off")
            case .sourceUnavailable: (502, "The source is unavailable")
            case .sourceTooSlow: (504, "The source is too slow")
            case .sourceBusy: (503, "The source is too busy")
            case .overloaded: (503, "Too busy")
            case .cutOff: (503, "Cut off from other nodes")
            case .storageFailed: (503, "Storage failed")
            case .internalError: (500, "Internal error")
            }
        }
    }

    /// The accepted range of a parameter, as text.
    public struct Bounds: Hashable, Sendable {
        /// The first and last accepted value.
        public let earliest, latest: String

        /// Creates an inclusive range.
        public init(earliest: String, latest: String) {
            self.earliest = earliest
            self.latest = latest
        }
    }

    /// The kind of error; determines `type`, `title` and `status`.
    public let kind: Kind
    /// A sentence for the client: the error, and the accepted values.
    public let detail: String
    /// `Retry-After`, in seconds; `nil` omits it.
    public var retryAfterSeconds: Int?
    /// The representation's length in bytes, for the `Content-Range` of a 416.
    public var wholeLength: Int?
    /// The `Allow` field of a 405: methods separated by commas.
    public var allow: String?
    /// The accepted days in machine-readable form: extension members (RFC 9457, 3.2).
    public var bounds: Bounds?
    /// The wrong parameter; `nil` if the problem is not about a single one.
    public var parameter: Parameter?

    /// Creates a problem with a sentence for the client.
    public init(_ kind: Kind, _ detail: String, retryAfterSeconds: Int? = nil, parameter: Parameter? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
        self.parameter = parameter
    }

    private struct Body: Encodable {
        let type: String
        let title: String
        let status: Int
        let detail: String
        let requestId: String?
        let earliest: String?
        let latest: String?
    }

    /// The JSON object of type `application/problem+json`.
    ///
    /// - Parameter requestID: The request's id in logs; `nil` omits it.
    public func json(requestID: String? = nil) -> [UInt8] {
        let body = Body(
            type: self.kind.type, title: self.kind.title, status: self.kind.status, detail: self.detail,
            requestId: requestID, earliest: self.bounds?.earliest, latest: self.bounds?.latest)
        // Strings and a number always encode.
        return (try? JSONEncoder.sorted.encode(body)).map { [UInt8]($0) } ?? Array("{}".utf8)
    }
}

extension Problem {
    /// For `If-Match` and `If-Unmodified-Since` (RFC 9110, 13.1).
    package static let preconditionFailed = Problem(
        .preconditionFailed, "the representation does not match If-Match or If-Unmodified-Since")

    /// - Parameter length: The representation's length, in bytes.
    package static func rangeNotSatisfiable(length: Int) -> Problem {
        var problem = Problem(
            .rangeNotSatisfiable, "the range begins after the end; the representation has \(length) bytes")
        problem.wholeLength = length
        return problem
    }
}
