import ArgumentParser

/// Options about the HTTP server: where it listens, and what its clients may do.
struct HTTPServerOptions: ParsableArguments {
    @Option(help: "Address to listen on. Default: 127.0.0.1")
    var host: String?

    @Option(
        help:
            "Port to listen on in the clear, 0 for any free one, or off. Default: 8080 in the clear, off with other sockets to listen on"
    )
    var port: String?

    @Option(
        help: "File with the certificate chain, in PEM; makes HTTP/2 and HTTP/1.1 over TLS. Read again when it changes."
    )
    var tlsCert: String?

    @Option(help: "File with the certificate's key, in PEM. Read again when it changes.")
    var tlsKey: String?

    @Option(
        help:
            "Port to listen on with TLS when there is a certificate, 0 for any free one, or off. Default: 8443 with a certificate"
    )
    var tlsPort: String?

    @Option(help: "Unix socket to listen on in the clear.")
    var unixSocket: String?

    @Option(help: "Who may connect to the Unix socket, as an octal file mode. Default: 660")
    var unixSocketMode: String?

    @Option(help: "Seconds that clients may keep a poster. Default: 86400")
    var maxAge: String?

    @Option(
        help: "Seconds after that in which caches may still show it while they ask again, 0 for none. Default: 86400")
    var staleWhileRevalidate: String?

    @Option(help: "Seconds after that in which caches may show it instead of an error, 0 for none. Default: 604800")
    var clientStaleIfError: String?

    @Option(help: "https://host where clients reach the server, for the URLs that it tells. Default: relative ones")
    var publicUrl: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Make the posters of a list that was just served, at the widths that clients asked for lately, before they ask.             Default: no
            """)
    var warmLists: Bool?

    @Option(help: "Connections that are accepted at once. Default: 4096")
    var maxConnections: String?

    @Option(
        help: """
            Connections that one address, or /64 network of IPv6, may have at once, 0 for any number; those of \
            --trusted-proxy and of Unix sockets may be any number. Default: 256
            """)
    var connectionsPerAddress: String?

    @Option(
        help: """
            Port of --host for /healthz, /readyz and /metrics alone, in the clear, with connections of its own; 0 for any \
            free one, or off. Default: off
            """)
    var operationsPort: String?

    @Option(help: "Seconds that a client may take to send the head of a request. Default: 10")
    var headerTimeout: String?

    @Option(help: "Seconds that a client may take to read what was written to it. Default: 60")
    var sendTimeout: String?

    @Option(
        help:
            "Memory for responses that clients have not taken, at least 1MiB; above it the slowest are ended. Default: 64MiB"
    )
    var sendMemoryBudget: String?

    @Option(help: "Seconds that a connection may be silent between requests. Default: 60")
    var idleTimeout: String?

    @Option(help: "Seconds that a stop waits for clients that are being answered. Default: 30")
    var stopTimeout: String?

    @Option(
        name: .customLong("trusted-proxy"),
        help: """
            An address or a network (10.1.0.0/16, fd00::/8) of proxies, or unix for the Unix socket, repeatable: what they \
            say of their clients in Forwarded or X-Forwarded-For is believed.
            """)
    var trustedProxies: [String] = []

    @Option(help: "Requests a second that one client may send, by its address, 0 for any number. Default: 0")
    var clientRate: String?

    @Option(help: "Requests that it may send at once after a rest. Default: 4 times the rate, at least 20")
    var clientBurst: String?

    @Option(help: "File with the token that opens the admin routes; without it there are none.")
    var adminTokenFile: String?

    @Option(help: "off, text or json: a line on standard output for each request. Default: off")
    var accessLog: String?

    /// What was given on the command line, by option name.
    var given: [String: [String]] {
        let single: [(String, String?)] = [
            ("host", self.host), ("port", self.port), ("max-age", self.maxAge),
            ("tls-cert", self.tlsCert), ("tls-key", self.tlsKey), ("tls-port", self.tlsPort),
            ("unix-socket", self.unixSocket), ("unix-socket-mode", self.unixSocketMode),
            ("stale-while-revalidate", self.staleWhileRevalidate),
            ("client-stale-if-error", self.clientStaleIfError), ("public-url", self.publicUrl),
            ("max-connections", self.maxConnections), ("connections-per-address", self.connectionsPerAddress),
            ("operations-port", self.operationsPort), ("header-timeout", self.headerTimeout),
            ("send-timeout", self.sendTimeout), ("send-memory-budget", self.sendMemoryBudget),
            ("idle-timeout", self.idleTimeout), ("stop-timeout", self.stopTimeout),
            ("admin-token-file", self.adminTokenFile), ("client-rate", self.clientRate),
            ("client-burst", self.clientBurst), ("access-log", self.accessLog),
        ]
        var given = Dictionary(uniqueKeysWithValues: single.compactMap { name, value in value.map { (name, [$0]) } })
        given["warm-lists"] = self.warmLists.map { ["\($0)"] }
        if !self.trustedProxies.isEmpty { given["trusted-proxy"] = self.trustedProxies }
        return given
    }
}
