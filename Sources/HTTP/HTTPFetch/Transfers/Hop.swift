import Flights
import InternetAddress

/// One HTTP request of a fetch, and the handling of its response.
///
/// The levels, from the caller to libcurl:
/// - A *fetch* is one call of ``Fetcher/fetch(_:into:)``.
/// - An *attempt* starts at the fetch's URL: the first one, and one for each retry.
/// - A *hop* is one request of an attempt: the first one, and one for each redirect.
/// - A *transfer* is a hop inside libcurl: an easy handle on the fetch thread.
/// - An *exchange* is the state of a transfer's callbacks.
struct Hop: Sendable, Redacted {
    /// The fetch's request; ``url`` and ``headerLines`` override its own.
    let request: ValidatedRequest
    let url: FetchURL
    /// Header lines, except for the range request of ``resumePoint``.
    let headerLines: [String]
    /// Whether the configuration's private hosts and networks apply to this hop.
    let mayBePrivate: Bool
    /// Where the sink's body broke off; `nil` if it has none.
    let resumePoint: ResumePoint?
    let exposure: OriginTransferTime

    /// Whether only the rest of the body is requested.
    var isResuming: Bool { self.resumePoint?.url == self.url }

    var description: String { "\(self.request.method.rawValue) \(FetchURL.shown(self.url.text))" }
}

/// How a hop's host is reached.
enum Route: Hashable, Sendable {
    /// At the resolved addresses of its name.
    case addresses([IPAddress])
    /// At the literal address in the URL.
    case literal(IPAddress)
    /// Through the proxy with this URL, which resolves the name.
    case proxy(String)

    /// The host's addresses, as far as they are known before connecting.
    var addresses: [IPAddress] {
        switch self {
        case .addresses(let addresses): addresses
        case .literal(let address): [address]
        case .proxy: []
        }
    }

    var isProxied: Bool { if case .proxy = self { true } else { false } }
}

extension AddressGuard {
    /// Creates the guard for a hop's sockets; a proxy's address is the operator's choice.
    init(_ configuration: FetchConfiguration, hop: Hop, route: Route) {
        guard !route.isProxied else {
            self.init(allowsPrivate: true)
            return
        }
        self.init(
            configuration, host: hop.url.host, mayBePrivate: hop.mayBePrivate, isPublicOnly: hop.request.isPublicOnly)
    }

    /// Whether a pooled connection may have been opened for a hop with more permitted addresses than this one.
    static func needsNewConnection(_ configuration: FetchConfiguration, hop: Hop, route: Route) -> Bool {
        guard !route.isProxied else { return false }
        let hasExceptions = !configuration.allowedPrivateHosts.isEmpty || !configuration.allowedPrivateNetworks.isEmpty
        if hop.request.isPublicOnly { return hasExceptions || configuration.allowPrivateAddresses }
        return !hop.mayBePrivate && !configuration.allowPrivateAddresses && hasExceptions
    }
}

/// How a hop ended.
struct HopResult: Sendable {
    enum Ending: Sendable {
        case response(FetchResponse)
        case redirect(to: String)
        case failure(HopFailure)
    }

    var ending: Ending
    /// The values of `Set-Cookie`.
    var cookies: [String] = []
    /// Whether the request, or a part of it, may have reached the host.
    var mayBeSent = false
    /// See ``AddressGuard/isKnownPrivate(_:)``.
    var isPrivate = false
    /// Whether the sink received more of an interrupted body.
    var hasResumed = false
    /// Where the sink's body broke off; `nil` if it has none, or cannot be resumed.
    var resumePoint: ResumePoint?

    var originOutcome: CircuitBreaker.Outcome {
        switch self.ending {
        case .response(let response): Origin.failureStatuses.contains(response.status) ? .failure : .success
        case .redirect: .success
        case .failure(let failure): failure.outcome
        }
    }
}

/// Where a body broke off, and the conditional range request for the rest (RFC 9110, 13.1.5 and 14.2).
struct ResumePoint: Hashable, Sendable {
    /// The URL within which ``etag`` identifies the representation.
    let url: FetchURL
    /// A strong entity tag.
    let etag: String
    var receivedByteCount: Int
    /// Length of the whole body in bytes; `nil` if no header has declared it yet.
    var completeLength: Int?
    /// The head of the 200 that the body began with.
    let head: FetchResponseHead

    /// The headers that request the rest, or everything if it has changed; uncompressed, because ranges count encoded bytes.
    var headerLines: [String] {
        ["Range: bytes=\(self.receivedByteCount)-", "If-Range: \(self.etag)", "Accept-Encoding: identity"]
    }

    /// Returns the length of the whole body if a 206 contains all of the rest; `nil` if it does not, or if no header
    /// declares the length.
    func completeLength(continuedBy response: ResponseHeadParser) -> Int? {
        guard let range = response.contentRange, range.start == self.receivedByteCount,
            let length = self.completeLength ?? range.completeLength, range.completeLength ?? length == length,
            range.end == length - 1, response.etag == self.etag, response.codings.isEmpty
        else { return nil }
        return length
    }

    /// Whether a tag is strong: identical tags mean identical bytes.
    static func isStrong(_ etag: String) -> Bool {
        etag.utf8.count >= 2 && etag.utf8.first == UInt8(ascii: "\"") && etag.utf8.last == UInt8(ascii: "\"")
    }
}
