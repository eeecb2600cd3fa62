import Glibc
import NIOCore
import PosterHTTP
import PosterTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ConnectionDeadlinesTests {
    /// Of the one kind that a test is about; the others never come.
    private static func limits(
        head: TimeAmount = .hours(1), body: TimeAmount = .hours(1), send: TimeAmount = .hours(1)
    ) -> ConnectionDeadlines.Limits {
        ConnectionDeadlines.Limits(head: head, body: body, send: send)
    }

    @Test func aHeadThatDripsIsCutHoweverSteadyItDrips() async throws {
        try await EdgeServer.run(Self.limits(head: .milliseconds(200)), idleTimeout: .seconds(600)) { server in
            let loris = try server.connect()
            try loris.send(raw: "GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: ")
            try await onOwnThread {
                // Until the server's end is gone, and sending fails for it.
                while (try? loris.send(raw: "a")) != nil { sched_yield() }
            }
            await server.ended.wait()
        }
    }

    @Test func aHeadThatDripsAfterAnAnswerIsCutToo() async throws {
        try await EdgeServer.run(Self.limits(head: .milliseconds(200)), idleTimeout: .seconds(600)) { server in
            let loris = try server.connect()
            #expect(try await loris.get("/").text == "here")
            try loris.send(raw: "GET / HT")
            try await loris.closedByServer()
        }
    }

    @Test func aConnectionThatSaysNothingIsCutAndSoIsOneThatHalfClosed() async throws {
        try await EdgeServer.run(Self.limits(head: .milliseconds(200)), idleTimeout: .seconds(600)) { server in
            let silent = try server.connect()
            try await silent.closedByServer()
            let half = try server.connect()
            try half.send(raw: "GET / HT")
            half.closeSending()
            // Hummingbird says 400 to that; what matters is that it ends.
            await server.ended.wait(for: 2)
        }
    }

    @Test func aBodyThatDripsIsCut() async throws {
        try await EdgeServer.run(
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

    @Test("who takes nothing is cut, and what was held for it is given back", arguments: ["/variant", "/original"])
    func nobodyReads(path: String) async throws {
        try await EdgeServer.run(Self.limits(send: .milliseconds(200)), idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            try client.send("GET", path)
            await server.ended.wait()
            await server.released.wait()
            await #expect(throws: HTTPConnection.Failure.self) { try await client.answer() }
        }
    }

    @Test("who takes an answer piece by piece gets it whole", arguments: ["/variant", "/original"])
    func slowReader(path: String) async throws {
        try await EdgeServer.run(Self.limits(send: .milliseconds(300))) { server in
            let client = try server.connect()
            try client.send("GET", path)
            let answer = try await client.answer()
            #expect(answer.body.count == EdgeServer.largeLength)
            #expect(try await client.get("/").text == "here")
        }
    }

    @Test func aConnectionThatIsUsedLivesLongerThanAnyLimit() async throws {
        let limits = Self.limits(head: .milliseconds(100), body: .milliseconds(100), send: .milliseconds(100))
        try await EdgeServer.run(limits, idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            #expect(try await client.get("/").text == "here")
            // Another one comes and is cut meanwhile, twice: for this one the limits have passed as well.
            for _ in 0..<2 { try await server.connect().closedByServer() }
            #expect(try await client.get("/").text == "here")
        }
    }

    @Test func requestsThatCameTogetherAreAllAnswered() async throws {
        let limits = Self.limits(head: .milliseconds(100), body: .milliseconds(100), send: .milliseconds(100))
        try await EdgeServer.run(limits, idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try client.send(raw: String(repeating: request, count: 50) + "GET / HTTP/1.1\r\n")
            for _ in 0..<50 { #expect(try await client.answer().text == "here") }
            try client.send(raw: "Host: localhost\r\n\r\n")
            #expect(try await client.answer().text == "here")
        }
    }

    @Test func manySilentConnectionsDoNotKeepOthersOut() async throws {
        try await EdgeServer.run(Self.limits(head: .seconds(2)), idleTimeout: .seconds(600)) { server in
            let silent = try (0..<200).map { _ in try server.connect() }
            let client = try server.connect()
            #expect(try await client.get("/").text == "here")
            await server.ended.wait(for: silent.count)
            #expect(try await client.get("/").text == "here")
        }
    }

    @Test func whatRestsAndWhatWillNotCloseIsHummingbirdsToEnd() async throws {
        try await EdgeServer.run(Self.limits(), idleTimeout: .milliseconds(200)) { server in
            let resting = try server.connect()
            #expect(try await resting.get("/").text == "here")
            try await resting.closedByServer()
            // The server has closed its side; the client keeps its own open.
            let open = try server.connect()
            #expect(try await open.get("/", headers: ["Connection": "close"]).text == "here")
            await server.ended.wait(for: 2)
            withExtendedLifetime(open) {}
        }
    }
}
