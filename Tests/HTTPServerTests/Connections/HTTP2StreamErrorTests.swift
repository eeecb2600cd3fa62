import CoreMetrics
import NIOCore
import PosterTesting
import Testing

@testable import HTTPServer

/// An error in one HTTP/2 request affects only that request (RFC 9113, 5.4.2 and 8.1.1).
@Suite(.timeLimit(.hang), .enabled(if: TestCertificate.isAvailable, "there is no openssl to make certificates"))
struct HTTP2StreamErrorTests {
    private typealias Client = HTTP2FrameClient
    private let folder = TemporaryFolder()

    private func withClient(
        _ limits: ConnectionDeadlines.Limits = .init(head: .hours(1), body: .hours(1), send: .hours(1)),
        http2: HTTP2Limits = HTTP2Limits(), recorder: RequestRecorder? = nil,
        _ body: @escaping @Sendable (inout HTTP2FrameClient) async throws -> Void
    ) async throws {
        let certificate = try TestCertificate(in: self.folder.path)
        let credentials = try TLSCredentials(
            certificatePath: certificate.certificatePath, keyPath: certificate.keyPath)
        try await HTTPServerFixture.run(limits, credentials: credentials, http2: http2, recorder: recorder) { server in
            try await HTTP2FrameClient.run(port: server.port) { client in try await body(&client) }
        }
    }

    static let malformed: [HTTP2FrameClient.Fields] = [
        HTTP2FrameClient.request(with: [("X-Upper", "a")]), HTTP2FrameClient.request(with: [("te", "gzip")]),
        HTTP2FrameClient.request(with: [("connection", "close")]), HTTP2FrameClient.request(with: [("upgrade", "h2c")]),
        HTTP2FrameClient.request(with: [("transfer-encoding", "chunked")]),
        HTTP2FrameClient.request(with: [("content-length", "5")]),
        HTTP2FrameClient.request(with: [("content-length", "x")]), HTTP2FrameClient.request(with: [("x", "a\r\nb: c")]),
        HTTP2FrameClient.request(with: [("x", "y"), (":method", "GET")]),
        HTTP2FrameClient.request(with: [("x y", "a")]),
        HTTP2FrameClient.request(with: [(":protocol", "websocket")]), HTTP2FrameClient.request(with: [(":path", "/x")]),
        HTTP2FrameClient.request(""), [(":method", "GET"), (":scheme", "https"), (":authority", "a")],
        [(":method", "GET"), (":path", "/"), (":authority", "a")],
    ]

    @Test("a malformed request is reset, and its neighbours are not", arguments: malformed.indices)
    func malformedRequest(index: Int) async throws {
        try await self.withClient { client in
            try await client.send(Client.head(1, Client.request("/body", method: "POST"), isWhole: false))
            try await client.send(Client.head(3, Self.malformed[index]))
            let reset = try #require(try await client.next())
            #expect(reset.type == 3 && reset.stream == 3 && reset.code == 1)
            try await client.send(
                Client.Frame(type: 0, flags: 1, stream: 1, payload: Array("abc".utf8)),
                Client.head(5, Client.request()))
            for _ in 0..<2 {
                let head = try #require(try await client.next())
                #expect(head.status == 200 && [1, 5].contains(head.stream))
            }
        }
    }

    @Test("a body that is not as long as it says is reset", arguments: ["abc", "abcdef"])
    func contentLength(body: String) async throws {
        try await self.withClient { client in
            let request = Client.request("/body", method: "POST", with: [("content-length", "5")])
            try await client.send(
                Client.head(1, request, isWhole: false),
                Client.Frame(type: 0, flags: 1, stream: 1, payload: Array(body.utf8)), Client.head(3, Client.request()))
            let reset = try #require(try await client.next())
            #expect(reset.type == 3 && reset.stream == 1 && reset.code == 1)
            #expect(try await client.next()?.status == 200)
        }
    }

