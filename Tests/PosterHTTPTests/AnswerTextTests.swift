import FoundationEssentials
import PosterPipeline
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieAPI
@testable import OneSheetServer
@testable import OpenAPI
@testable import PosterAPI
@testable import PrometheusMetrics

struct AnswerTextTests {
    @Test func cacheStatusSaysHitOrWhyItWentForward() {
        #expect(CacheStatus.value(for: Provenance(reach: .cache)) == "OneSheet; hit")
        #expect(
            CacheStatus.value(for: Provenance(reach: .disk)) == "OneSheet; fwd=miss; detail=original-on-disk; stored")
        #expect(
            CacheStatus.value(for: Provenance(reach: .origin, isShared: true, isStored: false))
                == "OneSheet; fwd=uri-miss; fwd-status=200; collapsed")
    }

    @Test func serverTimingIsInMilliseconds() {
        var timings = PosterTimings()
        timings.fetch = 1_234_567
        timings.decode = 14_000_000
        timings.encode = 4_999
        #expect(ServerTiming.value(for: timings) == "fetch;dur=1.23, decode;dur=14.00, encode;dur=0")
        timings.encode = 50_000
        #expect(ServerTiming.value(for: timings).hasSuffix("encode;dur=0.05"))
    }

    @Test("every problem has a type, a title and its status", arguments: Problem.Kind.allCases)
    func problems(kind: Problem.Kind) throws {
        struct Body: Decodable {
            let type: String
            let title: String
            let status: Int
            let detail: String
        }
        let problem = Problem(kind, "what \"is\" wrong\n")
        let body = try JSONDecoder().decode(Body.self, from: Data(problem.json()))
        #expect(body.type == "urn:onesheet:problem:\(kind.rawValue)")
        #expect(body.status == kind.status)
        #expect(!body.title.isEmpty)
        #expect(body.detail == "what \"is\" wrong\n")
    }

    @Test func percentEncodingRoundTrips() {
        for text in ["", "a b", "하녀", "100%", "a/b?c#d&e", "~-._"] {
            #expect(PercentEncoding.decode(PercentEncoding.encode(text.utf8)[...]) == text)
        }
    }
}
