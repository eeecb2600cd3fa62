import PosterHTTP
import PosterTesting
import Testing

/// Over real sockets: what is answered on the event loop is what a route would have answered.
@Suite(.timeLimit(.minutes(1)))
struct HitAnswersTests {
    /// Sends a request the ordinary way, and changes nothing in its answer.
    private static let detour = ["Content-Length": "0"]
    /// Problems repeat it, and would make one up.
    private static let name = ["X-Request-Id": "the-same"]

    private static let longAccept = String(repeating: "a/b,", count: 300)

    private struct Case: Sendable, CustomTestStringConvertible {
        let target: String
        var method = "GET"
        var headers: [String: String] = [:]
        var isHit = true

        var testDescription: String { "\(self.method) \(self.target) \(self.headers)" }
    }

    private static let cases = [
        Case(target: "/poster/mine:a.jpg?w=92"),
        Case(target: "/poster/mine:a.jpg?w=92", method: "HEAD"),
        Case(target: "/poster/mine%3Aa.jpg?w=92&format=webp"),
        Case(target: "/poster/mine:a.jpg?h=90&w=60&fit=cover&format=png"),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Accept": "image/webp, */*;q=0.5"]),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Accept": "image/webp;q=0.1, image/jpeg"]),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Accept": ""]),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["If-None-Match": "*"]),
        Case(target: "/poster/mine:a.jpg?w=92", method: "HEAD", headers: ["If-None-Match": "*"]),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["If-None-Match": "\"x\" , \"y\""]),
        Case(target: "/poster/mine:a.jpg", headers: ["If-None-Match": "*"]),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Connection": "keep-alive"]),
        Case(
            target: "/poster/mine:a.jpg?w=92",
            headers: ["If-None-Match": "\"x\"", "If-Modified-Since": "Sun, 06 Nov 2094 08:49:37 GMT"]),
        Case(target: "/poster/mine:a.jpg?w=92&v=01234567"),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Range": "bytes=0-9"], isHit: false),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["If-Match": "\"x\""], isHit: false),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["If-Range": "\"x\""], isHit: false),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: ["If-Modified-Since": "Sun, 06 Nov 2094 08:49:37 GMT"],
            isHit: false),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: ["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"],
            isHit: false),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: ["Accept": Self.longAccept], isHit: false),
        Case(target: "/poster/mine:a.jpg", isHit: false),
        Case(target: "/poster/mine:a.jpg?w=9", isHit: false),
        Case(target: "/poster/mine:none.jpg?w=92", isHit: false),
        Case(target: "/poster/mine:a.jpg?w=92", method: "POST", isHit: false),
        Case(target: "/poster/mine:a.jpg?w=92", method: "OPTIONS", isHit: false),
    ]

    @Test("the same answer both ways", arguments: Self.cases)
    private func sameBothWays(_ each: Case) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            try await LiveServer.run(origin: origin) { server in
                // Until it is in memory, if it can be.
                _ = try await server.get(each.target, headers: each.headers)
                _ = try await server.get("/poster/mine:a.jpg?w=92", headers: each.headers)
                let connection = try server.connect()
                var answers: [HTTPConnection.Answer] = []
                let named = each.headers.merging(Self.name) { $1 }
                for headers in [named, named.merging(Self.detour) { $1 }] {
                    answers.append(try await connection.get(each.target, headers: headers, method: each.method))
                }
                let (first, second) = (answers[0], answers[1])
                #expect(first.status == second.status)
                #expect(first.body == second.body)
                #expect(first.headers.filter { $0.key != "date" } == second.headers.filter { $0.key != "date" })
                #expect(first.headers["date"]?.count == 29 && first.headers["date"]?.hasSuffix(" GMT") == true)
                let facts = server.facts.suffix(2)
                #expect(facts.map(\.way) == [each.isHit ? .eventLoop : .route, .route])
                for fact in facts {
                    #expect(fact.method == each.method && fact.target == each.target && fact.status == first.status)
                    #expect(fact.bodyLength == first.body.count)
                }
            }
        }
    }

    @Test func aCrowdOfPipelinedRequestsThatIsReadLateIsAnsweredInTurn() async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
            try await LiveServer.run(origin: origin) { server in
                let poster = try await server.get("/poster/mine:a.jpg?w=600&format=png")
                let connection = try server.connect()
                // More than all buffers hold: the server must stop reading, and neither lose nor swap anything.
                let count = 100
                for _ in 0..<count {
                    try connection.send("GET", "/poster/mine:a.jpg?w=600&format=png")
                    try connection.send("GET", "/nothing")
                }
                for _ in 0..<count {
                    let hit = try await connection.answer()
                    #expect(hit.status == 200 && hit.body == poster.body)
                    let problem = try await connection.answer()
                    #expect(problem.status == 404)
                }
            }
        }
    }

    @Test func aClientThatHalfClosesGetsItsAnswers() async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            try await LiveServer.run(origin: origin) { server in
                let target = "/poster/mine:a.jpg?w=46"
                let poster = try await server.get(target)
                let connection = try server.connect()
                for _ in 0..<3 { try connection.send("GET", target) }
                connection.closeSending()
                for _ in 0..<3 {
                    let answer = try await connection.answer()
                    #expect(answer.body == poster.body)
                }
                try await connection.closedByServer()
            }
        }
    }
}
