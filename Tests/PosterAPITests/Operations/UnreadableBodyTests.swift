import HTTPTesting
import NIOCore
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer

/// Malformed and incomplete bodies, and early disconnects: no errors of the service.
@Suite(.timeLimit(.hang))
struct UnreadableBodyTests {
    private static let secret = "0123456789abcdef-XYZ"

    private func withServer(
        _ body: @escaping @Sendable (LiveServer, OriginServer) async throws -> Void
    ) async throws {
        var settings = LiveServer.Settings()
        settings.token = try AdminToken(Self.secret)
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in try await body(server, origin) }
        }
    }

    private static func head(_ target: String, _ field: String) -> String {
        "POST \(target) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(Self.secret)\r\n\(field)\r\n\r\n"
    }

    @Test("a malformed body is the client's mistake, and is counted once", arguments: ["/purge", "/poster/prefetch"])
    func malformed(target: String) async throws {
        try await self.withServer { server, _ in
            let client = try server.connect()
            try client.send(raw: Self.head(target, "Transfer-Encoding: chunked") + "ZZZ\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 400 && answer.text.contains("a chunk of the body has an invalid size"))
            try await client.closedByServer()
            #expect(server.requests.map(\.status) == [400])
            #expect(server.requests.map(\.route) == [target])
            let metrics = try await server.metrics()
            #expect(metrics["onesheet_http_refusals_total"] == 0)
        }
    }

    @Test(
        "a client that leaves in the midst of a body is a client that left", arguments: ["/purge", "/poster/prefetch"])
    func left(target: String) async throws {
        try await self.withServer { server, _ in
            let client = try server.connect()
            try client.send(raw: Self.head(target, "Content-Length: 100") + "{}")
            client.closeSending()
            try await client.closedByServer()
            try await server.requestsRecorded()
            #expect(server.requests.map(\.status) == [499])
            #expect(server.requests.map(\.route) == [target])
            let metrics = try await server.metrics()
            #expect(metrics["onesheet_http_refusals_total"] == 0)
        }
    }

    @Test func aClientThatHalfClosesWhileItWaitsGetsNothing() async throws {
        try await self.withServer { server, origin in
            origin.on("/slow.jpg", .hangInBody(after: []))
            let client = try server.connect()
            try client.send("GET", "/poster/mine:slow.jpg?w=46")
            try await origin.requestsArrived(at: "/slow.jpg")
            client.closeSending()
            try await client.closedByServer()
            try await server.requestsRecorded()
            #expect(server.requests.map(\.status) == [499])
        }
    }

    @Test func aTooLargeBodyIsNotAskedFor() async throws {
        try await self.withServer { server, _ in
            let client = try server.connect()
            let fields = "Expect: 100-continue\r\nContent-Length: 99999999"
            try client.send(raw: Self.head("/purge", fields))
            let answer = try await client.answer()
            #expect(answer.status == 413 && answer.headers["connection"] == "close")
            // Other expectations are refused.
            let other = try server.connect()
            try other.send(raw: Self.head("/purge", "Expect: 200-ok\r\nContent-Length: 3") + "abc")
            let refusal = try await other.answer()
            #expect(refusal.status == 417 && refusal.text.contains("urn:onesheet:problem:expectation-failed"))
            #expect(try await other.get("/healthz").status == 200)
        }
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func aCancelledRequestEndsItsWorkAndTheConnectionStays() async throws {
        let folder = TemporaryFolder()
        var settings = LiveServer.Settings()
        let certificate = try TestCertificate(in: folder.path)
        settings.tls = try TLSCredentials(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        try await withOrigin { [settings] origin in
            origin.on("/film.jpg", .hangBeforeHeaders)
            try await LiveServer.run(origin: origin, settings) { server in
                let client = try await HTTP2Client(port: server.port)
                let exchange = try await client.ask("/poster/mine:film.jpg?w=40")
                try await origin.requestsArrived(at: "/film.jpg")
                await exchange.cancel()
                try await origin.allConnectionsClosed()
                let answer = try await client.get("/poster/nosferatu-1922?w=92")
                #expect(answer.status == 200)
                try await client.channel.close()
            }
        }
    }
}
