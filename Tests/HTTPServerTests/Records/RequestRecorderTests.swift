import CoreMetrics
import MetricsTestKit
import NIOCore
import Testing

@testable import HTTPServer
@testable import PrometheusMetrics

struct RequestRecorderTests {
    private static let routes = ["/poster/{id}", "/proxy", "/t/p/{size}/{file}", "/_next/image"]

    @Test func aRequestIsCountedAndTimedByRouteMethodAndStatus() throws {
        let metrics = TestMetrics()
        let recorder = RequestRecorder(metrics: metrics, hitRoutes: Self.routes)
        for _ in 0..<2 { recorder.record(Self.facts(status: 502, bodyLength: 100)) }
        let dimensions = [("route", "/poster/{id}"), ("method", "GET"), ("status", "502")]
        #expect(try metrics.expectCounter("onesheet.http.requests", dimensions).totalValue == 2)
        #expect(try metrics.expectTimer("onesheet.http.request.duration", dimensions).values == [5_000_000, 5_000_000])
        #expect(
            try metrics.expectCounter("onesheet.http.response.bytes", [("route", "/poster/{id}")]).totalValue == 200)
    }

    @Test func aHitCountsAsWhatTheRouteWouldHaveAnswered() throws {
        let metrics = TestMetrics()
        let recorder = RequestRecorder(metrics: metrics, hitRoutes: Self.routes)
        for way in [RequestRecord.Way.eventLoop, .route] {
            for method in ["GET", "HEAD"] {
                for status in [200, 304] { recorder.record(Self.facts(method: method, status: status, way: way)) }
            }
        }
        for method in ["GET", "HEAD"] {
            for status in ["200", "304"] {
                let dimensions = [("route", "/poster/{id}"), ("method", method), ("status", status)]
                #expect(try metrics.expectCounter("onesheet.http.requests", dimensions).totalValue == 2)
            }
        }
    }

    @Test func hitsOfAllLanguagesHaveTheirSeriesReady() throws {
        let metrics = TestMetrics()
        let recorder = RequestRecorder(metrics: metrics, hitRoutes: Self.routes)
        var indices: [Int] = []
        for route in Self.routes {
            for method in ["GET", "HEAD"] {
                for status in [200, 304] {
                    let facts = Self.facts(method: method, route: route, status: status, way: .eventLoop)
                    indices.append(try #require(recorder.hitIndex(facts)))
                }
            }
        }
        #expect(indices == Array(0..<16))
        #expect(recorder.hitIndex(Self.facts(route: "other", status: 200, way: .eventLoop)) == nil)
        recorder.record(Self.facts(route: "/proxy", status: 304, way: .eventLoop))
        let dimensions = [("route", "/proxy"), ("method", "GET"), ("status", "304")]
        #expect(try metrics.expectCounter("onesheet.http.requests", dimensions).totalValue == 1)
    }

    @Test func whatClientsMakeUpIsBounded() throws {
        let registry = PrometheusRegistry()
        let recorder = RequestRecorder(metrics: registry, hitRoutes: Self.routes)
        let before = registry.seriesCount
        for number in 0..<1000 {
            recorder.record(Self.facts(method: "M\(number)", route: "/r\(number)", status: 1000 + number))
        }
        #expect(registry.seriesCount - before <= 3 * (RequestRecorder.routeLimit + 1))
        #expect(
            registry.text.contains("onesheet_http_requests_total{method=\"other\",route=\"other\",status=\"other\"} "))
        #expect(!registry.text.contains("M1"))
    }

    @Test func aRequestWithoutAWrittenResponseIsA499() throws {
        let metrics = TestMetrics()
        let recorder = RequestRecorder(metrics: metrics, hitRoutes: Self.routes)
        var open: InFlightRequest? = InFlightRequest(recorder, Self.facts(status: 200), start: .now())
        #expect(try metrics.expectMeter("onesheet.http.requests.in_flight").lastValue == 1)
        withExtendedLifetime(open) {}
        open = nil
        #expect(try metrics.expectMeter("onesheet.http.requests.in_flight").lastValue == 0)
        let dimensions = [("route", "/poster/{id}"), ("method", "GET"), ("status", "499")]
        #expect(try metrics.expectCounter("onesheet.http.requests", dimensions).totalValue == 1)
    }

    @Test func aRequestEndsOnce() throws {
        let metrics = TestMetrics()
        let recorder = RequestRecorder(metrics: metrics, hitRoutes: Self.routes)
        do {
            let open = InFlightRequest(recorder, Self.facts(status: 200), start: .now())
            open.count(5)
            open.end()
            open.end(status: 500)
        }
        let dimensions = [("route", "/poster/{id}"), ("method", "GET"), ("status", "200")]
        #expect(try metrics.expectCounter("onesheet.http.requests", dimensions).totalValue == 1)
        #expect(try metrics.expectMeter("onesheet.http.requests.in_flight").lastValue == 0)
    }

    private static func facts(
        method: String = "GET", route: String = RequestRecord.posterRoute, status: Int, bodyLength: Int = 0,
        way: RequestRecord.Way = .route
    ) -> RequestRecord {
        RequestRecord(
            method: method, target: "/", route: route, status: status, bodyLength: bodyLength,
            duration: .milliseconds(5), way: way)
    }
}
