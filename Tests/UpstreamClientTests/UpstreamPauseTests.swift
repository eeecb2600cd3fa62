import Flights
import HTTPFetch
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import UpstreamClient

/// Pauses of upstreams and their effect on daily budgets.
@Suite("Upstreams that are left alone")
struct UpstreamPauseTests {
    @Test func aBusyUpstreamWithoutRetryAfterIsPausedForLongerEachTime() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .tooMany())
            let rig = try UpstreamFixture(upstream, store: nil) { $0.retry.maxRetries = 2 }
            let client = rig.client()
            for (count, pause) in [2, 4, 8, 16, 32, 64, 64].enumerated() {
                for path in ["/film", "/film", "/other"] {
                    #expect(await client.failure(path) == .busy(.tmdb, retryAfterSeconds: pause))
                }
                #expect(upstream.requests.count == count + 1, "nor is it asked again by itself")
                rig.clock.advance(by: .seconds(pause))
            }
            upstream.on("GET", "/fine", .json("{}"))
            #expect(try await client.text("/fine") == "{}")
            #expect(await client.failure("/film") == .busy(.tmdb, retryAfterSeconds: 2), "it was not in a row")
        }
    }

    @Test func aClassifiersPauseHolds() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json("{}"))
            let rig = try UpstreamFixture(upstream)
            let client = rig.client(budget: .korean(2)) { _ in .failure(.busy(.tmdb, retryAfterSeconds: 5000)) }
            for _ in 0..<3 { #expect(await client.failure("/film") == .busy(.tmdb, retryAfterSeconds: 5000)) }
            rig.clock.advance(by: .seconds(4999))
            #expect(await client.failure("/other") == .busy(.tmdb, retryAfterSeconds: 1))
            #expect(upstream.requests.count == 1)
            rig.clock.advance(by: .seconds(1))
            // The pause did not use the budget.
            #expect(await client.failure("/film") == .busy(.tmdb, retryAfterSeconds: 5000))
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func whatIsNotSentIsNotCountedAndWhatFailsIsSentOnce() async throws {
        let store = try ResponseStore()
        try await withUpstream { upstream in
            upstream.on("GET", "/broken", .status(500))
            upstream.on("GET", "/fine", .json("{}"))
            let rig = try UpstreamFixture(upstream, store: store) {
                $0.retry.maxRetries = 2
                $0.breaker.threshold = 1
                $0.breaker.duration = .seconds(3600)
            }
            let client = rig.client(budget: .korean(2))
            #expect(await client.failure("/broken") == .unavailable(.tmdb, reason: "status 500"))
            for _ in 0..<5 {
                guard case .busy(.tmdb, let seconds) = await client.failure("/fine") else {
                    return #expect(Bool(false), "the circuit is open")
                }
                #expect((3000...3600).contains(seconds))
            }
            #expect(upstream.requests.count == 1)
            // Another process, with a closed circuit breaker.
            let restarted = try UpstreamFixture(upstream, store: store).client(budget: .korean(2))
            #expect(try await restarted.text("/fine") == "{}")
            guard case .busy = await restarted.failure("/broken") else {
                return #expect(Bool(false), "the budget is spent")
            }
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func anUpstreamThatIsNotThereUsesNothingUp() async throws {
        let store = try ResponseStore()
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .json("{}"))
            let rig = try UpstreamFixture(upstream, store: store)
            let nowhere = UpstreamClient(
                source: .tmdb, baseURL: "http://nowhere.rest.test", budget: .korean(1),
                in: .init(transport: FetchTransport(rig.fetcher), store: store, now: rig.clock.now, logger: .silent))
            for _ in 0..<3 {
                guard case .unavailable = await nowhere.failure("/film") else {
                    return #expect(Bool(false), "there is no such host")
                }
            }
            #expect(try await rig.client(budget: .korean(1)).text("/film") == "{}")
        }
    }

    @Test func aPassingAnswerIsFreshForAsLongAsIsSaid() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", inTurn: [.json("{}"), .json(#"{"a":1}"#)])
            let rig = try UpstreamFixture(upstream)
            let client = rig.client { answer in answer.body.count == 2 ? .shortLived(.seconds(60)) : .byStatus }
            for _ in 0..<2 { #expect(try await client.text("/film", lifetime: .seconds(86_400)) == "{}") }
            rig.clock.advance(by: .seconds(60))
            #expect(try await client.text("/film", lifetime: .seconds(86_400)) == #"{"a":1}"#)
            rig.clock.advance(by: .seconds(86_399))
            #expect(try await client.text("/film", lifetime: .seconds(86_400)) == #"{"a":1}"#)
            #expect(upstream.requests.count == 2)
        }
    }
}
