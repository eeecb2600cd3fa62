import HTTPTesting
import NIOCore
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer

/// Every resource has exactly one path; over real sockets.
@Suite(.timeLimit(.hang))
struct PathTests {
    private static let secret = "0123456789abcdef-XYZ"
    private static let paths = [
        "/poster/nosferatu-1922", "/poster/nosferatu-1922/info", "/poster/nosferatu-1922/srcset",
        "/poster/nosferatu-1922/placeholder", "/_next/image", "/proxy", "/healthz", "/readyz",
        "/metrics", "/openapi.json", "/purge", "/poster/prefetch",
    ]

    private func withServer(
        tls: TLSCredentials? = nil, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = LiveServer.Settings()
        settings.token = try AdminToken(Self.secret)
        settings.tls = tls
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in try await body(server) }
        }
    }

    /// The path with an additional slash at each existing one and at the end.
    private static func spellings(of path: String) -> [String] {
        let slashes = path.indices.filter { path[$0] == "/" }
        return slashes.map { path[..<$0] + "/" + path[$0...] } + [path + "/", "/" + path + "//"]
    }

    @Test("a slash more is another path, with a token too", arguments: Self.paths)
    func emptySegments(path: String) async throws {
        try await self.withServer { server in
            let connection = try server.connect()
            let admin = ["Authorization": "Bearer \(Self.secret)", "Content-Length": "0"]
            for target in Self.spellings(of: path) + ["http://localhost/" + path, "\(path)/?w=92"] {
                for method in ["GET", "HEAD", "POST", "DELETE", "OPTIONS"] {
                    let answer = try await connection.get(target, headers: admin, method: method)
                    #expect(answer.status == 404, "\(method) \(target)")
                    #expect(answer.headers["content-type"] == "application/problem+json")
                    #expect(method == "HEAD" || answer.text.contains("urn:onesheet:problem:not-found"))
                }
            }
            #expect(try await connection.get(path).status != 404)
        }
    }

    @Test(
        "over HTTP/2 too a target begins with a slash, or is a URL of HTTP",
        .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func targetsOfHTTP2() async throws {
        let folder = TemporaryFolder()
        let certificate = try TestCertificate(in: folder.path)
        let credentials = try TLSCredentials(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        try await self.withServer(tls: credentials) { server in
            let client = try await HTTP2Client(port: server.port)
            for (target, status) in [
                ("/healthz", 200), ("https://a.test/healthz", 200), ("HTTP://a.test:80/healthz?x", 200),
                ("//healthz", 404), ("https://a.test//healthz", 404), ("healthz", 400), ("x/healthz", 400),
                ("x/poster/nosferatu-1922?w=92", 400), ("a://b/healthz", 400), ("?://a/healthz", 400),
                ("https:/healthz", 400), ("*", 400), ("/healthz#x", 400),
            ] {
                let answer = try await client.get(target)
                #expect(answer.status == status, "\(target)")
                #expect(status != 400 || answer.text.contains("urn:onesheet:problem:malformed-request"))
            }
            try await client.channel.close()
        }
    }

    @Test(
        "reads both forms of a target, and no third",
        arguments: [
            ("/a/b?c=/d", "/a/b"), ("/", "/"), ("//a", "//a"), ("/a#b", "/a"), ("http://h", "/"),
            ("http://h/a?b", "/a"), ("https://h?x=/a", "/"), ("http://h#/a", "/"), ("HTTPS://h:1/a", "/a"),
            ("a/b", ""), ("ftp://h/a", ""), ("x?://h/a", ""), ("*", ""), ("", ""), ("h:80", ""),
        ])
    func targets(text: String, path: String) {
        #expect(RequestTarget(text).path == path)
    }
}
