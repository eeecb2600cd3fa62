import ArgumentParser

/// Options of the HTTP server: listening addresses and limits of clients.
package struct HTTPServerOptions: ParsableArguments {
    @Option(help: "Address to listen on. Default: 127.0.0.1")
    var host: String?

    @Option(help: "Port without TLS, 0 for any free one, or off. Default: 8080 alone, off with TLS or other sockets")
    var port: String?

    @Option(
        help: "File with the certificate chain in PEM, for HTTP/2 and HTTP/1.1 over TLS; reloaded on changes.",
        completion: .file())
    var tlsCert: String?

    @Option(help: "File with the certificate's key in PEM; reloaded on changes.", completion: .file())
    var tlsKey: String?

    @Option(help: "Port with TLS, 0 for any free one, or off. Default: 8443 with a certificate")
    var tlsPort: String?

    @Option(help: "Unix socket to listen on in the clear.", completion: .file())
    var unixSocket: String?

    @Option(help: "Permissions of the Unix socket, as an octal file mode. Default: 660")
    var unixSocketMode: String?

    @Option(help: "Seconds that clients may cache a poster. Default: 86400")
    var maxAge: String?

    @Option(help: "Seconds that clients may cache a poster while its AVIF is pending, at most --max-age. Default: 60")
    var provisionalMaxAge: String?

    @Option(help: "Seconds that caches may serve a stale poster while revalidating it, 0 for none. Default: 86400")
    var staleWhileRevalidate: String?

    @Option(help: "Seconds that caches may serve a stale poster instead of an error, 0 for none. Default: 604800")
    var clientStaleIfError: String?

    @Option(help: "https://host where clients reach the server, for URLs in responses. Default: relative ones")
    var publicUrl: String?

    @Flag(inversion: .prefixedNo, help: "Compress JSON and HTML for clients that accept br or gzip. Default: yes")
    var compression: Bool?

    @Flag(inversion: .prefixedNo, help: "Serve the web pages. Default: yes")
    var web: Bool?

    @Option(
        help: """
            APIs of other services that /compat emulates: off, all, or any of tmdb, kobis, itunes, kakao, naver, \
            omdb and rpdb, separated by commas. Default: all
            """)
    var compat: String?

    @Option(
        help: """
            File with the keys of /compat's clients, one a line: API KEY, with * for all APIs, and ID:SECRET for \
            naver; behind keys of rpdb badges=imdb,rt and the like. Default: any key or none is accepted
            """,
        completion: .file())
    var compatKeysFile: String?

    @Flag(inversion: .prefixedNo, help: "Serve RPDB's paths (/KEY/imdb/poster-default/ID.jpg) at the root. Default: no")
    var rpdb: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Let Accept choose the format at RPDB's paths, instead of JPEG, and PNG for logos. Default: no")
    var rpdbNegotiate: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Redirect RPDB's paths to /poster, so that a CDN has one copy for all keys with equal badges; without \
            effect with --widths or --require-signatures. Default: no
            """)
    var canonicalRedirects: Bool?

    @Flag(inversion: .prefixedNo, help: "Render posters of served lists in advance, at recent widths. Default: no")
    var warmLists: Bool?

    @Option(help: "Maximum number of open connections. Default: 4096")
    var maxConnections: String?

    @Option(help: "Connections from one address or IPv6 /64, 0 for any number; proxies are exempt. Default: 256")
    var connectionsPerAddress: String?

    @Option(help: "Port of --host for /healthz, /readyz and /metrics alone, 0 for any free one, or off. Default: off")
    var operationsPort: String?

    @Option(help: "Seconds that a client may take to send the head of a request. Default: 10")
    var headerTimeout: String?

    @Option(help: "Seconds that a client may take to read sent data. Default: 60")
    var sendTimeout: String?

    @Option(help: "Memory for unread responses, at least 1MiB; above it the slowest are aborted. Default: 64MiB")
    var sendMemoryBudget: String?

    @Option(help: "Seconds that a connection may be idle between requests. Default: 60")
    var idleTimeout: String?

    @Option(help: "Seconds that a shutdown waits for responses in progress. Default: 30")
    var stopTimeout: String?

    @Option(help: "Address or network of proxies whose Forwarded or X-Forwarded-For is trusted, or unix, repeatable.")
    var trustedProxy: [String] = []

    @Option(
        help: """
            Requests a second from one client address (to all nodes with --redis), 0 for any number. Default: 0
            """)
    var clientRate: String?

    @Option(help: "Requests that a client may send at once after a pause. Default: 4 times the rate, at least 20")
    var clientBurst: String?

    @Option(help: "New device tokens and sign-in requests a minute for one address. Default: 60")
    var newTokenRate: String?

    @Option(help: "New device tokens and sign-in requests at once after a pause, for one address. Default: 100")
    var newTokenBurst: String?

    @Option(help: "New device tokens and sign-in requests a minute for all addresses together. Default: 1200")
    var newTokenTotalRate: String?

    @Option(help: "New device tokens and sign-in requests at once after a pause, for all addresses. Default: 1000")
    var newTokenTotalBurst: String?

    @Option(help: "File with the token of the admin routes, which are disabled without it.", completion: .file())
    var adminTokenFile: String?

    @Option(
        help: "Access log on standard output: off, text or json. Default: off",
        completion: .list(["off", "text", "json"]))
    var accessLog: String?

    package init() {}
}
