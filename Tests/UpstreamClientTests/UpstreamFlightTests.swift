import Flights
import MovieDomain
import PosterTesting
import Testing

@testable import UpstreamClient

@Suite("Requests to upstreams in flight")
struct UpstreamFlightTests {
    @Test func concurrentCallersShareOneRequestAndOneDecoding() async throws {
        try await withUpstream { upstream in
            let gate = Gate()
            upstream.on("GET", "/film", .held(gate, .json(#"{"a":1}"#)))
            let client = try UpstreamFixture(upstream).client()
            let decoded = Counter()
            let texts = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<50 { group.addTask { try await client.text("/film", decoded: decoded) } }
                try await upstream.requestsArrived(at: "/film")
                try await eventually { client.flights.waiterCount >= 50 }
                gate.open()
                var texts: [String?] = []
                for try await text in group { texts.append(text) }
                return texts
            }
            #expect(texts == Array(repeating: #"{"a":1}"#, count: 50))
            #expect(upstream.requestCount(to: "/film") == 1)
            #expect(decoded.value == 1)
        }
    }

    @Test func theLastCallerThatLeavesClosesTheConnection() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/film", .hangBeforeHeaders)
            let client = try UpstreamFixture(upstream).client()
            let callers = (0..<2).map { _ in Task { try await client.text("/film") } }
            try await upstream.requestsArrived(at: "/film")
            try await eventually { client.flights.waiterCount >= 2 }
            callers[0].cancel()
            let first = await callers[0].result
            #expect(throws: CancellationError.self) { try first.get() }
            #expect(upstream.origin.openConnectionCount == 1)
            callers[1].cancel()
            let second = await callers[1].result
            #expect(throws: CancellationError.self) { try second.get() }
            try await upstream.origin.connectionClosed(1)
        }
    }

    @Test func requestsOfASessionAreNeitherStoredNorShared() async throws {
        try await withUpstream { upstream in
            upstream.on("POST", "/rating", .json(#"{"status_code":1}"#, status: 201))
            let client = try UpstreamFixture(upstream).client()
            let request = UpstreamRequest(
                "/rating", method: .post, secrets: [("session_id", "s")], json: Array(#"{"value":9}"#.utf8))
            for _ in 0..<2 {
                let answer = try await client.send(request)
                #expect(answer.status == 201)
                #expect(answer.body == Array(#"{"status_code":1}"#.utf8))
            }
            #expect(upstream.requests.count == 2)
            #expect(upstream.requests[0].body == Array(#"{"value":9}"#.utf8))
            #expect(upstream.requests[0].query["session_id"] == "s")
            #expect(upstream.requests[0].headers["content-type"] == "application/json;charset=utf-8")
        }
    }
}
