/// What is asked of a URL.
public enum FetchMethod: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// Whether asking again is harmless. All that follows from a failure that is not the request's own, redirects, retries and the rest of a
    /// body, is for these only.
    var isRepeatable: Bool { self == .get }
}

/// What is sent along with a request.
public struct FetchBody: Sendable, Hashable {
    /// All of it.
    public var bytes: [UInt8]
    /// Its media type with its parameters.
    public var contentType: String

    /// Something to send.
    public init(_ bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
