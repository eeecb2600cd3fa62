import Flights
import HTTPFetch
import HTTPServer
import OneSheetConfiguration
import PictureTesting
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct MetricsTests {
    private static let target = "/poster/mine:a.jpg?w=46"
    private static let picture = TestPicture.jpeg(width: 60, height: 90)

    @Test func eachRequestIsCountedOnceWhicheverWayItWasAnswered() async throws {
        try await Self.withServer { server, _ in
            let connection = try server.connect()
            for _ in 0..<3 { _ = try await connection.get(Self.target) }
            let tag = try #require(try await connection.get(Self.target).headers["etag"])
            _ = try await connection.get(Self.target, headers: ["If-None-Match": tag])
            _ = try await connection.get(Self.target, method: "HEAD")
            _ = try await connection.get("/poster/mine:a.jpg/info")
            _ = try await connection.get("/poster/mine:none.jpg?w=46")
            _ = try await connection.get("/nothing")
            _ = try await connection.get("/nothing/else", method: "PROPFIND")
            let metrics = try await server.metrics()
            func count(_ method: String, _ route: String, _ status: String) -> Double? {
                metrics["onesheet_http_requests_total{method=\"\(method)\",route=\"\(route)\",status=\"\(status)\"}"]
            }
            #expect(count("GET", "/poster/{id}", "200") == 4)
            #expect(count("GET", "/poster/{id}", "304") == 1)
            #expect(count("HEAD", "/poster/{id}", "200") == 1)
            #expect(count("GET", "/poster/{id}/info", "200") == 1)
            #expect(count("GET", "/poster/{id}", "404") == 1)
            #expect(count("GET", "other", "404") == 1)
            #expect(count("other", "other", "404") == 1)
            let durations = metrics.filter { $0.key.hasPrefix("onesheet_http_request_duration_seconds_count") }
            #expect(durations.values.reduce(0, +) == 10)
            #expect(metrics["onesheet_http_requests_in_flight"] == 1, "the one that asks")
            #expect(server.requests.count == 11)
            #expect(server.requests.filter { $0.way == .eventLoop }.count == 5)
        }
    }

    @Test func whatWasDoneForThemIsCounted() async throws {
        try await Self.withServer { server, origin in
            let name = "http://127.0.0.1:\(origin.port)"
            for target in [Self.target, Self.target, "/poster/mine:a.jpg?w=47", "/poster/mine:none.jpg?w=46"] {
                _ = try await server.get(target)
            }
            try await eventually { try await server.metrics()["onesheet_originals"] == 1 }
            let metrics = try await server.metrics()
            #expect(metrics["onesheet_variant_hits_total"] == 1)
            #expect(metrics["onesheet_variant_misses_total"] == 2)
            #expect(metrics["onesheet_renders_total"] == 2)
            #expect(metrics["onesheet_decodes_total"] == 2)
            #expect(metrics["onesheet_variants"] == 2)
            #expect(metrics["onesheet_original_misses_total"] == 2)
            #expect(metrics["onesheet_original_hits_total"] == 1)
            #expect(metrics["onesheet_decode_duration_seconds_count{format=\"jpeg\"}"] == 2)
            #expect(metrics["onesheet_encode_duration_seconds_count{format=\"jpeg\"}"] == 2)
            #expect(metrics["onesheet_fetches_total{origin=\"\(name)\",outcome=\"fetched\"}"] == 1)
            #expect(metrics["onesheet_fetches_total{origin=\"\(name)\",outcome=\"unknown\"}"] == 1)
            #expect(metrics["onesheet_fetch_duration_seconds_count{origin=\"\(name)\",outcome=\"fetched\"}"] == 1)
            #expect(metrics["onesheet_origin_attempts_total{origin=\"\(name)\"}"] == 2)
            #expect(metrics["onesheet_origin_breaker{origin=\"\(name)\"}"] == 0)
            #expect(try #require(metrics["process_resident_memory_bytes"]) > 1_000_000)
            #expect(try #require(metrics["process_open_fds"]) > 3)
            #expect(try #require(metrics["process_max_fds"]) >= metrics["process_open_fds"] ?? 0)
            #expect(try #require(metrics["process_cpu_seconds_total"]) > 0)
            #expect(try #require(metrics["process_start_time_seconds"]) > 1_600_000_000)
            #expect(metrics["onesheet_build_info{version=\"\(ProductVersion.current)\"}"] == 1)
        }
    }

    @Test func aClientThatLeavesIsNoErrorAndItsWorkCountsAsCancelled() async throws {
        try await Self.withServer { server, origin in
            origin.on("/slow.jpg", .hangInBody(after: []))
            let client = try server.connect()
            try client.send("GET", "/poster/mine:slow.jpg?w=46")
            try await origin.requestsArrived(at: "/slow.jpg")
            client.close()
            try await server.requestsRecorded()
            let facts = try #require(server.requests.first)
            #expect(facts.status == 499 && facts.route == "/poster/{id}" && facts.bodyLength == 0)
            try await eventually { server.fetcher.origins.allSatisfy { $0.fetches.held == 0 } }
            let outcome = "onesheet_fetches_total{origin=\"http://127.0.0.1:\(origin.port)\",outcome=\"cancelled\"}"
            var metrics = try await server.metrics()
            while metrics[outcome] == nil { metrics = try await server.metrics() }
            #expect(metrics[outcome] == 1)
            #expect(metrics["onesheet_http_requests_in_flight"] == 1, "the one that asks")
        }
    }

    @Test func aClientThatLeavesInTheMidstOfALargeAnswerIsCountedWithWhatItGot() async throws {
        try await Self.withServer { server, origin in
            let large = TestPicture.jpeg(width: 3000, height: 4500)
            origin.on("/large.jpg", .image(large))
            let whole = try await server.get("/poster/mine:large.jpg")
            #expect(whole.body.count == large.count)
            try await server.requestsRecorded()
            #expect(server.requests.first?.status == 200 && server.requests.first?.bodyLength == large.count)
            let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
            for _ in 0..<200 { try client.send("GET", "/poster/mine:large.jpg") }
            client.close()
            try await server.requestsRecorded { $0.contains { $0.status == 499 } }
            // Finally, only the request for the metrics is in flight.
            var metrics = try await server.metrics()
            while metrics["onesheet_http_requests_in_flight"] != 1 { metrics = try await server.metrics() }
        }
    }

    @Test func whatCannotBeReadIsCountedAsRefusedAndLikeAllOthers() async throws {
        try await Self.withServer { server, _ in
            let requests = [
                "not http at all\r\n\r\n", "GET /twice HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
                "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
            ]
            var lengths: [Int] = []
            for request in requests {
                let connection = try server.connect()
                try connection.send(raw: request)
                lengths.append(try await connection.answer().body.count)
            }
            #expect(server.requests.map(\.status) == [400, 400, 505])
            #expect(server.requests.map(\.target) == ["-", "/twice", "-"])
            #expect(server.requests.map(\.bodyLength) == lengths)
            let metrics = try await server.metrics()
            #expect(metrics["onesheet_http_refusals_total"] == 3)
            func count(_ method: String, _ status: String) -> Double? {
                metrics["onesheet_http_requests_total{method=\"\(method)\",route=\"other\",status=\"\(status)\"}"]
            }
            #expect(count("other", "400") == 1 && count("GET", "400") == 1 && count("other", "505") == 1)
        }
    }

    @Test func connectionsAndCachedTargetsAreExported() async throws {
        try await Self.withServer { server, _ in
            let connection = try server.connect()
            for _ in 0..<2 { _ = try await connection.get(Self.target) }
            let metrics = try await server.metrics()
            #expect(metrics["onesheet_hit_targets"] == 1)
            #expect(try #require(metrics["onesheet_hit_target_bytes"]) > 100)
            #expect(metrics["onesheet_connections"] == 2, "the one that asks is another")
            #expect(metrics["onesheet_connections_limit"] == 4096)
            #expect(metrics["onesheet_connections_paused"] == 0 && metrics["onesheet_connections_waiting"] == 0)
            #expect(metrics["onesheet_connections_refused_total"] == 0)
            #expect(metrics["onesheet_connections_ended_for_room_total"] == 0)
        }
    }

    @Test func manyMayAskAtOnce() async throws {
        try await Self.withServer { server, _ in
            for number in 40..<50 { _ = try await server.get("/poster/mine:a.jpg?w=\(number)") }
            let renders = try await withThrowingTaskGroup(of: Double?.self) { group in
                for _ in 0..<16 {
                    group.addTask { try await server.metrics()["onesheet_renders_total"] }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(renders == Array(repeating: 10, count: 16))
            let metrics = try await server.metrics()
            #expect(metrics["onesheet_variant_evictions_total"] == 0)
        }
    }

    @Test(.enabled(if: Promtool.isInstalled, "promtool is part of Debian's prometheus"))
    func prometheusFindsNothingWrong() async throws {
        try await Self.withServer { server, origin in
            origin.on("/slow.jpg", .hangInBody(after: []))
            for target in [Self.target, Self.target, "/poster/mine:none.jpg?w=46", "/", "/nothing", "/readyz"] {
                _ = try await server.get(target)
            }
            let text = try await server.get("/metrics").text
            let outcome = try await Promtool.run(["check", "metrics"], input: text)
            #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome.text)")
        }
    }

    @Test func everyExportedMetricIsDescribed() async throws {
        try await Self.withServer { server, _ in
            for target in [Self.target, "/poster/mine:none.jpg?w=46"] { _ = try await server.get(target) }
            let answer = try await server.get("/metrics")
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(!answer.text.contains("Values recorded as"), "a metric has no description")
        }
    }

    private static func withServer(
        _ body: @escaping @Sendable (LiveServer, OriginServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture))
            try await LiveServer.run(origin: origin) { server in try await body(server, origin) }
        }
    }
}
