import NIOCore
import NIOEmbedded
import NIOHTTP1
import PosterPipeline
import PosterTesting
import Testing

@testable import HTTPServer

/// `CacheHitHandler` on connections without sockets, where a test controls which bytes have arrived.
@Suite(.timeLimit(.hang))
struct CacheHitHandlerTests {
    private static let ok = "HTTP/1.1 200 OK"
    private static let created = "HTTP/1.1 201 Created"
    private static let request = CacheHitFixture.request()

    @Test func aHitIsAnsweredWithoutTheRestOfTheServer() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            try connection.send(Self.request)
            let answer = try connection.received()
            #expect(answer.starts(with: Array((Self.ok + "\r\n").utf8)))
            #expect(answer.suffix(fixture.body.count + 4) == Array("\r\n\r\n".utf8) + fixture.body)
            #expect(connection.routed.isEmpty)
        }
        let facts = try #require(fixture.facts.first)
        #expect(facts.method == "GET" && facts.target == CacheHitFixture.hit && facts.status == 200)
        #expect(facts.bodyLength == fixture.body.count && facts.way == .eventLoop)
        #expect(fixture.pipeline.status.hits == 1)
    }

    @Test func whatIsNoHitGoesTheOrdinaryWayAsItCame() async throws {
        let fixture = try await CacheHitFixture()
        let targets = [
            CacheHitFixture.miss, "/poster/a.jpg", "/poster/a.jpg/info", "/poster//a.jpg?w=46", "/poster/a.jpg/?w=46",
            "/poster/prefetch?w=46", "/poster/%70refetch?w=46", "/poster/a.jpg?w=5", "/poster/:?w=46", "/",
        ]
        for target in targets {
            try self.connect(fixture) { connection in
                for _ in 0..<2 {
                    try connection.send(CacheHitFixture.request(target))
                    connection.answer()
                }
                #expect(connection.routed == [target, target])
            }
        }
    }

    @Test func pipelinedHitsAreAnsweredTogetherAndInTurn() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            let tag = "If-None-Match: *\r\n"
            try connection.send(
                Self.request + CacheHitFixture.request(fields: tag) + CacheHitFixture.request(method: "HEAD")
                    + Self.request)
            try self.expect([Self.ok, "HTTP/1.1 304 Not Modified", Self.ok, Self.ok], from: connection)
        }
        #expect(fixture.facts.map(\.bodyLength) == [fixture.body.count, 0, 0, fixture.body.count])
    }

    @Test func aHitDoesNotOvertakeWhatCameBeforeIt() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            try connection.send(Self.request + CacheHitFixture.request(CacheHitFixture.miss) + Self.request)
            try self.expect([Self.ok], from: connection)
            try connection.send(Self.request)
            try self.expect([], from: connection)
            #expect(connection.routed == [CacheHitFixture.miss, CacheHitFixture.hit, CacheHitFixture.hit])
            for _ in 0..<2 { connection.answer(.created) }
            try self.expect([Self.created, Self.created], from: connection)
            try connection.send(Self.request)
            try self.expect([], from: connection, "one is not answered yet")
            for _ in 0..<2 { connection.answer(.created) }
            try self.expect([Self.created, Self.created], from: connection)
            try connection.send(Self.request)
            try self.expect([Self.ok], from: connection, "all are answered")
        }
        #expect(fixture.facts.map(\.status) == [200, 200], "the others are for the routes to tell")
    }

    @Test func aHeadInPiecesIsTheDecoders() async throws {
        let fixture = try await CacheHitFixture()
        for count in stride(from: 1, to: Self.request.utf8.count, by: 7) {
            try self.connect(fixture) { connection in
                let bytes = Self.request.utf8
                try connection.send(Self.request + String(decoding: bytes.prefix(count), as: UTF8.self))
                try connection.send(String(decoding: bytes.dropFirst(count), as: UTF8.self))
                #expect(connection.routed == [CacheHitFixture.hit], "cut at \(count)")
                try self.expect([Self.ok], from: connection)
                connection.answer(.created)
                try connection.send(Self.request)
                try self.expect([Self.created, Self.ok], from: connection)
            }
        }
    }

    /// Bytes that look like a request but belong to another one (request smuggling).
    @Test(
        "bytes in the midst of a request are none of their own",
        arguments: [
            "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nContent-Length: 500\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 500\r\n\r\n\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n\r\n\r\n",
        ])
    func smuggledRequestsAreNone(beginning: String) async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            try connection.send(beginning)
            // A response before the request's end does not end the request.
            if !connection.routed.isEmpty { connection.answer(.created) }
            try connection.send(Self.request)
            let lines = try connection.statusLines()
            #expect(!lines.contains(Self.ok))
        }
        #expect(fixture.facts.isEmpty)
    }

    @Test func afterABodyHitsAreAnsweredAgainWhereAHeadEnds() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            try connection.send("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
            connection.answer()
            try connection.send(Self.request)
            #expect(
                connection.routed == ["/", CacheHitFixture.hit], "the bytes before might have been a head's beginning")
            connection.answer()
            try connection.send(Self.request)
            #expect(connection.routed.count == 2)
        }
    }

    @Test(
        "after a request that ends the connection nothing is answered",
        arguments: [
            "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "nonsense\r\n\r\n",
            "CONNECT localhost:80 HTTP/1.1\r\n\r\n",
        ])
    func theLastRequestIsTheLast(last: String) async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            do { try connection.send(last) } catch {}  // the decoder rejects nonsense
            connection.answer(.created)
            do { try connection.send(Self.request) } catch {}
            let lines = try connection.statusLines()
            #expect(!lines.contains(Self.ok))
        }
        #expect(fixture.pipeline.status.hits == 0)
    }

    @Test("after an offer of another protocol requests are hits again", arguments: ["Connection: upgrade\r\n", ""])
    func upgrade(field: String) async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            try connection.send("GET / HTTP/1.1\r\n\(field)Upgrade: websocket\r\n\r\n" + Self.request)
            #expect(connection.routed == ["/", CacheHitFixture.hit])
            for _ in 0..<2 { connection.answer(.created) }
            try connection.send(Self.request)
            try self.expect([Self.created, Self.created, Self.ok], from: connection)
        }
    }

    @Test func aClientThatTakesNothingIsLeftToTheOrdinaryWay() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            connection.channel.isWritable = false
            try connection.send(Self.request + Self.request)
            #expect(connection.routed == [CacheHitFixture.hit, CacheHitFixture.hit])
            for _ in 0..<2 { connection.answer(.created) }
            connection.channel.isWritable = true
            try connection.send(Self.request)
            try self.expect([Self.created, Self.created, Self.ok], from: connection)
        }
    }

    @Test func aServerThatStopsAnswersNothingMoreHere() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in
            try connection.send(Self.request)
            connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            try connection.send(Self.request)
            #expect(connection.routed == [CacheHitFixture.hit])
            try self.expect([Self.ok], from: connection)
        }
    }

    @Test func hummingbirdSeesSoManyRequestsThatAConnectionInUseIsNotIdle() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture, idleTimeout: .seconds(60)) { connection in
            var routed: [Int] = []
            for second in 0..<60 {
                try connection.send(Self.request)
                if connection.routed.count > routed.count {
                    routed.append(second)
                    connection.answer()
                }
                connection.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            }
            #expect(routed == [15, 30, 45])
        }
    }

    @Test func noDeadlineOfARequestOutlivesItsAnswer() async throws {
        let fixture = try await CacheHitFixture()
        let limits = ConnectionDeadlines.Limits(head: .seconds(10), body: .seconds(10), send: .seconds(10))
        try self.connect(fixture, limits: limits) { connection in
            try connection.send(Self.request)
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(100))
            #expect(connection.channel.isActive)
            try connection.send(Self.request + "GET /poster/")
            connection.channel.embeddedEventLoop.advanceTime(by: .seconds(13))
            #expect(!connection.channel.isActive, "a head that does not go on")
        }
    }

    @Test func aStaleVariantSaysSoAndIsCountedOnce() async throws {
        let fixture = try await CacheHitFixture()
        fixture.day.advance(by: .seconds(8 * 86_400))
        try self.connect(fixture) { connection in
            try connection.send(Self.request)
            let answer = String(decoding: try connection.received(), as: UTF8.self)
            #expect(answer.contains("\r\nCache-Status: OneSheet; hit; ttl=-86400; detail=stale-while-revalidate\r\n"))
            #expect(answer.contains("\r\nCache-Control: public, max-age=116\r\n"))
            #expect(answer.contains("\r\nAge: 60\r\n"))
            #expect(connection.routed.isEmpty)
        }
        #expect(fixture.pipeline.status.staleHits == 1)
    }

    @Test func aPurgedPosterIsNoHitAnyMore() async throws {
        let fixture = try await CacheHitFixture()
        try self.connect(fixture) { connection in try connection.send(Self.request) }
        try await fixture.pipeline.purge(try PosterID("a.jpg"))
        try self.connect(fixture) { connection in
            try connection.send(Self.request)
            #expect(connection.routed == [CacheHitFixture.hit])
        }
    }

    private func expect(_ lines: [String], from connection: CacheHitConnection, _ comment: Comment? = nil) throws {
        let received = try connection.statusLines()
        #expect(received == lines, comment)
    }

    /// Synchronous: an embedded channel must be used on the thread that created it.
    private func connect(
        _ fixture: CacheHitFixture, idleTimeout: TimeAmount? = nil, limits: ConnectionDeadlines.Limits? = nil,
        _ body: (CacheHitConnection) throws -> Void
    ) throws {
        try body(try CacheHitConnection(fixture.hits(idleTimeout: idleTimeout), limits: limits))
    }
}
