/// Why a fetch gave no answer.
///
/// A status other than 200 is an answer, not an error, and a cancelled task gets `CancellationError` instead. Strings are
/// for logs: they hold libcurl's own words, or a URL without its user and query, which may be secrets.
public enum FetchError: Error, Hashable, Sendable {
    // The request's fault.

    /// Not an absolute URL, or one with a user name.
    case invalidURL(String)
    /// Neither `http` nor `https`.
    case forbiddenScheme(String)
    /// The header of this name has a character that may not be in a header.
    case invalidHeader(String)

    // The origin's, or the network's.

    /// The host is at this address, which is not public; nothing was sent.
    case addressRefused(String)
    case resolutionFailed
    case connectFailed(String)
    /// The TLS handshake failed.
    case tls(String)
    /// The origin's certificate is not to be trusted.
    case certificate(String)
    case timedOut(FetchTimeout)
    /// Too few bytes for too long; see ``FetchConfiguration/lowSpeedBytesPerSecond``.
    case tooSlow
    /// The body is, or was declared to be, larger than ``FetchConfiguration/maxBytes``.
    case tooLarge(limit: Int)
    /// The head is larger than ``FetchConfiguration/maxHeaderBytes``.
    case headTooLarge(limit: Int)
    case tooManyRedirects(limit: Int)
    /// A redirect that is not followed: from `https` to `http`, to another scheme, or to no URL at all.
    case badRedirect(String)
    /// The connection ended before the answer did, or the answer's framing is broken.
    case truncated
    /// Anything else that libcurl reports.
    case failed(code: Int32, String)

    // Ours.

    /// The sink refused the body or a part of it.
    case sinkFailed
    /// There is no room: for the fetch among those under way or waiting, for its attempt in the origin's rate, or for
    /// the lookup of its name. There may be after this time, which is an estimate.
    case overloaded(retryAfter: Duration)
    /// The origin asked to be left alone (`Retry-After`), for this much longer; nothing was sent.
    case originPaused(retryAfter: Duration)
    /// The origin has failed too often and is left alone, for this much longer; nothing was sent.
    case circuitOpen(retryAfter: Duration)
    /// The process or the system has too many files open for another connection.
    case outOfDescriptors
    /// The fetcher was shut down.
    case shutDown
}

/// A limit in time.
public enum FetchTimeout: Hashable, Sendable {
    /// ``FetchConfiguration/connectTimeout``: the name was not resolved, or the host not connected to, in time.
    case connect
    /// ``FetchConfiguration/totalTimeout``: the answer was not complete in time.
    case total
}
