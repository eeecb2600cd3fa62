import HTTPServer
import HTTPTesting
import NIOCore
import NIOPosix
import NIOSSL
import PosterTesting
import Testing

@Suite(.timeLimit(.hang), .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
struct SecureConnectionTests {
    private let folder = TemporaryFolder()

    private func credentials() throws -> TLSCredentials {
        let certificate = try TestCertificate(in: self.folder.path)
        return try TLSCredentials(certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
    }

    /// Limits for the deadline under test; the others are never reached.
    private static func limits(
        head: TimeAmount = .hours(1), send: TimeAmount = .hours(1)
    ) -> ConnectionDeadlines.Limits {
        ConnectionDeadlines.Limits(head: head, body: .hours(1), send: send)
    }

    /// A client of HTTP/1.1 over TLS without an HTTP handler.
    private func connect(_ port: Int) async throws -> any Channel {
        let context = try HTTP2Client.trusting(protocols: ["http/1.1"])
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                }
            }.connect(host: "127.0.0.1", port: port).get()
    }

    @Test func manyRequestsShareAConnectionAndLargeAnswersComeWhole() async throws {
        try await HTTPServerFixture.run(credentials: self.credentials()) { server in
            let client = try await HTTP2Client(port: server.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let answer = try await client.get("/")
                        #expect(answer.status == 200 && answer.text == "here")
                    }
                }
                for path in ["/cached", "/variant", "/original"] {
                    group.addTask {
                        let answer = try await client.get(path)
                        #expect(answer.body.count == HTTPServerFixture.largeLength)
                    }
                }
                try await group.waitForAll()
            }
            try await client.channel.close()
        }
    }

    @Test(
        "a response that is not read is cancelled, and others of its connection are not",
        arguments: ["/variant", "/original"])
    func stalledStream(path: String) async throws {
        try await HTTPServerFixture.run(Self.limits(send: .milliseconds(200)), credentials: self.credentials()) {
            server in
            try await HTTP2FrameClient.run(port: server.port) { client in
                // Widens the connection's window, so that the other response never waits for a slow client.
                try await client.send(
                    HTTP2FrameClient.Frame(type: 8, stream: 0, payload: [0, 16, 0, 0]),
                    HTTP2FrameClient.head(1, HTTP2FrameClient.request(path)))
                let reset = try #require(try await client.next([3, 7]))
                #expect(reset.type == 3 && reset.stream == 1 && reset.code == 8)
                await server.ended.wait()
                await server.released.wait()
                try await client.send(HTTP2FrameClient.head(3, HTTP2FrameClient.request()))
                let head = try #require(try await client.next())
                #expect(head.status == 200 && head.stream == 3)
                #expect(try await client.next([0])?.payload == Array("here".utf8))
            }
        }
    }

    @Test func aConnectionWithoutRequestsEndsWhenItHasBeenIdle() async throws {
        try await HTTPServerFixture.run(
            Self.limits(), idleTimeout: .milliseconds(300), credentials: self.credentials()
        ) { server in
            let client = try await HTTP2Client(port: server.port)
            try await client.channel.closeFuture.get()
        }
    }

    @Test func aClientThatResetsTooManyStreamsIsDisconnected() async throws {
        var limits = HTTP2Limits()
        limits.resets = 10
        try await HTTPServerFixture.run(Self.limits(), credentials: self.credentials(), http2: limits) { server in
            let client = try await HTTP2Client(port: server.port)
            do {
                while client.channel.isActive {
                    let exchange = try await client.ask("/original")
                    await exchange.cancel()
                }
            } catch {
                // The connection ended during a request.
            }
            try await client.channel.closeFuture.get()
        }
    }

    @Test func silentClientsAndThoseWithoutTLSAreDisconnected() async throws {
        try await HTTPServerFixture.run(
            Self.limits(head: .milliseconds(300)), idleTimeout: .seconds(600), credentials: self.credentials()
        ) { server in
            let (silent, clear) = (try server.connect(), try server.connect())
            try clear.send("GET", "/")
            await #expect(throws: HTTPConnection.Failure.self) { try await clear.answer() }
            await #expect(throws: HTTPConnection.Failure.self) { try await silent.answer() }
            // TLS, followed by an incomplete head.
            let half = try await self.connect(server.port)
            half.writeAndFlush(ByteBuffer(string: "GET / HT"), promise: nil)
            try await half.closeFuture.get()
        }
    }

    @Test func aStopDoesNotWaitForHandshakes() async throws {
        try await HTTPServerFixture.run(Self.limits(), credentials: self.credentials()) { server in
            let (silent, begun) = (try server.connect(), try server.connect())
            // The first bytes of a ClientHello (RFC 8446, 5.1).
            try begun.send(raw: "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}")
            let client = try await HTTP2Client(port: server.port)
            #expect(try await client.get("/").status == 200)
            await server.stop()
            try await client.channel.closeFuture.get()
            await #expect(throws: HTTPConnection.Failure.self) { try await silent.answer() }
            await #expect(throws: HTTPConnection.Failure.self) { try await begun.answer() }
        }
    }

    @Test func aClientThatReadsNothingOverTLSIsDisconnected() async throws {
        try await HTTPServerFixture.run(Self.limits(send: .milliseconds(200)), credentials: self.credentials()) {
            server in
            let client = try await SendBudgetTests.connect(server.port, target: "/original")
            await server.ended.wait()
            await server.released.wait()
            // It may already be closed.
            try? await client.close()
        }
    }

    /// Whether a client of TLS 1.2, or with these ALPN protocols, is accepted.
    private func isServed(
        _ port: Int, suites: [NIOTLSCipher] = [], protocols: [String] = ["http/1.1"]
    ) async throws -> Bool {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = protocols
        if !suites.isEmpty {
            configuration.cipherSuiteValues = suites
            configuration.maximumTLSVersion = .tlsv12
        }
        let context = try NIOSSLContext(configuration: configuration)
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                }
            }.connect(host: "127.0.0.1", port: port).get()
        do {
            // This is sent after the handshake.
            try await client.writeAndFlush(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        } catch {
            return false
        }
        try? await client.close()
        return true
    }

    @Test func onlySuitesWithForwardSecrecyAndAuthenticatedEncryptionAreAccepted() async throws {
        try await HTTPServerFixture.run(Self.limits(), credentials: self.credentials()) { server in
            let good: [NIOTLSCipher] = [
                .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
            ]
            let isGood = try await self.isServed(server.port, suites: good)
            #expect(isGood)
            let weak: [NIOTLSCipher] = [
                .TLS_RSA_WITH_AES_128_GCM_SHA256, .TLS_RSA_WITH_AES_256_GCM_SHA384, .TLS_RSA_WITH_AES_128_CBC_SHA,
                .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA,
                .TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA, .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA,
            ]
            let isWeak = try await self.isServed(server.port, suites: weak)
            #expect(!isWeak)
        }
    }

    @Test func aClientThatOffersOnlyUnknownProtocolsIsRefused() async throws {
        try await HTTPServerFixture.run(Self.limits(), credentials: self.credentials()) { server in
            for (protocols, expected) in [(["spdy/3", "h3"], false), (["spdy/3", "http/1.1"], true), ([], true)] {
                let isServed = try await self.isServed(server.port, protocols: protocols)
                #expect(isServed == expected, "\(protocols)")
            }
        }
    }

    @Test func aRenewedCertificateIsForNewConnectionsAndABrokenOneForNone() throws {
        let credentials = try self.credentials()
        let isOld = try !credentials.renew()
        #expect(isOld)
        let renewed = try TestCertificate(in: self.folder.path, name: "renewed")
        let isNew = try credentials.renew()
        #expect(isNew)

        let other = TemporaryFolder()
        let stranger = try TestCertificate(in: other.path)
        #expect(throws: TLSCredentials.Failure.self) {
            try TLSCredentials(certificatePath: renewed.certificatePath, keyPath: stranger.keyPath)
        }
        #expect(throws: TLSCredentials.Failure.self) {
            try TLSCredentials(certificatePath: renewed.keyPath, keyPath: renewed.keyPath)
        }
        #expect(throws: TLSCredentials.Failure.self) {
            try TLSCredentials(certificatePath: other.path + "/none.pem", keyPath: renewed.keyPath)
        }
    }
}
