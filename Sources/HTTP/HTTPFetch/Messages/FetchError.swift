/// Why a fetch got no response.
///
/// A status other than 200 is a response, not an error; a cancelled task gets `CancellationError` instead. Strings are for
/// logs: libcurl's error texts, or a URL without user and query, which may contain secrets.
public enum FetchError: Error, Hashable, Sendable {
    // Caused by the request.

    /// Not an absolute URL, or a URL with a user name.
    case invalidURL(String)
    /// Neither `http` nor `https`.
    case forbiddenScheme(String)
    /// The header with this name contains a character that is not allowed.
    case invalidHeader(String)

    // Caused by the origin or the network.

    /// The host has this address, which is not public; nothing was sent.
    case addressRefused(String)
    case resolutionFailed
    case connectFailed(String)
    /// The TLS handshake failed.
    case tls(String)
    /// The origin's certificate is not trusted.
    case certificate(String)
    case timedOut(FetchTimeout)
    /// Too few bytes per second for too long; see ``FetchConfiguration/lowSpeedBytesPerSecond``.
    case tooSlow
    /// The body is, or was declared to be, larger than ``FetchConfiguration/maxBytes``.
    case tooLarge(limit: Int)
    /// The head is larger than ``FetchConfiguration/maxHeaderBytes``.
    case headTooLarge(limit: Int)
    case tooManyRedirects(limit: Int)
    /// A redirect that is not followed: from `https` to `http`, to another scheme, or to an invalid URL.
    case badRedirect(String)
    /// The body's content coding is unsupported, or its bytes are invalid in it; the text is a clause that says which.
    case badCoding(String)
    /// The connection, or a content coding, ended before the response did, or the response's framing is invalid.
    case truncated
    /// Anything else that libcurl reports.
    case failed(code: Int32, String)

    // Local.

    /// The sink rejected the body or a part of it.
    case sinkFailed
    /// A limit is reached: of running or waiting fetches, of the origin's rate, or of name lookups. `retryAfter` is an
    /// estimate.
    case overloaded(retryAfter: Duration)
    /// The origin is paused by its `Retry-After`, for this much longer; nothing was sent.
    case originPaused(retryAfter: Duration)
    /// The origin's circuit breaker is open, for this much longer; nothing was sent.
    case circuitOpen(retryAfter: Duration)
    /// The process or the system has too many open files to open another connection.
    case outOfDescriptors
    case shutDown
}

/// A timeout of a fetch.
public enum FetchTimeout: Hashable, Sendable {
    /// ``FetchConfiguration/connectTimeout``: resolving the name and connecting took too long.
    case connect
    /// ``FetchConfiguration/totalTimeout``: the response took too long to complete.
    case total
}
