import FoundationEssentials
import HTTPServer
import InternetAddress
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

/// Rules for clients on both paths, over real sockets.
@Suite(.timeLimit(.hang))
struct ClientLiveTests {
    private static let poster = "/poster/nosferatu-1922?w=92"

    private func withServer(
        burst: Int, trusts network: String? = nil, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        var settings = LiveServer.Settings()
        if let network { settings.clients.proxies.networks = [try #require(IPNetwork(network))] }
        settings.clients.rates = ClientRateLimiter(
            ClientRateLimiter.Limit(rate: 1, burst: burst), now: ManualClock().now)
        let changed = settings
        try await withOrigin { origin in try await LiveServer.run(origin: origin, changed, body) }
    }

    private func expectRefusal(_ answer: HTTPConnection.Answer, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(answer.status == 429, sourceLocation: location)
        #expect(answer.headers["retry-after"] == "1", sourceLocation: location)
        #expect(answer.headers["content-type"] == "application/problem+json", sourceLocation: location)
        #expect(answer.headers["cache-control"] == "no-store", sourceLocation: location)
        #expect(answer.text.contains("urn:onesheet:problem:too-many-requests"), sourceLocation: location)
        #expect(answer.text.contains("1 a second, and 2 at once"), sourceLocation: location)
    }

    @Test func hitsAndMissesAreRefusedAlikeAndTheConnectionStaysForAFewOfThem() async throws {
        try await self.withServer(burst: 2) { server in
            let connection = try server.connect()
            #expect(try await connection.get(Self.poster).status == 200)
            #expect(try await connection.get(Self.poster).status == 200)
            #expect(server.requests.map(\.way) == [.route, .eventLoop])
            for target in [Self.poster, "/poster/nosferatu-1922?w=93"] {
                let answer = try await connection.get(target)
                try self.expectRefusal(answer)
                #expect(answer.headers["connection"] == nil)
            }
            let last = try await connection.get(Self.poster)
            try self.expectRefusal(last)
            #expect(last.headers["connection"] == "close")
            try await connection.closedByServer()
            for target in ["/", "/nowhere", "/poster/x?w=0"] { try self.expectRefusal(try await server.get(target)) }
            let head = try await server.get(Self.poster, method: "HEAD")
            #expect(head.status == 429 && head.headers["retry-after"] == "1")
            #expect(server.pipeline.status.renders == 1)
        }
    }

    @Test func monitoringRequestsAreNotRefused() async throws {
        try await self.withServer(burst: 1) { server in
            let connection = try server.connect()
            #expect(try await connection.get("/openapi.json").status == 200)
            for target in ["/healthz", "/metrics", "/healthz?full", "/metrics"] {
                #expect(try await connection.get(target).status == 200)
            }
            for target in ["/", "/healthz/", "/%68ealthz", "/poster/healthz", "//healthz"] {
                // New connections, as several consecutive refusals close one.
                #expect(try await server.get(target).status == 429, "\(target)")
            }
        }
    }

    @Test func clientsOfATrustedProxyHaveAnAccountEach() async throws {
        try await self.withServer(burst: 2, trusts: "127.0.0.1") { server in
            let connection = try server.connect()
            for address in ["192.0.2.1", "192.0.2.2", "2001:db8::1"] {
                let headers = ["X-Forwarded-For": "203.0.113.9, \(address)"]
                for _ in 0..<2 { #expect(try await connection.get(Self.poster, headers: headers).status == 200) }
                try self.expectRefusal(try await connection.get(Self.poster, headers: headers))
                try self.expectRefusal(try await connection.get("/", headers: headers))
                let invented = ["X-Forwarded-For": "203.0.113.10, \(address)"]
                try self.expectRefusal(try await connection.get("/", headers: invented))
            }
        }
    }

    @Test func untrustedPeersCannotForgeClients() async throws {
        try await self.withServer(burst: 2, trusts: "10.0.0.0/8") { server in
            for number in 1...2 {
                let headers = ["X-Forwarded-For": "192.0.2.\(number)", "Forwarded": "for=192.0.2.\(number)"]
                #expect(try await server.get(Self.poster, headers: headers).status == 200)
            }
            let headers = ["X-Forwarded-For": "192.0.2.3", "Forwarded": "for=192.0.2.3"]
            try self.expectRefusal(try await server.get(Self.poster, headers: headers))
        }
    }

    @Test func headsThatAreTooLargeAreRefusedWithASentence() async throws {
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin) { server in
                let connection = try server.connect()
                let fields = (0..<120).map { ("X-\($0)", "a") }
                let many = try await connection.get(Self.poster, headers: Dictionary(uniqueKeysWithValues: fields))
                #expect(many.status == 431 && many.text.contains("urn:onesheet:problem:header-too-large"))
                let long = String(repeating: "a", count: 33 << 10)
                let large = try await connection.get(Self.poster, headers: ["Cookie": long])
                #expect(large.status == 431 && large.text.contains("the maximum is 32768"))
                #expect(try await connection.get(Self.poster).status == 200)
            }
        }
    }
}
