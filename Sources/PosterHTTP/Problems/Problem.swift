import FoundationEssentials

/// An error as clients get it (RFC 9457). Knows no framework.
public struct Problem: Error, Hashable, Sendable {
    /// The kinds of problems; each has a page in docs/problems.md.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case invalidParameter = "invalid-parameter"
        case invalidID = "invalid-id"
        case invalidBody = "invalid-body"
        case bodyTooLarge = "body-too-large"
        case unauthorized = "unauthorized"
        case notFound = "not-found"
        case unknownPoster = "unknown-poster"
        case methodNotAllowed = "method-not-allowed"
        case unsupportedImage = "unsupported-image"
        case imageOverLimit = "image-over-limit"
        case badOriginal = "bad-original"
        case originUnavailable = "origin-unavailable"
        case originTooSlow = "origin-too-slow"
        case originBusy = "origin-busy"
        case overloaded = "overloaded"
        case storageFailed = "storage-failed"
        case internalError = "internal-error"

        /// The HTTP status code.
        public var status: Int {
            switch self {
            case .invalidParameter, .invalidID, .invalidBody: 400
            case .unauthorized: 401
            case .notFound, .unknownPoster: 404
            case .methodNotAllowed: 405
            case .bodyTooLarge: 413
            case .unsupportedImage: 415
            case .imageOverLimit: 422
            case .internalError: 500
            case .badOriginal, .originUnavailable: 502
            case .originBusy, .overloaded, .storageFailed: 503
            case .originTooSlow: 504
            }
        }

        var title: String {
            switch self {
            case .invalidParameter: "Invalid parameter"
            case .invalidID: "Invalid poster id"
            case .invalidBody: "Invalid body"
            case .bodyTooLarge: "Body too large"
            case .unauthorized: "Not authorised"
            case .notFound: "No such resource"
            case .unknownPoster: "Unknown poster"
            case .methodNotAllowed: "Method not allowed"
            case .unsupportedImage: "Unsupported image format"
            case .imageOverLimit: "Image over a limit"
            case .badOriginal: "The origin sent no usable image"
            case .originUnavailable: "The origin is unavailable"
            case .originTooSlow: "The origin is too slow"
            case .originBusy: "The origin is too busy"
            case .overloaded: "Too busy"
            case .storageFailed: "Storage failed"
            case .internalError: "Internal error"
            }
        }
    }

    /// What went wrong; decides type, title and status.
    public let kind: Kind
    /// A sentence for whoever made the request: what is wrong, and what is accepted.
    public let detail: String
    /// When to try again, in seconds.
    public var retryAfterSeconds: Int?

    /// A problem with a sentence for whoever made the request.
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
    public func json(requestID: RequestID? = nil) -> [UInt8] {
        let body = Body(
            type: "urn:onesheet:problem:\(self.kind.rawValue)", title: self.kind.title, status: self.kind.status,
            detail: self.detail, requestId: requestID?.description)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and a number: nothing here that JSON could not hold.
        return (try? encoder.encode(body)).map { [UInt8]($0) } ?? Array("{}".utf8)
    }
}
