import CPosterCurl
import Flights

/// A hop to be sent by the fetch thread.
struct Submission: Sendable {
    let hop: Hop
    let route: Route
    /// The rest of ``FetchConfiguration/connectTimeout`` after name resolution.
    let connectTimeout: Duration
    let sink: any FetchSink
    /// Resumed by the loop, after it has released the transfer.
    let waiter: Waiter<HopResult>

    var id: UInt64 { self.waiter.id }
}

/// A hop inside libcurl: an easy handle and the state of its callbacks.
///
/// Confined to the fetch thread. It must not be in a multi when it is destroyed.
final class Transfer {
    let handle: OpaquePointer
    /// The callbacks' context, which libcurl does not retain.
    private let exchange: HTTPExchange

    /// - Throws: ``FetchError/outOfMemory``; the caller still has to resume the submission's waiter.
    init(
        _ submission: Submission, configuration: FetchConfiguration, secondsSince1970: @escaping () -> Int64
    ) throws(FetchError) {
        let exchange = HTTPExchange(submission, configuration: configuration, secondsSince1970: secondsSince1970)
        var hooks = poster_curl_hooks(
            admit: { HTTPExchange.of($0).admit(UnsafeRawBufferPointer(start: $1, count: $2)) },
            head: { HTTPExchange.of($0).readHead(UnsafeRawBufferPointer(start: $1, count: $2)) },
            body: { HTTPExchange.of($0).readBody(UnsafeRawBufferPointer(start: $1, count: $2)) }
        )
        // libcurl reads a timeout of 0 as its own default of five minutes.
        var limits = poster_curl_limits(
            connect_timeout_milliseconds: max(1, submission.connectTimeout.millisecondsRoundedUp),
            low_speed_bytes_per_second: configuration.lowSpeedBytesPerSecond,
            low_speed_seconds: configuration.lowSpeedDuration.secondsRoundedUp,
            address_seconds: max(60, 2 * configuration.totalTimeout.secondsRoundedUp)
        )
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        let created = poster_curl_transfer_create(&hooks, context, &limits, configuration.userAgent)
        guard let handle = created else { throw .outOfMemory }
        do throws(FetchError) {
            try Self.prepare(handle, for: submission, configuration)
        } catch {
            poster_curl_transfer_destroy(handle)
            throw error
        }
        self.handle = handle
        self.exchange = exchange
    }

    var submission: Submission { self.exchange.submission }

    deinit {
        // Before the exchange is released, because libcurl may use it until then.
        poster_curl_transfer_destroy(self.handle)
    }

    private static func prepare(
        _ handle: OpaquePointer, for submission: Submission, _ configuration: FetchConfiguration
    ) throws(FetchError) {
        let (hop, route) = (submission.hop, submission.route)
        let allowsHTTP2 = hop.url.isTLS && configuration.allowsHTTP2
        try Self.check(poster_curl_transfer_set_target(handle, hop.url.text, allowsHTTP2))
        if !hop.request.method.isRepeatable { try Self.prepare(handle, toSend: hop.request) }
        for line in hop.headerLines { try Self.check(poster_curl_transfer_add_header(handle, line)) }
        for line in (hop.isResuming ? hop.resumePoint?.headerLines : nil) ?? ["Accept-Encoding: gzip"] {
            try Self.check(poster_curl_transfer_add_header(handle, line))
        }
        if let file = configuration.trustedCertificatesFile {
            try Self.check(poster_curl_transfer_trust(handle, file))
        }
        if AddressGuard.needsNewConnection(configuration, hop: hop, route: route) {
            try Self.check(poster_curl_transfer_forbid_kept_connections(handle))
        }
        switch route {
        case .addresses(let addresses):
            let list = addresses.map { "[\($0)]" }.joined(separator: ",")
            let entry = "+\(hop.url.host):\(hop.url.port):\(list)"
            try Self.check(poster_curl_transfer_set_addresses(handle, entry))
        case .literal: poster_curl_transfer_allow_resolving(handle)
        case .proxy(let proxy):
            poster_curl_transfer_allow_resolving(handle)
            try Self.check(poster_curl_transfer_set_proxy(handle, proxy))
        }
    }