    @Test("an increment of zero is an error of its stream, or of the connection", arguments: [1, 0] as [UInt32])
    func zeroIncrement(stream: UInt32) async throws {
        try await self.withClient { client in
            try await client.send(
                Client.head(1, Client.request("/original")),
                Client.Frame(type: 8, stream: stream, payload: [0, 0, 0, 0]))
            var frame = try #require(try await client.next())
            if frame.type == 1 { frame = try #require(try await client.next()) }
            #expect(frame.type == (stream == 0 ? 7 : 3) && frame.stream == stream && frame.code == 1)
            if stream == 0 {
                while try await client.frame() != nil {}
            } else {
                try await client.send(Client.head(3, Client.request()))
                #expect(try await client.next()?.status == 200)
            }
        }
    }

    @Test func whatCannotBeDecodedEndsTheConnectionAndSaysWhy() async throws {
        try await self.withClient { client in
            try await client.send(Client.Frame(type: 1, flags: 5, stream: 1, payload: [0xFF]))
            let farewell = try #require(try await client.next())
            #expect(farewell.type == 7 && farewell.code == 9)
            while try await client.frame() != nil {}
        }
    }

    @Test func streamsOverTheLimitAreRefusedAndTheOthersAreNot() async throws {
        var limits = HTTP2Limits()
        limits.streams = 2
        try await self.withClient(http2: limits) { client in
            // All at once, before the client can have read the limit.
            for stream in stride(from: UInt32(1), through: 9, by: 2) {
                try await client.send(Client.head(stream, Client.request("/body", method: "POST"), isWhole: false))
            }
            let settings = try #require(try await client.next([4]))
            #expect(settings.payload.starts(with: [0, 3, 0, 0, 0, 2]))
            for stream in [5, 7, 9] as [UInt32] {
                let reset = try #require(try await client.next())
                #expect(reset.type == 3 && reset.stream == stream && reset.code == 7)
            }
            // The acknowledgement arrives late, and once.
            try await client.send(Client.Frame(type: 4, flags: 1, stream: 0))
            for stream in [1, 3] as [UInt32] {
                try await client.send(Client.Frame(type: 0, flags: 1, stream: stream, payload: [97]))
                let head = try #require(try await client.next())
                #expect(head.status == 200 && head.stream == stream)
            }
            try await client.send(Client.head(11, Client.request()))
            #expect(try await client.next()?.status == 200)
            try await client.send(Client.Frame(type: 4, flags: 1, stream: 0))
            let farewell = try #require(try await client.next())
            #expect(farewell.type == 7 && farewell.code == 1)
        }
    }

    @Test func aClientThatIsOverTheLimitTooOftenLosesTheConnection() async throws {
        var limits = HTTP2Limits()
        (limits.streams, limits.refusals) = (1, 3)
        try await self.withClient(http2: limits) { client in
            for stream in stride(from: UInt32(1), through: 7, by: 2) {
                try await client.send(Client.head(stream, Client.request("/body", method: "POST"), isWhole: false))
            }
            let farewell = try #require(try await client.next([7]))
            #expect(farewell.code == 11)
            while try await client.frame() != nil {}
        }
    }

    @Test func anErrorBehindMoreRequestsThanTheLastOneAllowedEndsTheConnection() async throws {
        var limits = HTTP2Limits()
        (limits.streams, limits.refusals) = (1, 1)
        try await self.withClient(http2: limits) { client in
            // Stream 3 exceeds the limit, 5 opens after the GOAWAY for it, and the last head cannot be decoded.
            var bytes: [Client.Frame] = []
            for stream in [1, 3, 5] as [UInt32] {
                bytes.append(Client.head(stream, Client.request("/body", method: "POST"), isWhole: false))
            }
            bytes.append(Client.Frame(type: 1, flags: 5, stream: 7, payload: [0xFF]))
            try await client.send(bytes)
            let farewell = try #require(try await client.next([7]))
            #expect(farewell.code == 11)
            while try await client.frame() != nil {}
        }
    }

    @Test(
        "scheme, target, :authority and Host are looked at as in HTTP/1.1",
        arguments: [
            (HTTP2FrameClient.request(), 200), (HTTP2FrameClient.request(authority: nil, with: [("host", "a")]), 200),
            (HTTP2FrameClient.request(with: [("host", "A:443")]), 200), (HTTP2FrameClient.request(scheme: "http"), 200),
            (HTTP2FrameClient.request(authority: nil), 400), (HTTP2FrameClient.request(with: [("host", "b")]), 400),
            (HTTP2FrameClient.request(with: [("host", "a"), ("host", "a")]), 400),
            (HTTP2FrameClient.request(authority: "u@a"), 400), (HTTP2FrameClient.request(authority: "a:x"), 400),
            (HTTP2FrameClient.request(authority: "a/b"), 400), (HTTP2FrameClient.request(authority: "[::1"), 400),
            (HTTP2FrameClient.request(scheme: "ftp"), 400), (HTTP2FrameClient.request("/#x"), 400),
            (HTTP2FrameClient.request(with: [("content-length", "+0")]), 400),
            (HTTP2FrameClient.request(with: [("x", String(repeating: "\u{301}", count: 30))]), 200),
            (HTTP2FrameClient.request(with: [("x", String(repeating: "\u{301}", count: 31))]), 400),
            ([(":method", "CONNECT"), (":authority", "a:80")], 0),
        ] as [(HTTP2FrameClient.Fields, Int)])
    func authority(request: HTTP2FrameClient.Fields, status: Int) async throws {
        try await self.withClient { client in
            try await client.send(Client.head(1, request))
            // `Frame.status` does not recognise 405.
            #expect(try await client.next()?.status == status)
            try await client.send(Client.head(3, Client.request()))
            #expect(try await client.next()?.status == 200)
        }
    }

    @Test func aRefusedRequestIsLoggedWithItsClient() async throws {
        let pipe = try OutputPipe()
        let writer = try LineWriter(descriptor: pipe.descriptor)
        let recorder = RequestRecorder(
            metrics: NOOPMetricsHandler.instance, accessLog: AccessLog(.json, writer: writer))
        try await self.withClient(recorder: recorder) { client in
            try await client.send(Client.head(1, Client.request(scheme: "ftp")))
            #expect(try await client.next()?.status == 400)
        }
        try await onOwnThread { writer.close() }
        pipe.closeWriting()
        let text = try await onOwnThread { String(decoding: pipe.readAll(), as: UTF8.self) }
        #expect(text.contains(#""status":400,"#) && text.contains(#""client":"127.0.0.1""#), "\(text)")
    }

    @Test func aBodyThatDripsIsResetHoweverSteadyItDrips() async throws {
        var http2 = HTTP2Limits()
        http2.controlFrames = 100_000
        let limits = ConnectionDeadlines.Limits(head: .hours(1), body: .milliseconds(200), send: .hours(1))
        try await self.withClient(limits, http2: http2) { client in
            try await client.send(Client.head(1, Client.request("/body", method: "POST"), isWhole: false))
            var frame: HTTP2FrameClient.Frame?
            repeat {
                // Sends one byte, and the next one only when the server has received it.
                try await client.send(
                    Client.Frame(type: 0, stream: 1, payload: [97]),
                    Client.Frame(type: 6, stream: 0, payload: Array(repeating: 1, count: 8)))
                frame = try await client.next([3, 6, 7])
            } while frame?.type == 6
            #expect(frame?.type == 3 && frame?.stream == 1)
        }
    }

    @Test func aLongBodyThatFollowsItsResponseIsResetWithoutAnError() async throws {
        let limits = ConnectionDeadlines.Limits(head: .hours(1), body: .hours(1), send: .hours(1), drain: 1000)
        try await self.withClient(limits) { client in
            try await client.send(Client.head(1, Client.request("/nothing", method: "POST"), isWhole: false))
            #expect(try await client.next()?.status == 404)
            // Reads the problem document up to the end of the stream.
            repeat {} while try #require(try await client.next([0])).flags & 1 == 0
            let part = Client.Frame(type: 0, stream: 1, payload: Array(repeating: 97, count: 501))
            try await client.send(part, part)
            let reset = try #require(try await client.next())
            #expect(reset.type == 3 && reset.stream == 1 && reset.code == 0)
        }
    }

    @Test func aClientThatWaitsForA100HasIt() async throws {
        try await self.withClient { client in
            let request = Client.request("/body", method: "POST", with: [("expect", "100-continue")])
            try await client.send(Client.head(1, request, isWhole: false))
            let interim = try #require(try await client.next())
            #expect(interim.type == 1 && interim.flags & 1 == 0 && interim.status == 0)
            try await client.send(Client.Frame(type: 0, flags: 1, stream: 1, payload: Array("abc".utf8)))
            #expect(try await client.next()?.status == 200)
        }
    }
}
