import InternetAddress
import NIOCore
import NIOHTTP1
import PosterPipeline
import PosterTesting
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Rules for clients on the fast path, in front of the decoder.
@Suite(.timeLimit(.hang))
struct ClientHitsTests {
    private static let ok = "HTTP/1.1 200 OK"
    private let clock = ManualClock()

    private func rules(burst: Int, trusts network: String? = nil) throws -> ClientPolicy {
        let networks = try network.map { [try #require(IPNetwork($0))] } ?? []
        return ClientPolicy(
            proxies: TrustedProxies(networks: networks),
            rates: ClientRateLimiter(ClientRateLimiter.Limit(rate: 1, burst: burst), now: self.clock.now))
    }

    private func connect(_ fixture: CacheHitFixture, _ rules: ClientPolicy, _ body: (CacheHitConnection) throws -> Void)
        throws
    {
        try body(try CacheHitConnection(fixture.hits(clients: rules)))
    }

    @Test func whatIsOverTheRateGoesTheOrdinaryWayAndIsNotCounted() async throws {
        let fixture = try await CacheHitFixture()
        let rules = try self.rules(burst: 3)
        try self.connect(fixture, rules) { connection in
            try connection.send(String(repeating: CacheHitFixture.request(), count: 5))
            #expect(try connection.statusLines() == [Self.ok, Self.ok, Self.ok])
            #expect(connection.routed == [CacheHitFixture.hit, CacheHitFixture.hit])
            #expect(fixture.pipeline.status.hits == 3, "what is refused is no hit")
            for _ in 0..<2 { connection.answer(.tooManyRequests) }
            self.clock.advance(by: .seconds(1))
            try connection.send(CacheHitFixture.request())
            let lines = try connection.statusLines()
            #expect(lines.suffix(1) == [Self.ok])
        }
    }

    @Test func aMissIsCountedHereOnce() async throws {
        let fixture = try await CacheHitFixture()
        let rules = try self.rules(burst: 2)
        try self.connect(fixture, rules) { connection in
            try connection.send(CacheHitFixture.request(CacheHitFixture.miss))
            connection.answer(.created)
            _ = try connection.statusLines()
            try connection.send(CacheHitFixture.request())
            #expect(try connection.statusLines() == [Self.ok])
            try connection.send(CacheHitFixture.request())
            #expect(connection.routed == [CacheHitFixture.miss, CacheHitFixture.hit])
        }
    }

    @Test(
        "two clients behind a proxy have an account each",
        arguments: [
            ("X-Forwarded-For: 203.0.113.9, 192.0.2.1\r\n", "X-Forwarded-For: 203.0.113.9, 192.0.2.2\r\n"),
            ("forwarded: for=192.0.2.1\r\n", "FORWARDED:for=\"192.0.2.2:80\";proto=http\r\n"),
        ])
    func behindAProxy(first: String, second: String) async throws {
        let fixture = try await CacheHitFixture()
        let rules = try self.rules(burst: 1, trusts: "127.0.0.0/8")
        try self.connect(fixture, rules) { connection in
            try connection.send(CacheHitFixture.request(fields: first) + CacheHitFixture.request(fields: second))
            #expect(try connection.statusLines() == [Self.ok, Self.ok])
            try connection.send(CacheHitFixture.request(fields: first))
            #expect(connection.routed == [CacheHitFixture.hit])
        }
    }

    @Test func forwardedFieldsOfUntrustedPeersAreNotRead() async throws {
        let fixture = try await CacheHitFixture()
        let rules = try self.rules(burst: 1, trusts: "10.0.0.0/8")
        try self.connect(fixture, rules) { connection in
            try connection.send(
                CacheHitFixture.request(fields: "X-Forwarded-For: 192.0.2.1\r\n")
                    + CacheHitFixture.request(fields: "X-Forwarded-For: 192.0.2.2\r\n"))
            #expect(try connection.statusLines() == [Self.ok])
            #expect(connection.routed == [CacheHitFixture.hit])
        }
    }

    @Test func aHeaderInTwoLinesIsLeftToTheOrdinaryWay() throws {
        let line = "X-Forwarded-For: 192.0.2.1\r\n"
        let bytes = Array(CacheHitFixture.request(fields: line + line).utf8)
        #expect(FastPathRequest(bytes.span, readsForwarded: true) == nil)
        #expect(FastPathRequest(bytes.span, readsForwarded: false)?.xForwardedFor == nil)
        #expect(FastPathRequest(bytes.span) != nil)
    }
}