    private static func prepare(_ handle: OpaquePointer, toSend request: ValidatedRequest) throws(FetchError) {
        // A POST or PUT has a Content-Length even without content (RFC 9110, 8.6).
        let content = request.body?.bytes
        let count = content?.count ?? (request.method == .delete ? -1 : 0)
        let isSet = (content ?? []).withUnsafeBytes { bytes in
            poster_curl_transfer_set_method(handle, request.method.rawValue, bytes.baseAddress, count)
        }
        try Self.check(isSet)
        // libcurl sends a request again when a pooled connection turns out to be dead.
        try Self.check(poster_curl_transfer_forbid_kept_connections(handle))
    }

    private static func check(_ isDone: Bool) throws(FetchError) {
        guard isDone else { throw .outOfMemory }
    }

    /// Whether a pooled connection was unfit for the request: bytes were unread on it, or it yielded no response to
    /// this request. The sink has received nothing, and a new connection may succeed.
    func hasMetStaleConnection(code: Int32) -> Bool {
        poster_curl_transfer_met_stale_connection(self.handle, code)
    }

    /// Prepares the transfer, which must not be in a multi, to be added again; it then uses a new connection.
    func prepareRepetition() throws(FetchError) {
        try Self.check(poster_curl_transfer_prepare_repetition(self.handle))
    }

    func result(code: Int32) -> HopResult {
        let outcome = poster_curl_outcome_of(code)
        let isOutOfDescriptors =
            poster_curl_transfer_is_out_of_descriptors(self.handle)
            || (outcome == .trustUnreadable && poster_curl_is_short_of_descriptors())
        return self.exchange.result(
            CurlResult(
                code: code, outcome: outcome,
                message: String(cString: poster_curl_transfer_message(self.handle, code)),
                hasConnected: poster_curl_transfer_has_connected(self.handle),
                isOutOfDescriptors: isOutOfDescriptors))
    }
}

extension HTTPExchange {
    /// Returns the exchange of a callback's context; its ``Transfer`` retains it.
    fileprivate static func of(_ context: UnsafeMutableRawPointer) -> HTTPExchange {
        Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    }
}

extension FetchError {
    /// `CURLE_OUT_OF_MEMORY`.
    static var outOfMemory: FetchError { .failed(code: 27, "out of memory") }

    /// `CURLE_WEIRD_SERVER_REPLY`, which later versions of libcurl report.
    static var conflictingLengths: FetchError {
        .failed(code: 8, "the response has different values of Content-Length")
    }

    /// `CURLE_WEIRD_SERVER_REPLY`, as for ``conflictingLengths``.
    static var invalidLength: FetchError { .failed(code: 8, "the response has a Content-Length that is not a number") }
}

/// How a transfer ended, as libcurl reports it.
struct CurlResult {
    /// The `CURLcode`.
    let code: Int32
    let outcome: poster_curl_outcome
    /// libcurl's error text, for logs.
    let message: String
    /// Whether the connection was ready for the request.
    let hasConnected: Bool
    let isOutOfDescriptors: Bool

    /// Returns the failure, unless a callback has ended the transfer with one of its own.
    /// - Parameter refused: The last of the host's addresses that the ``AddressGuard`` refused.
    func failure(url: FetchURL, refused: String?) -> HopFailure {
        switch self.outcome {
        case .badURL: HopFailure(.invalidURL(FetchURL.shown(url.text)))
        case .notResolved: HopFailure(.resolutionFailed)
        // If no address of a host could be connected to, and one was refused, the refusal is reported.
        case .notConnected:
            HopFailure(
                refused.map { .addressRefused($0) }
                    ?? (self.isOutOfDescriptors ? .outOfDescriptors : .connectFailed(self.message)))
        case .tlsFailed: HopFailure(.tls(self.message))
        case .notTrusted: HopFailure(.certificate(self.message))
        case .trustUnreadable:
            .local(
                self.isOutOfDescriptors
                    ? .outOfDescriptors
                    : .failed(code: self.code, "the trusted CA certificates cannot be read"))
        // libcurl's own timeouts: connecting, and the low-speed limit, which applies only after it.
        case .timedOut: HopFailure(self.hasConnected ? .tooSlow : .timedOut(.connect))
        case .complete, .cutShort: HopFailure(.truncated)
        case .writeRefused, .outOfMemory: .local(.failed(code: self.code, self.message))
        case .other: HopFailure(.failed(code: self.code, self.message))
        }
    }
}
