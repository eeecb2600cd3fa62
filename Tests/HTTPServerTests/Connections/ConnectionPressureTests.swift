import HTTPTesting
import InternetAddress
import Logging
import NIOCore
import NIOPosix
import PosterTesting
import Synchronization
import Testing

@testable import HTTPServer

/// The effect of clients that only hold connections on other clients, over real sockets.
@Suite(.timeLimit(.hang))
struct ConnectionPressureTests {
    private let folder = TemporaryFolder()

    private func credentials() throws -> TLSCredentials {
        let certificate = try TestCertificate(in: self.folder.path)
        return try TLSCredentials(certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
    }

    /// A client that reads only the first byte of a large response.
    private static func slowReader(_ server: HTTPServerFixture, _ target: String = "/original") async throws
        -> HTTPConnection
    {
        let client = try HTTPConnection(port: server.port, receiveBuffer: 4096)
        try client.send("GET", target)
        try await client.take(atMost: 1)
        return client
    }

    // MARK: Watching

    @Test("the health of a server whose connections are all in use is answered", arguments: ["/original", "/cached"])
    func health(target: String) async throws {
        try await HTTPServerFixture.run(connectionLimit: 2) { server in
            let busy = [try await Self.slowReader(server, target), try await Self.slowReader(server, target)]
            let watcher = try server.connect()
            for _ in 0..<3 {
                let answer = try await watcher.get("/healthz")
                #expect(answer.text == "well")
            }
            let waiting = try server.connect()
            try waiting.send("GET", "/")
            let another = try server.connect()
            let answer = try await another.get("/healthz")
            #expect(answer.text == "well" && !waiting.hasNews)
            for client in busy { client.close() }
            let late = try await waiting.answer()
            #expect(late.text == "here")
        }
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func healthOverTLS() async throws {
        try await HTTPServerFixture.run(
            credentials: self.credentials(), connectionLimit: 1, longestWait: .nanoseconds(0)
        ) {
            server in
            let first = try await HTTP2Client(port: server.port)
            #expect(try await first.get("/").text == "here")
            let second = try await HTTP2Client(port: server.port)
            #expect(try await second.get("/healthz").text == "well")
            #expect(try await second.get("/").status == 503)
            // The connection ends after that response.
            try await second.channel.closeFuture.get()
            #expect(try await first.get("/").text == "here")
            try await first.channel.close()
        }
    }

    @Test func noMoreThanTheReserveIsAcceptedAboveTheLimitWhenManyConnectAtOnce() async throws {
        var bounds = ConnectionLimiter.Bounds(2)
        (bounds.leastRest, bounds.leastSilence) = (.hours(1), .hours(1))
        let limit = ConnectionLimiter(bounds, logger: Logger(label: "test"))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ConnectionLimiter.Gate(limit))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try limit.watch(channel) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let clients = try (0..<40).map { _ in try HTTPConnection(port: port) }
        try await listener.setOption(.autoRead, value: true).get()
        try await eventually { limit.state.withLock { !$0.paused.isEmpty } }
        #expect(limit.count == bounds.count + bounds.reserve)
        for client in clients { client.close() }
        try await listener.close()
    }

    @Test func aConnectionOverTheLimitGetsA503() async throws {
        try await HTTPServerFixture.run(connectionLimit: 1, longestWait: .nanoseconds(0)) { server in
            let first = try server.connect()
            #expect(try await first.get("/").text == "here")
            let second = try server.connect()
            let answer = try await second.get("/")
            #expect(answer.isProblem(503, "overloaded") && answer.headers["retry-after"] == "1", "\(answer.text)")
            #expect(answer.headers["connection"] == "close")
            try await second.closedByServer()
            #expect(try await first.get("/").text == "here")
        }
    }

    @Test func silentConnectionsThatFillTheQueueDoNotKeepTheHealthWaiting() async throws {
        // One connection is served, eight are accepted above the limit, and the others precede the probe in the
        // kernel's queue.
        try await HTTPServerFixture.run(.init(head: .hours(1)), connectionLimit: 1) { server in
            let silent = try (0..<30).map { _ in try server.connect() }
            let watcher = try server.connect()
            #expect(try await watcher.get("/healthz").text == "well")
            #expect(silent.count == 30)
        }
    }

    @Test func idleConnectionsThatFillTheQueueDoNotKeepTheHealthWaiting() async throws {
        try await HTTPServerFixture.run(.init(head: .hours(1)), connectionLimit: 1) { server in
            let idle = try (0..<30).map { _ in
                let connection = try server.connect()
                try connection.send("GET", "/healthz")
                return connection
            }
            let watcher = try server.connect()
            #expect(try await watcher.get("/healthz").text == "well")
            #expect(idle.count == 30)
        }
    }

    // MARK: Over the limit

    @Test func idleConnectionsAreClosedForNewOnes() async throws {
        try await HTTPServerFixture.run(connectionLimit: 4, leastRest: .nanoseconds(0)) { server in
            // The response does not end until the client reads it.
            let busy = try await Self.slowReader(server)
            var idle: [HTTPConnection] = []
            for _ in 0..<5 {
                idle.append(try server.connect())
                let answer = try await idle.last!.get("/")
                #expect(answer.text == "here")
            }
            for connection in idle.prefix(2) { try await connection.closedByServer() }
            #expect(!idle[2].hasNews && !idle[3].hasNews && !idle[4].hasNews, "they have rested less")
            let whole = try await busy.answer()
            #expect(whole.body.count == HTTPServerFixture.largeLength)
        }
    }

    @Test func aConnectionOverTheLimitIsServedWhenAnotherEnds() async throws {
        try await HTTPServerFixture.run(connectionLimit: 1) { server in
            let first = try server.connect()
            let answer = try await first.get("/")
            #expect(answer.text == "here")
            let second = try server.connect()
            try second.send("GET", "/")
            #expect(!second.hasNews)
            first.close()
            let late = try await second.answer()
            #expect(late.text == "here")
        }
    }

    @Test("slow readers are ended for those that wait", arguments: ["/original", "/cached"])
    func slowReaders(target: String) async throws {
        try await HTTPServerFixture.run(
            connectionLimit: 2,
            change: { bounds in
                bounds.leastObservation = .nanoseconds(1)
                bounds.lookPeriod = .milliseconds(10)
            }
        ) { server in
            let slow = [try await Self.slowReader(server, target), try await Self.slowReader(server, target)]
            let next = try server.connect()
            #expect(try await next.get("/").text == "here")
            #expect(slow.count == 2)
        }
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func streamsThatAreNotReadAreSlowReaders() async throws {
        try await HTTPServerFixture.run(
            credentials: self.credentials(), connectionLimit: 1,
            change: { bounds in
                bounds.leastObservation = .nanoseconds(1)
                bounds.lookPeriod = .milliseconds(10)
            }
        ) { server in
            let slow = try await HTTP2Client(port: server.port)
            // The client receives as much as fits into its window.
            _ = try await slow.ask("/original")
            let next = try await HTTP2Client(port: server.port)
            #expect(try await next.get("/").text == "here")
            try await slow.channel.closeFuture.get()
            try await next.channel.close()
        }
    }

    // MARK: One address

    @Test func connectionsThatAreTooManyOfTheirAddressAreClosedAtOnce() async throws {
        // No other limit ends connections without a request.
        try await HTTPServerFixture.run(.init(head: .hours(1)), change: { $0.perAddress = 2 }) { server in
            let first = try server.connect()
            let second = try server.connect()
            for client in [first, second] { #expect(try await client.get("/").text == "here") }
            // These connections are never set up.
            for _ in 0..<3 { try await server.connect().closedByServer() }
            for client in [first, second] { #expect(try await client.get("/").text == "here") }
            first.close()
            await server.ended.wait()
            #expect(try await server.connect().get("/").text == "here")
        }
    }

    @Test func aConnectionEndsAfterAFewRefusals() async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            for number in 1...IdleTracker.refusalLimit {
                let answer = try await client.get("/refused")
                #expect(answer.status == 429)
                let isLast = number == IdleTracker.refusalLimit
                #expect(answer.headers["connection"] == (isLast ? "close" : nil), "refusal \(number)")
            }
            try await client.closedByServer()
        }
    }

    @Test func requestsAfterTheLastRefusalAreNotAnswered() async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(
                raw: String(
                    repeating: "GET /refused HTTP/1.1\r\nHost: a\r\n\r\n", count: IdleTracker.refusalLimit + 2))
            for _ in 1..<IdleTracker.refusalLimit { #expect(try await client.answer().headers["connection"] == nil) }
            let last = try await client.answer()
            #expect(last.headers["connection"] == "close")
            try await client.closedByServer()
        }
    }

    @Test("refusals count that are in a row, and not those of a proxy's clients")
    func refusalsThatEndNothing() async throws {
        for isProxy in [false, true] {
            let proxies = TrustedProxies(networks: isProxy ? [IPNetwork("127.0.0.1")!] : [])
            try await HTTPServerFixture.run(change: { $0.proxies = proxies }) { server in
                let client = try server.connect()
                for _ in 0..<3 * IdleTracker.refusalLimit {
                    #expect(try await client.get("/refused").headers["connection"] == nil)
                    if !isProxy { #expect(try await client.get("/").text == "here") }
                }
            }
        }
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
    func aConnectionOfHTTP2EndsAfterAFewRefusals() async throws {
        try await HTTPServerFixture.run(credentials: self.credentials()) { server in
            let client = try await HTTP2Client(port: server.port)
            for _ in 0..<IdleTracker.refusalLimit { #expect(try await client.get("/refused").status == 429) }
            try await client.channel.closeFuture.get()
        }
    }
}
