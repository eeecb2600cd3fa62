import HTTPServer
import NIOCore
import PosterTesting
import Testing

/// Bodies that no handler reads, or that the client sends only after a 100.
@Suite(.timeLimit(.hang))
struct UnreadBodyTests {
    private static func head(_ target: String, _ fields: String, version: String = "1.1") -> String {
        "POST \(target) HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    /// Limits that no test reaches, except for `linger`.
    private static func limits(drain: Int = 1000, linger: TimeAmount = .hours(1)) -> ConnectionDeadlines.Limits {
        ConnectionDeadlines.Limits(
            head: .hours(1), body: .hours(1), send: .hours(1), drain: drain, linger: linger)
    }

    @Test("a client that waits for a 100 has it when its body is read", arguments: ["100-continue", "100-Continue "])
    func continued(expectation: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: Self.head("/body", "Expect: \(expectation)\r\nContent-Length: 3"))
            #expect(try await client.answer(hasBody: false).status == 100)
            try client.send(raw: "abc")
            let answer = try await client.answer()
            #expect(answer.text == "abc" && answer.headers["connection"] == nil)
            #expect(try await client.get("/").text == "here")
        }
    }

    @Test(
        "a response that needs no body goes out at once, and closes the connection: the body may never come",
        arguments: [("/nothing", "Content-Length: 3", 404), ("/nothing", "Transfer-Encoding: chunked", 404)])
    func answered(target: String, framing: String, status: Int) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: Self.head(target, "Expect: 100-continue\r\n\(framing)"))
            let answer = try await client.answer()
            #expect(answer.status == status && answer.headers["connection"] == "close")
            try await client.closedByServer()
        }
    }

    @Test func thereIsNo100InHTTP10NorForABodyThatComesByItself() async throws {
        try await HTTPServerFixture.run { server in
            for version in ["1.0", "1.1"] {
                let client = try server.connect()
                let fields = "Expect: 100-continue\r\nContent-Length: 3"
                try client.send(raw: Self.head("/body", fields, version: version) + "abc")
                let answer = try await client.answer()
                #expect(answer.status == 200 && answer.text == "abc")
            }
        }
    }

    @Test(
        "the last response says so",
        arguments: ["1.1\r\nHost: a\r\nConnection: x, Close", "1.0", "1.0\r\nConnection: keep-alive"])
    func lastResponse(version: String) async throws {
        try await HTTPServerFixture.run { server in
            let client = try server.connect()
            try client.send(raw: "GET / HTTP/\(version)\r\n\r\n")
            #expect(try await client.answer().headers["connection"] == "close")
            try await client.closedByServer()
        }
    }

    @Test func aShortBodyIsReadAndTheConnectionGoesOn() async throws {
        try await HTTPServerFixture.run(Self.limits()) { server in
            let client = try server.connect()
            try client.send(raw: Self.head("/nothing", "Content-Length: 1000"))
            let answer = try await client.answer()
            #expect(answer.status == 404 && answer.headers["connection"] == nil)
            try client.send(raw: String(repeating: "a", count: 1000))
            #expect(try await client.get("/").text == "here")
        }
    }

    @Test(
        "a long body is not read, its response is, and a client that goes on sending is cut",
        arguments: ["Content-Length: 2000000000", "Transfer-Encoding: chunked"])
    func longBody(framing: String) async throws {
        try await HTTPServerFixture.run(Self.limits(linger: .milliseconds(100)), idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            try client.send(raw: Self.head("/nothing", framing) + "A\r\n")
            let answer = try await client.answer()
            #expect(answer.status == 404 && answer.headers["connection"] == "close")
            try await client.closedByServer()
            try client.send(raw: String(repeating: "a", count: 100_000))
            await server.ended.wait()
        }
    }

    @Test func aClientThatClosesEndsTheWaitForIt() async throws {
        try await HTTPServerFixture.run(Self.limits(), idleTimeout: .seconds(600)) { server in
            let client = try server.connect()
            try client.send(raw: Self.head("/nothing", "Content-Length: 2000000000") + "abc")
            #expect(try await client.answer().status == 404)
            try await client.closedByServer()
            client.close()
            await server.ended.wait()
        }
    }
}
