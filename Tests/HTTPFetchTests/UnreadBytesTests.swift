import Flights
import NIOCore
import NIOSSL
import PosterTesting
import Testing

@testable import HTTPFetch

/// An origin sends more than its response; the next request must not receive the rest.
@Suite(.timeLimit(.hang)) struct UnreadBytesTests {
    /// A response with bytes beyond its end, and the expected result.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: OriginScript
        var status = 200
        var body = UnreadBytesTests.first
    }

    private static let first = [UInt8](repeating: 1, count: 2000)
    private static let other = [UInt8](repeating: 2, count: 1000)
    private static let stray = raw(
        "HTTP/1.1 200 OK\r\nETag: \"stray\"\r\nContent-Length: 1000", [UInt8](repeating: 3, count: 1000))

    private static func raw(_ head: String, _ body: [UInt8]) -> [UInt8] { "\(head)\r\n\r\n".bytes + body }

    /// Sends head and body at once.
    private static func script(_ head: String, _ body: [UInt8]) -> OriginScript {
        OriginScript([.bytes(Self.raw(head, body))])
    }

    private static let chunkedBody = "7d0\r\n".bytes + first + "\r\n0\r\n\r\n".bytes

    static let cases = [
        Case(
            testDescription: "a second response, in one segment with the head",
            first: script("HTTP/1.1 200 OK\r\nContent-Length: 2000", first + stray)),
        Case(
            testDescription: "a second response, in one segment with the body's end",
            first: OriginScript([.length(2000), .bytes(first + stray)])),
        Case(
            testDescription: "a line break after the body",
            first: OriginScript([.length(2000), .bytes(first + "\r\n".bytes)])),
        Case(
            testDescription: "a second response after the last chunk",
            first: script("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", chunkedBody + stray)),
        Case(
            testDescription: "both a length and chunks",
            first: script("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked", chunkedBody)),
        Case(
            testDescription: "the body of a 304",
            first: script("HTTP/1.1 304 Not Modified\r\nETag: \"a\"", stray), status: 304, body: []),
        Case(
            testDescription: "the body of a 204",
            first: script("HTTP/1.1 204 No Content\r\nContent-Length: 3", [1, 2, 3]), status: 204, body: []),
        Case(
            testDescription: "a second response after an empty body",
            first: script("HTTP/1.1 200 OK\r\nContent-Length: 0", stray), body: []),
        Case(
            testDescription: "a second response after an error page",
            first: script("HTTP/1.1 404 Not Found\r\nContent-Length: 4", "none".bytes + stray), status: 404, body: []),
        Case(
            testDescription: "a second response after one that claims to be HTTP/2",
            first: OriginScript([
                .bytes(raw("HTTP/2 200 OK\r\nContent-Length: 2000", [])), .bytes(first + stray),
            ])),
        Case(
            testDescription: "a second response after an empty one that claims to be HTTP/2",
            first: script("HTTP/2 200 OK\r\nContent-Length: 0", stray), body: []),
    ]

    @Test("a connection with bytes beyond its response is not used again", arguments: cases)
    func unread(_ unread: Case) async throws {
        try await withOrigin { try await self.fetchBoth(unread, from: $0, origin: $0.baseURL, makeFetcher()) }
    }

    @Test(
        "nor is one with TLS, which may have decrypted them already",
        .enabled(if: TestCertificate.isAvailable, "openssl is needed"), arguments: cases)
    func unreadTLS(_ unread: Case) async throws {
        try await withTLSOrigin { origin, fetcher in
            try await self.fetchBoth(unread, from: origin, origin: "https://127.0.0.1:\(origin.port)", fetcher)
        }
    }

    private func fetchBoth(
        _ unread: Case, from origin: OriginServer, origin base: String, _ fetcher: Fetcher
    ) async throws {
        origin.on("/first", unread.first)
        origin.on("/other", .image(Self.other))
        let (response, bytes) = try await fetcher.get(base + "/first")
        #expect(response.status == unread.status && bytes == unread.body)
        #expect(try await fetcher.get(base + "/other").1 == Self.other)
        #expect(origin.requestCount(to: "/other") == 1)
        #expect(origin.acceptedConnectionCount == 2)
    }

    @Test(.enabled(if: TestCertificate.isAvailable, "openssl is needed"))
    func aTLSConnectionWithoutThemIsUsedAgain() async throws {
        try await withTLSOrigin { origin, fetcher in
            origin.on("/", .image(Self.first))
            for _ in 0..<3 { try await fetcher.get("https://127.0.0.1:\(origin.port)/") }
            #expect(origin.acceptedConnectionCount == 1)
        }
    }

    @Test func bytesThatArriveWhileTheConnectionIsIdleEndIt() async throws {
        try await withOrigin { origin in
            let (isIdle, isSent) = (Gate(), Gate())
            origin.on(
                "/first",
                OriginScript([
                    .length(2000), .bytes(Self.first), .wait(isIdle), .bytes(Self.stray), .open(isSent),
                ]))
            origin.on("/other", .image(Self.other))
            let fetcher = try makeFetcher()
            #expect(try await fetcher.get(origin.url("/first")).1 == Self.first)
            isIdle.open()
            try await isSent.wait()
            #expect(try await fetcher.get(origin.url("/other")).1 == Self.other)
            #expect(origin.acceptedConnectionCount == 2)
        }
    }

    @Test func aRedirectWithBytesBeyondItsBodyLeadsToTheTargetsOwnBody() async throws {
        try await withOrigin { origin in
            let head = "HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0"
            origin.on("/first", OriginScript([.bytes(Self.raw(head, Self.stray))]))
            origin.on("/other", .image(Self.other))
            let bytes = try await makeFetcher().get(origin.url("/first")).1
            #expect(bytes == Self.other)
        }
    }

    @Test(
        "lengths that differ are an error, and end the connection",
        arguments: ["Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5, 6"])
    func conflictingLengths(fields: String) async throws {
        try await withOrigin { origin in
            origin.on("/first", Self.script("HTTP/1.1 200 OK\r\n\(fields)", [1, 2, 3, 4, 5]))
            origin.on("/other", .image(Self.other))
            let fetcher = try makeFetcher()
            await #expect(throws: FetchError.conflictingLengths) { try await fetcher.get(origin.url("/first")) }
            try await origin.connectionClosed(1)
            #expect(try await fetcher.get(origin.url("/other")).1 == Self.other)
        }
    }

    @Test("a length that is no number is an error, and ends the connection", arguments: ["5abc", "+5", "5 6", "0x5"])
    func invalidLength(value: String) async throws {
        try await withOrigin { origin in
            origin.on("/first", Self.script("HTTP/1.1 200 OK\r\nContent-Length: \(value)", [1, 2, 3, 4, 5]))
            let fetcher = try makeFetcher()
            await #expect(throws: FetchError.invalidLength) { try await fetcher.get(origin.url("/first")) }
            try await origin.connectionClosed(1)
        }
    }

    @Test(
        "what a reused connection yields instead of a response is repeated on a new one, once",
        arguments: [
            OriginScript([.bytes("\r\n\r\n".bytes)]), OriginScript([.bytes("220 mail.test ESMTP\r\n".bytes), .close]),
            OriginScript([.close]), OriginScript([.reset]), .status(400), .status(408),
            OriginScript([.bytes("HTTP/1.1 103 Early Hints\r\n\r\n".bytes), .head(status: 408, headers: [])]),
        ]
    )
    func staleResponse(script: OriginScript) async throws {
        try await withOrigin { origin in
            origin.on("/first", .image(Self.first))
            origin.on("/other") { $0.connection == 1 ? script : .image(Self.other) }
            let fetcher = try makeFetcher { $0.retry.maxRetries = 0 }
            try await fetcher.get(origin.url("/first"))
            #expect(try await fetcher.get(origin.url("/other")).1 == Self.other)
            #expect(origin.requests(to: "/other").map(\.connection) == [1, 2])
            #expect(fetcher.origins.first?.totals.failures == 0)
        }
    }

    @Test("a trailer that looks like a status line changes nothing", arguments: ["HTTP/1.1 400: x", "HTTP/2: 103"])
    func statusInTrailer(line: String) async throws {
        try await withOrigin { origin in
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"
            let chunks = "7d0\r\n".bytes + Self.first + "\r\n0\r\n\(line)\r\n\r\n".bytes
            origin.on("/first", .image(Self.other))
            origin.on("/chunks", Self.script(head, chunks))
            let fetcher = try makeFetcher()
            try await fetcher.get(origin.url("/first"))
            for _ in 0..<2 { #expect(try await fetcher.get(origin.url("/chunks")).1 == Self.first) }
            #expect(origin.requests(to: "/chunks").map(\.connection) == [1, 1])
        }
    }

    @Test("a 400 of a new connection is the result", arguments: [400, 408])
    func clientError(status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/first", .image(Self.first))
            origin.on("/other", .status(status))
            let fetcher = try makeFetcher()
            try await fetcher.get(origin.url("/first"))
            #expect(try await fetcher.get(origin.url("/other")).0.status == status)
            #expect(origin.requestCount(to: "/other") == 2)
        }
    }

    @Test func noResponseOf200HasAnothersBytes() async throws {
        try await withOrigin { origin in
            origin.on("/stray", OriginScript([.length(2000), .bytes(Self.first + Self.stray)]))
            origin.onAnythingElse { .image($0.target.bytes) }
            let fetcher = try makeFetcher {
                $0.originLimits.maxConnections = 16
                $0.originLimits.maxFetches = 16
            }
            try await withThrowingTaskGroup { group in
                for task in 0..<16 {
                    group.addTask {
                        for round in 0..<13 {
                            let path = "/own/\(task)/\(round)"
                            let first = try await fetcher.get(origin.url("/stray")).1
                            let own = try await fetcher.get(origin.url(path)).1
                            #expect(first == Self.first && own == path.bytes)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// Runs `body` with an origin that speaks HTTP/1.1 over TLS, and a fetcher that trusts it.
private func withTLSOrigin(_ body: (OriginServer, Fetcher) async throws -> Void) async throws {
    let folder = TemporaryFolder()
    let certificate = try TestCertificate(in: folder.path)
    let chain = try NIOSSLCertificate.fromPEMFile(certificate.certificatePath)
    let context = try NIOSSLContext(
        configuration: .makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(NIOSSLPrivateKey(file: certificate.keyPath, format: .pem))))
    let origin = try await OriginServer.start { channel in
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
    }
    do {
        try await body(origin, makeFetcher { $0.trustedCertificatesFile = certificate.certificatePath })
        await origin.shutdown()
    } catch {
        await origin.shutdown()
        throw error
    }
}
