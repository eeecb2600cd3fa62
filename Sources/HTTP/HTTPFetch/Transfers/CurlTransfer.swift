import CPosterCurl

/// One easy handle, from its creation to its destruction, and the reference to its ``HTTPExchange`` that libcurl holds.
///
/// Not `Sendable`: it stays on the fetch thread. It must not be in a multi when it is destroyed.
struct CurlTransfer: ~Copyable {
    let handle: OpaquePointer
    private let context: Unmanaged<HTTPExchange>

    /// Set to a hop.
    ///
    /// - Throws: ``FetchError/outOfMemory``.
    init(_ hop: Hop, exchange: HTTPExchange, configuration: FetchConfiguration) throws(FetchError) {
        let context = Unmanaged.passRetained(exchange)
        var hooks = poster_curl_hooks(
            admit: { HTTPExchange.of($0).admit(UnsafeRawBufferPointer(start: $1, count: $2)) },
            head: { HTTPExchange.of($0).readHead(UnsafeRawBufferPointer(start: $1, count: $2)) },
            body: { HTTPExchange.of($0).readBody(UnsafeRawBufferPointer(start: $1, count: $2)) }
        )
        // libcurl reads a timeout of 0 as its own default of five minutes.
        var limits = poster_curl_limits(
            connect_timeout_milliseconds: max(1, hop.connectTimeout.millisecondsRoundedUp),
            low_speed_bytes_per_second: configuration.lowSpeedBytesPerSecond,
            low_speed_seconds: configuration.lowSpeedDuration.secondsRoundedUp,
            address_seconds: max(60, 2 * configuration.totalTimeout.secondsRoundedUp)
        )
        let created = poster_curl_transfer_create(&hooks, context.toOpaque(), &limits, configuration.userAgent)
        guard let handle = created else {
            context.release()
            throw .outOfMemory
        }
        do throws(FetchError) {
            try Self.prepare(handle, for: hop, configuration)
        } catch {
            poster_curl_transfer_destroy(handle)
            context.release()
            throw error
        }
        self.handle = handle
        self.context = context
    }

    deinit {
        // libcurl first: it may hold the context until then.
        poster_curl_transfer_destroy(self.handle)
        self.context.release()
    }

    private static func prepare(
        _ handle: OpaquePointer, for hop: Hop, _ configuration: FetchConfiguration
    ) throws(FetchError) {
        let allowsHTTP2 = hop.url.isTLS && configuration.allowsHTTP2
        try Self.check(poster_curl_transfer_set_target(handle, hop.url.text, allowsHTTP2))
        if !hop.method.isRepeatable { try Self.prepare(handle, toSend: hop) }
        for line in hop.headerLines { try Self.check(poster_curl_transfer_add_header(handle, line)) }
        if let file = configuration.trustedCertificatesFile {
            try Self.check(poster_curl_transfer_trust(handle, file))
        }
        if AddressGuard.distrustsKeptConnections(configuration, hop: hop) {
            try Self.check(poster_curl_transfer_forbid_kept_connections(handle))
        }
        switch hop.route {
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

    private static func prepare(_ handle: OpaquePointer, toSend hop: Hop) throws(FetchError) {
        // What creates or replaces says how long it is, even if it is nothing (RFC 9110, 8.6).
        let count = hop.body?.count ?? (hop.method == .delete ? -1 : 0)
        let isSet = (hop.body ?? []).withUnsafeBytes { bytes in
            poster_curl_transfer_set_method(handle, hop.method.rawValue, bytes.baseAddress, count)
        }
        try Self.check(isSet)
        // libcurl sends a request again when a connection that was kept turns out to be dead.
        try Self.check(poster_curl_transfer_forbid_kept_connections(handle))
    }

    private static func check(_ isDone: Bool) throws(FetchError) {
        guard isDone else { throw .outOfMemory }
    }

    func ending(code: Int32) -> CurlResult {
        let outcome = poster_curl_outcome_of(code)
        let isOutOfDescriptors =
            poster_curl_transfer_is_out_of_descriptors(self.handle)
            || (outcome == .trustUnreadable && poster_curl_is_short_of_descriptors())
        return CurlResult(
            code: code,
            outcome: outcome,
            message: String(cString: poster_curl_transfer_message(self.handle, code)),
            hasConnected: poster_curl_transfer_has_connected(self.handle),
            isOutOfDescriptors: isOutOfDescriptors
        )
    }
}

extension HTTPExchange {
    /// The exchange that a callback's context is; ``CurlTransfer`` keeps it alive.
    fileprivate static func of(_ context: UnsafeMutableRawPointer) -> HTTPExchange {
        Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    }
}
