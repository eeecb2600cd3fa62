import Flights
import Foundation
import MovieDomain
import PosterTesting
import Testing

/// Numbers of requests to upstreams, and their limits.
@Suite("Requests to upstreams", .timeLimit(.hang))
struct UpstreamRequestCountTests {
    private static let list = "/tmdb/movie/popular"
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    @Test func twentyClientsOfAColdListAreOneRequest() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let gate = Gate()
            upstream.on("GET", Self.list, .held(gate, .json(UpstreamBodies.page([UpstreamBodies.row(1)]))))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                let server = fixture.server
                let before = try await server.metric("onesheet_http_requests_in_flight")
                let clients = (0..<20).map { _ in Task { try await server.get("/movies/lists/popular") } }
                try await upstream.requestsArrived(at: Self.list)
                while try await fixture.server.metric("onesheet_http_requests_in_flight") < before + 20 {
                    try Task.checkCancellation()
                }
                gate.open()
                for client in clients {
                    let answer = try await client.value
                    #expect(answer.status == 200 && answer.text.contains("\"tmdb:1\""))
                }
                #expect(upstream.requestCount(to: Self.list) == 1)
                #expect(upstream.requestCount(to: "/tmdb/genre/movie/list") == 0)
            }
        }
    }

    @Test func storedResponsesAreNotRequestedAgainNotEvenAfterARestart() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            var tag: String?
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for _ in 0..<3 { tag = try await fixture.app.send("GET", "/movies/lists/popular").headers["etag"] }
                #expect(upstream.requestCount(to: Self.list) == 1)
                var english = fixture.app
                english.language = "en"
                _ = try await english.get("/movies/lists/popular")
                #expect(upstream.requestCount(to: Self.list) == 2)
                _ = try await english.get("/movies/lists/popular?language=ko")
                _ = try await english.get("/movies/lists/popular?page=1")
                #expect(upstream.requestCount(to: Self.list) == 2)
                #expect(fixture.requests(of: .tmdb).map { $0.query["language"] }.suffix(2).contains("en-US"))
                // A missing film is cached for a while, too.
                for _ in 0..<2 { #expect(try await fixture.app.send("GET", "/movies/tmdb:999").status == 404) }
                #expect(upstream.requestCount(to: "/tmdb/movie/999") == 1)
            }
            let count = upstream.requests.count
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                let again = try await fixture.app.send("GET", "/movies/lists/popular")
                #expect(again.status == 200 && again.body.results.list.count == 3)
                #expect(tag != nil && again.headers["etag"] == tag)
                #expect(try await fixture.app.send("GET", "/movies/tmdb:999").status == 404)
                #expect(upstream.requests.count == count)
            }
        }
    }

    @Test func whatIsStaleIsConfirmedByItsTag() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let page = UpstreamBodies.page([UpstreamBodies.row(1)])
            upstream.on("GET", Self.list) { request in
                request.headers["if-none-match"] == "\"v1\""
                    ? .status(304) : .json(page, headers: [("ETag", "\"v1\"")])
            }
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                _ = try await fixture.app.get("/movies/lists/popular")
            }
            try StoredResponses(in: self.data).age()
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for _ in 0..<2 {
                    let list = try await fixture.app.get("/movies/lists/popular")
                    #expect(list.results.list.count == 1)
                    try await upstream.requestsArrived(at: Self.list, count: 2)
                }
                try await upstream.requestsArrived(at: Self.list, count: 2)
                try await eventually {
                    try await fixture.app.send("GET", "/movies/lists/popular").headers["cache-status"] == nil
                }
                #expect(upstream.requestCount(to: Self.list) == 2)
            }
        }
    }

    @Test func theLastClientThatLeavesTakesTheRequestWithIt() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let gate = Gate()
            upstream.on("GET", Self.list, .held(gate, .json(UpstreamBodies.page([]))))
            let options = ["--log-level", "info"]
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb], options) { fixture in
                let client = try fixture.server.connect()
                try client.send("GET", "/movies/lists/popular")
                try await upstream.requestsArrived(at: Self.list)
                let request = try #require(upstream.requests.last { $0.path == Self.list })
                client.close()
                try await upstream.origin.connectionClosed(request.connection)
                // Cancellation by clients is no error, and the next request starts a new fetch.
                gate.open()
                #expect(try await fixture.app.send("GET", "/movies/lists/popular").status == 200)
                #expect(upstream.requestCount(to: Self.list) == 2)
                let said = fixture.server.errors.lowercased()
                #expect(!said.contains("an upstream request failed") && !said.contains("error"))
            }
        }
    }

    @Test func aClientThatLeavesTakesNothingFromTheOthers() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let gate = Gate()
            upstream.on("GET", Self.list, .held(gate, .json(UpstreamBodies.page([UpstreamBodies.row(1)]))))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                let before = try await fixture.server.metric("onesheet_http_requests_in_flight")
                let (leaving, staying) = (try fixture.server.connect(), try fixture.server.connect())
                for client in [leaving, staying] { try client.send("GET", "/movies/lists/popular") }
                try await upstream.requestsArrived(at: Self.list)
                while try await fixture.server.metric("onesheet_http_requests_in_flight") < before + 2 {
                    try Task.checkCancellation()
                }
                leaving.close()
                while try await fixture.server.metric("onesheet_http_requests_in_flight") > before + 1 {
                    try Task.checkCancellation()
                }
                gate.open()
                #expect(try await staying.answer().status == 200)
                #expect(upstream.requestCount(to: Self.list) == 1)
            }
        }
    }

    @Test func aSpentDailyBudgetIsReportedUntilTheNextDay() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.kobis]) { fixture in
                _ = try await fixture.app.get("/box-office/daily?date=2024-05-04")
            }
            try StoredResponses(in: self.data).age()
            try StoredResponses(in: self.data).spend(2999, of: .kobis)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.kobis]) { fixture in
                // The last request of the daily quota.
                _ = try await fixture.app.get("/box-office/daily?date=2024-05-03")
                let spent = try await fixture.app.send("GET", "/box-office/daily?date=2024-05-02")
                #expect(spent.status == 503)
                #expect(spent.body.type.text == "urn:onesheet:problem:source-busy")
                #expect(spent.headers["retry-after"].flatMap { Int($0) }.map { (1...86_400).contains($0) } == true)
                // Stale responses are still served.
                #expect(try await fixture.app.get("/box-office/daily?date=2024-05-04").results.list.count == 2)
                #expect(fixture.requests(of: .kobis).compactMap { $0.query["targetDt"] } == ["20240504", "20240503"])
            }
        }
    }
}
