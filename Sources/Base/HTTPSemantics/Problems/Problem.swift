import FoundationEssentials

/// An error as clients get it (RFC 9457). Knows no framework.
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
        case storageFailed = "storage-failed"
        case internalError = "internal-error"

        /// The problem's `type`.
        public var type: String { "urn:onesheet:problem:\(self.rawValue)" }

        /// The HTTP status code.
        public var status: Int {
            switch self {
            case .malformedRequest, .invalidParameter, .invalidID, .invalidBody: 400
            case .unauthorized, .sessionRequired, .notApproved: 401
            case .approvalDenied, .crossSite, .invalidSignature, .expiredSignature, .urlNotAllowed: 403
            case .notFound, .unknownPoster, .unknownMovie, .unknownApp, .unknownRequestToken: 404
            case .methodNotAllowed: 405
            case .tooManyFavourites: 409
            case .preconditionFailed: 412
            case .bodyTooLarge: 413
            case .targetTooLong: 414
            case .unsupportedImage: 415
            case .rangeNotSatisfiable: 416
            case .expectationFailed: 417
            case .imageOverLimit: 422
            case .tooManyRequests: 429
            case .headerTooLarge: 431
            case .internalError: 500
            case .badOriginal, .originUnavailable, .sourceUnavailable: 502
            case .originBusy, .sourceOff, .sourceBusy, .overloaded, .storageFailed: 503
            case .originTooSlow, .sourceTooSlow: 504
            case .unsupportedVersion: 505
            }
        }

        /// The problem's `title`.
        public var title: String {
            switch self {
            case .malformedRequest: "Malformed request"
            case .invalidParameter: "Invalid parameter"
            case .invalidID: "Invalid id"
            case .invalidBody: "Invalid body"
            case .bodyTooLarge: "Body too large"
            case .targetTooLong: "Target too long"
            case .unsupportedVersion: "Unsupported version of HTTP"
            case .unauthorized: "Not authorised"
            case .sessionRequired: "No session"
            case .notApproved: "Not approved yet"
            case .approvalDenied: "Approval denied"
            case .crossSite: "Another site's request"
            case .invalidSignature: "Invalid signature"
            case .expiredSignature: "Expired signature"
            case .urlNotAllowed: "URL not allowed"
            case .notFound: "No such resource"
            case .unknownPoster: "Unknown poster"
            case .unknownMovie: "Unknown film"
            case .unknownApp: "Unknown app"
            case .unknownRequestToken: "Unknown request token"
            case .methodNotAllowed: "Method not allowed"
            case .tooManyFavourites: "Too many favourites"
            case .preconditionFailed: "Precondition failed"
            case .rangeNotSatisfiable: "Range not satisfiable"
            case .expectationFailed: "Expectation failed"
            case .unsupportedImage: "Unsupported image format"
            case .imageOverLimit: "Image over a limit"
            case .badOriginal: "The origin sent no usable image"
            case .tooManyRequests: "Too many requests"
            case .headerTooLarge: "Header fields too large"
            case .originUnavailable: "The origin is unavailable"
            case .originTooSlow: "The origin is too slow"
            case .originBusy: "The origin is too busy"
            case .sourceOff: "The source is switched off"
            case .sourceUnavailable: "The source is unavailable"
            case .sourceTooSlow: "The source is too slow"
            case .sourceBusy: "The source is too busy"
            case .overloaded: "Too busy"
            case .storageFailed: "Storage failed"
            case .internalError: "Internal error"
            }
        }
    }

    /// What went wrong; decides type, title and status.
    public let kind: Kind
    /// A sentence for the client: what is wrong, and what is accepted.
    public let detail: String
    /// When to try again, in seconds.
    public var retryAfterSeconds: Int?
    /// The length of what a range was asked of, in bytes.
    public var wholeLength: Int?
    /// What is allowed instead of a method, separated by commas.
    public var allow: String?

    /// A problem with a sentence for the client.
    public init(_ kind: Kind, _ detail: String, retryAfterSeconds: Int? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
    }

    private struct Body: Encodable {
        let type: String
        let title: String
        let status: Int
        let detail: String
        let requestId: String?
    }

    /// The JSON object of type `application/problem+json`.
    ///
    /// - Parameter requestID: By which the request is found in logs; nil leaves it out.
    public func json(requestID: String? = nil) -> [UInt8] {
        let body = Body(
            type: self.kind.type, title: self.kind.title, status: self.kind.status, detail: self.detail,
            requestId: requestID)
        // Strings and a number: nothing here that JSON could not hold.
        return (try? JSONEncoder.sorted.encode(body)).map { [UInt8]($0) } ?? Array("{}".utf8)
    }
}

extension Problem {
    /// For `If-Match` and `If-Unmodified-Since` (RFC 9110, 13.1).
    package static let preconditionFailed = Problem(
        .preconditionFailed, "what is here is not what If-Match or If-Unmodified-Since asks for")

    /// - Parameter length: Of all, in bytes.
    package static func rangeNotSatisfiable(length: Int) -> Problem {
        var problem = Problem(
            .rangeNotSatisfiable, "the range begins behind the end; there are \(length) bytes")
        problem.wholeLength = length
        return problem
    }
}
