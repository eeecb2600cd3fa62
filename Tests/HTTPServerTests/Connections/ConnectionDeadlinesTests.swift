import Glibc
import HTTPServer
import NIOCore
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct ConnectionDeadlinesTests {
    /// Limits for the deadline under test; the others are never reached.
    private static func limits(
        head: TimeAmount = .hours(1), body: TimeAmount = .hours(1), send: TimeAmount = .hours(1)
    ) -> ConnectionDeadlines.Limits {
        ConnectionDeadlines.Limits(head: head, body: body, send: send)
    }

    private static func expectAnswer(on client: HTTPConnection) async throws {
        let answer = try await client.get("/")
        #expect(answer.text == "here")
    }

    @Test func aHeadThatDripsIsCutHoweverSteadyItDrips() async throws {
        try await HTTPServerFixture.run(Self.limits(head: .milliseconds(200)), idleTimeout: .seconds(600)) { server in
            let loris = try server.connect()
            try loris.send(raw: "GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: ")
            try await onOwnThread {
                // Sends until the server closes the connection and sending fails.
                while (try? loris.send(raw: "a")) != nil { sched_yield() }
            }
            await server.ended.wait()
        }
    }

    @Test func aHeadThatDripsAfterAnAnswerIsCutToo() async throws {
        try await HTTPServerFixture.run(Self.limits(head: .seconds(2)), idleTimeout: .seconds(600)) { server in
            let loris = try server.connect()
            try await Self.expectAnswer(on: loris)
            try loris.send(raw: "GET / HT")
            try await loris.closedByServer()
        }
    }

    @Test func aConnectionThatSaysNothingIsCutAndSoIsOneThatHalfClosed() async throws {
        try await HTTPServerFixture.run(Self.limits(head: .milliseconds(200)), idleTimeout: .seconds(600)) { server in
            let silent = try server.connect()
            try await silent.closedByServer()
            let half = try server.connect()
            try half.send(raw: "GET / HT")
            half.closeSending()
            // Hummingbird answers with a 400; only the end of the connection matters here.
            await server.ended.wait(for: 2)
        }
    }

    @Test func aBodyThatDripsIsCut() async throws {
        try await HTTPServerFixture.run(
            Self.limits(head: .milliseconds(100), body: .milliseconds(200)), idleTimeout: .seconds(600)
        ) { server in
            let loris = try server.connect()
            try loris.send("POST", "/", headers: ["Content-Length": "100000000"])
            try await onOwnThread {
                while (try? loris.send(raw: "a")) != nil { sched_yield() }
            }
            await server.ended.wait()
        }
    }

    @Test(
        "a client that reads nothing is disconnected, and its memory is released", arguments: ["/variant", "/original"])
    func aClientThatReadsNothing(path: String) async throws {
        try await HTTPServerFixture.run(Self.limits(send: .milliseconds(200)), idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            try client.send("GET", path)
            await server.ended.wait()
            await server.released.wait()
            await #expect(throws: HTTPConnection.Failure.self) { try await client.answer() }
        }
    }

    @Test("a client that reads gets all of a response larger than any buffer", arguments: ["/variant", "/original"])
    func reader(path: String) async throws {
        try await HTTPServerFixture.run(Self.limits(send: .seconds(5))) { server in
            let client = try server.connect()
            try client.send("GET", path)
            let answer = try await client.answer()
            #expect(answer.body.count == HTTPServerFixture.largeLength)
            try await Self.expectAnswer(on: client)
        }
    }

    @Test("a client that still reads a response is not idle", arguments: ["/cached", "/original"])
    func slowReader(path: String) async throws {
        try await HTTPServerFixture.run(Self.limits(), idleTimeout: .seconds(1)) { server in
            let client = try server.connect()
            try client.send("GET", path)
            try await client.take(atMost: 1)
            // Two idle connections are cut in the meantime, so the idle timeout has passed for this one too.
            for _ in 0..<2 {
                let other = try server.connect()
                // On a busy machine the server may close it before its request has arrived.
                if (try? await other.get("/")) != nil { try await other.closedByServer() }
            }
            let answer = try await client.answer()
            #expect(answer.body.count == HTTPServerFixture.largeLength)
        }
    }

    @Test func aConnectionThatIsUsedLivesLongerThanAnyLimit() async throws {
        let limits = Self.limits(head: .seconds(2), body: .seconds(2), send: .seconds(2))
        try await HTTPServerFixture.run(limits, idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            try await Self.expectAnswer(on: client)
            // Two other connections are cut in the meantime, so the limits have passed for this one too.
            for _ in 0..<2 { try await server.connect().closedByServer() }
            try await Self.expectAnswer(on: client)
        }
    }

    @Test func pipelinedRequestsAreAllAnsweredAndLeaveNoDeadline() async throws {
        let limits = Self.limits(head: .seconds(2), body: .seconds(2), send: .seconds(2))
        try await HTTPServerFixture.run(limits, idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try client.send(raw: String(repeating: request, count: 50))
            for _ in 0..<50 {
                let answer = try await client.answer()
                #expect(answer.text == "here")
            }
            for _ in 0..<2 { try await server.connect().closedByServer() }
            try await Self.expectAnswer(on: client)
        }
    }

    @Test func manySilentConnectionsDoNotKeepOthersOut() async throws {
        try await HTTPServerFixture.run(Self.limits(head: .seconds(5)), idleTimeout: .seconds(600)) { server in
            let silent = try (0..<200).map { _ in try server.connect() }
            let client = try server.connect()
            try await Self.expectAnswer(on: client)
            await server.ended.wait(for: silent.count)
            try await Self.expectAnswer(on: client)
        }
    }

    @Test func whatRestsAndWhatWillNotCloseIsHummingbirdsToEnd() async throws {
        try await HTTPServerFixture.run(Self.limits(), idleTimeout: .seconds(1)) { server in
            let resting = try server.connect()
            try await Self.expectAnswer(on: resting)
            try await resting.closedByServer()
            // The server has closed its side; the client keeps its side open.
            let open = try server.connect()
            let answer = try await open.get("/", headers: ["Connection": "close"]).text
            #expect(answer == "here")
            await server.ended.wait(for: 2)
            withExtendedLifetime(open) {}
        }
    }
}
