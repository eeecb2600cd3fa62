import OneSheetConfiguration
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieAPI
@testable import OneSheetServer
@testable import OpenAPI
@testable import PosterAPI
@testable import PrometheusMetrics

/// Requests whose body never comes as it should, and clients that do not wait: nothing that went wrong here.
@Suite(.timeLimit(.minutes(1)))
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
            #expect(answer.status == 400 && answer.text.contains("a chunk of the body has no size"))
            try await client.closedByServer()
            #expect(server.facts.map(\.status) == [400])
            #expect(server.facts.map(\.route) == [target])
            let metrics = try await MetricsTests.metrics(of: server)
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
            try await eventually { !server.facts.isEmpty }
            #expect(server.facts.map(\.status) == [499])
            #expect(server.facts.map(\.route) == [target])
            let metrics = try await MetricsTests.metrics(of: server)
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
            try await eventually { !server.facts.isEmpty }
            #expect(server.facts.map(\.status) == [499])
        }
    }
}
