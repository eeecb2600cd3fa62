import CPosterCurl

/// One easy handle, from its creation to its destruction, and the reference to its ``Exchange`` that libcurl holds.
///
/// Not `Sendable`: it stays on the fetch thread. It must not be in a multi when it is destroyed.
struct CurlTransfer: ~Copyable {
    let handle: OpaquePointer
    private let context: Unmanaged<Exchange>
    private let allowsHTTP2: Bool

    /// - Throws: ``FetchError/outOfMemory``, as does all that follows.
    init(_ exchange: Exchange, configuration: FetchConfiguration) throws(FetchError) {
        let context = Unmanaged.passRetained(exchange)
        var hooks = poster_curl_hooks(
            admit: { Exchange.of($0).admit(UnsafeRawBufferPointer(start: $1, count: $2)) },
            head: { Exchange.of($0).readHead(UnsafeRawBufferPointer(start: $1, count: $2)) },
            body: { Exchange.of($0).readBody(UnsafeRawBufferPointer(start: $1, count: $2)) }
        )
        // libcurl reads a timeout of 0 as its own default of five minutes.
        var limits = poster_curl_limits(
            connect_timeout_milliseconds: max(1, configuration.connectTimeout.millisecondsRoundedUp),
            low_speed_bytes_per_second: configuration.lowSpeedBytesPerSecond,
            low_speed_seconds: (configuration.lowSpeedDuration.millisecondsRoundedUp + 999) / 1000
        )
        let created = poster_curl_transfer_create(&hooks, context.toOpaque(), &limits, configuration.userAgent)
        guard let handle = created else {
            context.release()
            throw .outOfMemory
        }
        self.handle = handle
        self.context = context
        self.allowsHTTP2 = configuration.allowsHTTP2
    }

    deinit {
        // libcurl first: it may hold the context until then.
        poster_curl_transfer_destroy(self.handle)
        self.context.release()
    }

    /// Trusts the PEM certificates in this file instead of the system's.
    func trust(_ certificatesFile: String) throws(FetchError) {
        guard poster_curl_transfer_trust(self.handle, certificatesFile) else { throw .outOfMemory }
    }

    /// Sets what to GET.
    ///
    /// Not while it is in a multi.
    func target(_ url: FetchURL) throws(FetchError) {
        let allowsHTTP2 = url.isTLS && self.allowsHTTP2
        guard poster_curl_transfer_set_target(self.handle, url.text, allowsHTTP2) else { throw .outOfMemory }
    }

    func addHeaders(_ lines: [String]) throws(FetchError) {
        for line in lines {
            guard poster_curl_transfer_add_header(self.handle, line) else { throw .outOfMemory }
        }
    }

    func dropHeaders() {
        poster_curl_transfer_drop_headers(self.handle)
    }

    func ending(code: Int32) -> CurlEnding {
        CurlEnding(
            code: code,
            outcome: poster_curl_outcome_of(code),
            message: String(cString: poster_curl_transfer_message(self.handle, code)),
            hasConnected: poster_curl_transfer_has_connected(self.handle)
        )
    }
}

extension Exchange {
    /// The exchange that a callback's context is; ``CurlTransfer`` keeps it alive.
    fileprivate static func of(_ context: UnsafeMutableRawPointer) -> Exchange {
        Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }
}
