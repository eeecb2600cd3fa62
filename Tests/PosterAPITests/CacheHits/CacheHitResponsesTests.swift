import HTTPServer
import PictureTesting
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

/// The event loop sends the same responses as a route, over real sockets.
@Suite(.timeLimit(.hang))
struct CacheHitResponsesTests {
    /// Sends a request on the slow path without a change to its response.
    private static let detour = ["Content-Length": "0"]
    /// A fixed request id: problems repeat it, and would otherwise contain a generated one.
    private static let name = ["X-Request-Id": "the-same"]

    private static let modern = ["Accept": "image/avif,image/webp,image/apng,image/*,*/*;q=0.8"]

    private static let longAccept = String(repeating: "a/b,", count: 300)

    private struct Case: Sendable, CustomTestStringConvertible {
        let target: String
        var method = "GET"
        var headers: [String: String] = [:]
        var isHit = true
        var usesHints = false
        /// Whether the target is signed. Signatures are checked at the time 1000.
        var isSigned = false
        var expires: Int64?
        /// Whether frequently used variants are re-encoded as AVIF; no variant of these tests is used that often.
        var awaitsAVIF = false
        /// Target of an earlier request.
        var prepared: String?

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

        Case(target: "/t/p/w92/a.jpg"),
        Case(target: "/t/p/w92/a.jpg", method: "HEAD", headers: ["Accept": "image/webp"]),
        Case(target: "/t/p/h90/a.jpg", headers: ["If-None-Match": "*"]),
        Case(target: "/t/p/original/a.jpg", isHit: false),
        Case(target: "/t/p/w92/none.jpg", isHit: false),
        Case(target: "/t/p/w092/a.jpg", isHit: false),
        Case(target: "/_next/image?url=%2Fposter%2Fmine%3Aa.jpg&w=64&q=75"),
        Case(target: "/_next/image?url={origin}%2Fa.jpg&w=64", headers: ["Accept": "image/webp"]),
        Case(target: "/_next/image?w=64", isHit: false),
        Case(target: "/proxy?url={origin}%2Fa.jpg&w=92&format=png"),
        Case(target: "/proxy?w=92&url={origin}%2Fa.jpg", headers: ["If-None-Match": "*"]),
        Case(target: "/proxy?w=92&url=https%3A%2F%2Felsewhere.test%2Fa.jpg", isHit: false),

        Case(target: "/poster/mine:a.jpg?w=92", usesHints: true),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Sec-CH-DPR": "2"]),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Sec-CH-DPR": "2"], isHit: false, usesHints: true),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["Save-Data": "on"], isHit: false, usesHints: true),
        Case(target: "/poster/mine:a.jpg", headers: ["Sec-CH-Width": "90"], isHit: false, usesHints: true),
        Case(
            target: "/poster/mine:a.jpg?w=92&dpr=1&q=70&format=webp",
            headers: ["Sec-CH-DPR": "2", "Save-Data": "on"], usesHints: true),
        Case(target: "/t/p/w92/a.jpg", headers: ["Sec-CH-DPR": "2"], isHit: false, usesHints: true),

        Case(target: "/poster/mine:a.jpg?w=92", headers: Self.modern),
        Case(target: "/poster/mine:a.jpg?w=92", headers: Self.modern, awaitsAVIF: true),
        Case(target: "/poster/mine:a.jpg?w=92&v=01234567", headers: Self.modern, awaitsAVIF: true),
        Case(target: "/poster/mine:a.jpg?w=92", method: "HEAD", headers: Self.modern, awaitsAVIF: true),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: Self.modern.merging(["If-None-Match": "*"]) { $1 },
            awaitsAVIF: true),
        Case(target: "/t/p/w92/a.jpg", headers: Self.modern, awaitsAVIF: true),
        Case(target: "/_next/image?url={origin}%2Fa.jpg&w=64", headers: Self.modern, awaitsAVIF: true),
        Case(target: "/proxy?w=92&url={origin}%2Fa.jpg", headers: Self.modern, awaitsAVIF: true),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: Self.modern, isSigned: true, expires: 1010, awaitsAVIF: true),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: Self.modern, awaitsAVIF: true,
            prepared: "/poster/mine:a.jpg?w=92&format=avif"),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: Self.modern.merging(["If-None-Match": "*"]) { $1 },
            prepared: "/poster/mine:a.jpg?w=92&format=avif"),
        Case(
            target: "/poster/mine:a.jpg?w=92", headers: ["Accept": "image/avif"],
            prepared: "/poster/mine:a.jpg?w=92&format=avif"),
        Case(target: "/poster/mine:a.jpg?w=92&format=avif"),

        Case(target: "/poster/mine:a.jpg?w=92", isSigned: true),
        Case(target: "/poster/mine:a.jpg?w=92", isSigned: true, expires: 1010),
        Case(target: "/poster/mine:a.jpg?w=92", headers: ["If-None-Match": "*"], isSigned: true, expires: 1010),
        Case(target: "/poster/mine:a.jpg?w=92&v=01234567", isSigned: true, expires: 999_999),
        Case(target: "/proxy?w=92&url={origin}%2Fa.jpg", isSigned: true, expires: 1001),
        Case(target: "/poster/mine:a.jpg?w=92", isHit: false, isSigned: true, expires: 1000),
        Case(target: "/poster/mine:a.jpg?w=92&s=AAAA", isHit: false),
    ]

    @Test("the same answer both ways", arguments: Self.cases)
    private func sameBothWays(_ each: Case) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            let keys = try SigningKeys("a key that nobody knows")
            var policy = PicturePolicy()
            (policy.usesHints, policy.signingKeys) = (each.usesHints, keys)
            policy.allowedURLs = [try URLPrefix(origin.baseURL)]
            var settings = LiveServer.Settings()
            settings.pictures = ReloadablePicturePolicy(policy) { 1000 }
            if each.awaitsAVIF {
                var limits = ReencodingLimits()
                limits.uses = ReencodingLimits.useCounts.upperBound
                settings.policies.reencoding = limits
            }
            let plain = each.target.replacing("{origin}", with: PercentEncoding.encode(origin.baseURL.utf8))
            let target = each.isSigned ? try keys.sign(target: plain, expires: each.expires) : plain
            try await LiveServer.run(origin: origin, settings) { server in
                if let prepared = each.prepared { _ = try await server.get(prepared) }
                // Loads the variant into memory, if that is possible.
                _ = try await server.get(target, headers: each.headers)
                _ = try await server.get("/poster/mine:a.jpg?w=92", headers: each.headers)
                let connection = try server.connect()
                var answers: [HTTPConnection.Answer] = []
                let named = each.headers.merging(Self.name) { $1 }
                for headers in [named, named.merging(Self.detour) { $1 }] {
                    answers.append(try await connection.get(target, headers: headers, method: each.method))
                }
                let (first, second) = (answers[0], answers[1])
                #expect(first.status == second.status)
                #expect(first.body == second.body)
                #expect(first.headers.filter { $0.key != "date" } == second.headers.filter { $0.key != "date" })
                #expect(first.headers["date"]?.count == 29 && first.headers["date"]?.hasSuffix(" GMT") == true)
                let facts = server.requests.suffix(2)
                #expect(Set(facts.map(\.route)).count == 1, "\(facts.map(\.route))")
                #expect(facts.map(\.way) == [each.isHit ? .eventLoop : .route, .route])
                for fact in facts {
                    #expect(fact.method == each.method && fact.target == target && fact.status == first.status)
                    #expect(fact.cacheStatus == first.headers["cache-status"])
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
                // More than all buffers hold: the server must stop reading, and neither lose nor reorder responses.
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
