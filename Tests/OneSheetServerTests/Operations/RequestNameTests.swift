import Foundation
import HTTPServer
import InMemoryTracing
import PictureTesting
import PosterTesting
import ServiceTesting
import Testing
import Tracing

/// Ids of requests in problems, in the access log and in traces.
@Suite(.timeLimit(.hang))
struct RequestNameTests {
    private static let target = "/poster/mine:a.jpg?w=46"
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func aProblemSaysWhatItsRequestIsCalled() async throws {
        try await Self.withServer { server in
            for (headers, name) in [
                (["X-Request-Id": "mine-1"], "mine-1"),
                (["traceparent": Self.parent], "4bf92f3577b34da6a3ce929d0e0e4736"),
            ] {
                let problem = try await server.get("/nothing", headers: headers)
                #expect(problem.headers["x-request-id"] == name)
                #expect(problem.text.contains("\"requestId\":\"\(name)\""))
            }
            let problem = try await server.get("/nothing", headers: ["X-Request-Id": "two words"])
            let made = try #require(problem.headers["x-request-id"])
            #expect(made != "two words" && problem.text.contains("\"requestId\":\"\(made)\""))
            #expect(try await server.get(Self.target).headers["x-request-id"] == nil, "what is cached has no name")
        }
    }

    @Test func theAccessLogHasALineOfEachRequest() async throws {
        let pipe = try OutputPipe()
        let writer = try LineWriter(descriptor: pipe.descriptor)
        var settings = LiveServer.Settings()
        settings.accessLog = AccessLog(.json, writer: writer)
        try await Self.withServer(settings) { server in
            let connection = try server.connect()
            let headers = ["X-Request-Id": "r", "Authorization": "Bearer secret", "Cookie": "secret"]
            for target in [Self.target, Self.target, "/nothing?s=secret&x=\"y\""] {
                _ = try await connection.get(target, headers: headers)
            }
            _ = try await connection.get(Self.target)
        }
        try await onOwnThread { writer.close() }
        pipe.closeWriting()
        let text = try await onOwnThread { String(decoding: pipe.readAll(), as: UTF8.self) }
        let lines = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        try #require(lines.count == 4)
        #expect(lines.map(\.path) == [Self.target, Self.target, "/nothing?s=***&x=\"y\"", Self.target])
        #expect(lines.map(\.status) == [200, 200, 404, 200])
        #expect(lines.map(\.way) == ["route", "event-loop", "route", "event-loop"])
        #expect(lines.map(\.cache) == ["uri-miss", "hit", "-", "hit"])
        #expect(lines.prefix(3).allSatisfy { $0.requestID == "r" } && lines[3].requestID.utf8.count == 32)
        #expect(lines.allSatisfy { $0.client == "127.0.0.1" && $0.method == "GET" && $0.bytes > 0 })
        #expect(!text.contains("secret"))
    }

    private struct Line: Decodable {
        enum CodingKeys: String, CodingKey {
            case method, path, status, bytes, client, way, cache
            case requestID = "request_id"
        }

        let method: String
        let path: String
        let status: Int
        let bytes: Int
        let client: String
        let way: String
        let cache: String
        let requestID: String
    }

    @Test func aRequestIsATraceOfWhatWasDoneForItAndAHitIsNone() async throws {
        let tracer = InMemoryTracer()
        try await withTracer(tracer) {
            try await Self.withServer { server in
                // The propagation fields of this tracer.
                let headers = [InMemoryTracer.traceIDKey: "their-trace", InMemoryTracer.spanIDKey: "their-span"]
                for _ in 0..<2 { _ = try await server.get(Self.target, headers: headers) }
                try await eventually { tracer.activeSpans.isEmpty }
            }
        }
        let spans = tracer.finishedSpans
        let names = spans.map(\.operationName)
        #expect(
            names.sorted() == ["GET /poster/{id}", "decode", "encode", "fetch", "render", "store"], "the hit has none")
        let request = try #require(spans.first { $0.operationName == "GET /poster/{id}" })
        #expect(spans.allSatisfy { $0.traceID == "their-trace" } && request.parentSpanID == "their-span")
        #expect(request.attributes.get("http.route") == .string("/poster/{id}"))
        #expect(request.attributes.get("http.response.status_code") == .int64(200))
        #expect(request.attributes.get("url.path") == .string("/poster/mine:a.jpg"))
        let parents = Dictionary(spans.map { ($0.operationName, $0.parentSpanID) }) { first, _ in first }
        let render = try #require(spans.first { $0.operationName == "render" })
        #expect(parents["decode"] == render.spanID && parents["encode"] == render.spanID)
        #expect(parents["fetch"] == request.spanID && parents["render"] == request.spanID)
    }

    private static func withServer(
        _ settings: LiveServer.Settings = LiveServer.Settings(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            try await LiveServer.run(origin: origin, settings, body)
        }
    }
}
