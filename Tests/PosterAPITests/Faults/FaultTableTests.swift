import Flights
import Foundation
import HTTPFetch
import PictureTesting
import PosterCodec
import PosterOrigins
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

/// Faults of an origin, the client's response, and the stored files, over real sockets.
@Suite(.timeLimit(.hang))
struct FaultTableTests {
    static let picture = TestPicture.jpeg(width: 300, height: 450)
    static let path = "/a.jpg"
    static let target = "/poster/mine:a.jpg?w=92"

    /// Settings with short retry delays, manual clocks and an effectively disabled breaker.
    static func settings(failureClock: ManualClock = ManualClock(), day: ManualClock = ManualClock())
        -> LiveServer.Settings
    {
        var settings = LiveServer.Settings()
        settings.fetch.retry.baseDelay = .milliseconds(1)
        settings.fetch.breaker.threshold = 1000
        settings.now = failureClock.now
        settings.secondsSince1970 = { Int64(day.now() / 1_000_000_000) }
        return settings
    }

    static func withServer(
        _ settings: LiveServer.Settings = Self.settings(),
        _ body: @escaping @Sendable (LiveServer, OriginServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, settings) { server in try await body(server, origin) }
        }
    }

    /// Requests a poster, and expects a problem and no stored files.
    private func expectProblem(
        _ status: Int, _ words: String..., from server: LiveServer, target: String = Self.target
    ) async throws {
        let answer = try await server.get(target)
        #expect(answer.status == status, "\(answer.text)")
        #expect(answer.headers["content-type"] == "application/problem+json")
        for part in words { #expect(answer.text.contains(part), "\(answer.text)") }
        #expect(server.storedFiles == [] && server.halfWrittenFiles == [])
    }

    @Test(arguments: [404, 410])
    func whatTheOriginDoesNotHaveIsRememberedBriefly(_ status: Int) async throws {
        let clock = ManualClock()
        try await Self.withServer(Self.settings(failureClock: clock)) { server, origin in
            origin.on(Self.path, .status(status))
            try await self.expectProblem(404, "there is no poster 'mine:a.jpg'", from: server)
            origin.on(Self.path, .image(Self.picture))
            try await self.expectProblem(404, from: server)
            #expect(origin.requestCount(to: Self.path) == 1)
            clock.advance(by: .seconds(30))
            #expect(try await server.get(Self.target).status == 200)
        }
    }

    @Test(arguments: [401, 403, 451])
    func aRefusalIsNamed(_ status: Int) async throws {
        try await Self.withServer { server, origin in
            origin.on(Self.path, .status(status))
            try await self.expectProblem(502, "the origin refused, with status \(status)", from: server)
            #expect(origin.requestCount(to: Self.path) == 1, "asking again would not help")
        }
    }

    @Test func aBusyOriginIsLeftAlone() async throws {
        try await Self.withServer { server, origin in
            origin.on(Self.path, .answer(status: 429, headers: [("Retry-After", "120")]))
            origin.on("/b.jpg", .image(Self.picture))
            let answer = try await server.get(Self.target)
            #expect(answer.status == 503 && answer.headers["retry-after"] == "120")
            #expect(answer.text.contains("origin-busy"))
            let other = try await server.get("/poster/mine:b.jpg?w=92")
            let retryAfter = try #require(other.headers["retry-after"].flatMap { Int($0) })
            #expect(other.status == 503 && (1...120).contains(retryAfter))
            #expect(origin.requestCount(to: "/b.jpg") == 0 && origin.requestCount(to: Self.path) == 1)
        }
    }

    @Test(arguments: [500, 502, 503, 504])
    func aServerErrorIsTriedTwiceAgain(_ status: Int) async throws {
        try await Self.withServer { server, origin in
            origin.on(Self.path, .status(status))
            try await self.expectProblem(502, "status \(status)", from: server)
            #expect(origin.requestCount(to: Self.path) == 3)
            origin.on(Self.path, inTurn: [.status(status), .image(Self.picture)])
            #expect(try await server.get(Self.target).status == 200)
        }
    }

    @Test(arguments: [
        OriginScript.answer(status: 429, headers: [("Retry-After", "120")]), .status(500), .status(502), .status(503),
        .status(504), .closeEarly(declared: 1000, sent: [1, 2, 3]), .answer(body: Array("<html><body></html>".utf8)),
        .answer(), .redirect(to: path), .redirect(to: "file:///etc/hostname"), .hangBeforeHeaders,
        OriginScript([.length(1 << 30), .hang]), .image(TestPicture.jpeg(width: 301, height: 450)),
    ])
    func aStaleOriginalServesMeanwhile(_ script: OriginScript) async throws {
        let day = ManualClock()
        var settings = Self.settings(day: day)
        settings.fetch.totalTimeout = .seconds(3)
        settings.limits.maxWidth = 300
        try await Self.withServer(settings) { server, origin in
            origin.on(Self.path, .image(Self.picture, etag: "\"1\"", cacheControl: "max-age=7200"))
            let first = try await server.get(Self.target)
            day.advance(by: .seconds(7200))
            origin.on(Self.path, script)
            let stale = try await server.get(Self.target)
            #expect(stale.status == 200 && stale.body == first.body)
            #expect(stale.headers["cache-status"] == "OneSheet; hit; ttl=0; detail=stale-while-revalidate")
            try await eventually { server.pipeline.status.revalidations == 0 }
            let failed = try await server.get(Self.target)
            #expect(failed.status == 200 && failed.body == first.body)
            #expect(failed.headers["cache-status"] == "OneSheet; hit; ttl=0; detail=stale-if-error")
            let rendered = try await server.get("/poster/mine:a.jpg?w=60")
            #expect(rendered.headers["cache-status"] == "OneSheet; fwd=miss; detail=stale-if-error; stored")
            try await eventually { server.storedFiles.count == 1 && server.halfWrittenFiles == [] }
        }
    }

    @Test func aStaleOriginalServesAlsoWhenItsOriginIsGone() async throws {
        let day = ManualClock()
        try await Self.withServer(Self.settings(day: day)) { server, origin in
            let image = OriginScript.image(Self.picture, cacheControl: "max-age=7200")
            origin.on(Self.path, OriginScript(image.steps + [.close]))
            let first = try await server.get(Self.target)
            try await origin.allConnectionsClosed()
            day.advance(by: .seconds(7200))
            await origin.shutdown()
            for reason in ["stale-while-revalidate", "stale-if-error"] {
                let stale = try await server.get(Self.target)
                #expect(stale.status == 200 && stale.body == first.body)
                #expect(stale.headers["cache-status"] == "OneSheet; hit; ttl=0; detail=\(reason)")
                let age = try #require(stale.headers["age"].flatMap { Int($0) })
                #expect(stale.headers["cache-control"] == "public, max-age=\(60 + age / 7 * 7)")
                try await eventually { server.pipeline.status.revalidations == 0 }
            }
        }
    }

    @Test func anUnreachableOriginIsNamed() async throws {
        let hanging = TestResolver.hang("unknown.fault.test")
        hanging.release()
        try await Self.withServer { server, origin in
            let closed = try #require(await Self.closedPort())
            for (url, words) in [
                ("http://127.0.0.1:\(closed)/a.jpg", "does not accept connections"),
                ("http://unknown.fault.test/a.jpg", "host name has no address"),
            ] {
                let key = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                try await self.expectProblem(502, words, from: server, target: "/poster/elsewhere:\(key)?w=92")
            }
        }
    }

    private static func closedPort() async throws -> Int? {
        try await withOrigin { $0.port }
    }

    @Test(.enabled(if: UntrustedServer.isAvailable, "needs the program openssl"))
    func aCertificateThatIsNotToBeTrustedIsNamed() async throws {
        let untrusted = try UntrustedServer()
        try await untrusted.started()
        let url = "https://127.0.0.1:\(untrusted.port)/a.jpg"
        try await Self.withServer { server, _ in
            let key = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            try await self.expectProblem(
                502, "the origin's certificate is not trusted", "self-signed", from: server,
                target: "/poster/elsewhere:\(key)?w=92")
        }
        withExtendedLifetime(untrusted) {}
    }

    /// Settings with a short timeout.
    private static func impatient(total: Duration = .milliseconds(400)) -> LiveServer.Settings {
        var settings = Self.settings()
        settings.fetch.totalTimeout = total
        return settings
    }

    @Test(arguments: [
        OriginScript.hangBeforeHeaders, .hangInBody(after: Array(picture.prefix(2000)), declared: picture.count),
    ])
    func anOriginThatHangsIsGivenUp(_ script: OriginScript) async throws {
        try await Self.withServer(Self.impatient()) { server, origin in
            origin.on(Self.path, script)
            try await self.expectProblem(504, "took too long", from: server)
            try await origin.allConnectionsClosed()
        }
    }

    @Test func aByteASecondIsTooSlow() async throws {
        var settings = Self.settings()
        settings.fetch.lowSpeedDuration = .seconds(1)
        settings.fetch.retry.maxRetries = 0
        try await Self.withServer(settings) { server, origin in
            origin.on(
                Self.path,
                OriginScript([.length(Self.picture.count), .trickle(Self.picture, size: 1, pause: .seconds(1))]))
            try await self.expectProblem(504, "too slowly", from: server)
            try await origin.allConnectionsClosed()
        }
    }

    @Test(arguments: [
        OriginScript.closeEarly(declared: picture.count, sent: Array(picture.prefix(2000))),
        .chunked([Array(picture.prefix(2000))], isComplete: false),
    ])
    func whatEndsEarlyIsTriedAgainAndNeverKept(_ script: OriginScript) async throws {
        try await Self.withServer { server, origin in
            origin.on(Self.path, script)
            try await self.expectProblem(502, "ended early", from: server)
            #expect(origin.requestCount(to: Self.path) == 3)
            origin.on(Self.path, inTurn: [script, .image(Self.picture)])
            let answer = try await server.get("/poster/mine:a.jpg")
            #expect(answer.body == Self.picture)
        }
    }

    @Test func aBrokenDownloadGoesOnWhereItBrokeOff() async throws {
        try await Self.withServer { server, origin in
            let picture = Self.picture
            origin.on(Self.path) { request in
                guard let range = request.headers["range"] else {
                    let head = [("Content-Length", "\(picture.count)"), ("ETag", "\"1\""), ("Accept-Ranges", "bytes")]
                    return OriginScript([
                        .head(status: 200, headers: head.map { (name: $0.0, value: $0.1) }),
                        .bytes(Array(picture.prefix(2000))), .close,
                    ])
                }
                let start = Int(range.dropFirst("bytes=".count).prefix { $0.isNumber }) ?? 0
                let part = Array(picture.dropFirst(start))
                return .answer(
                    status: 206,
                    headers: [
                        ("Content-Range", "bytes \(start)-\(picture.count - 1)/\(picture.count)"), ("ETag", "\"1\""),
                    ], body: part)
            }
            #expect(try await server.get("/poster/mine:a.jpg").body == picture)
            let second = try #require(origin.requests(to: Self.path).last)
            #expect(second.headers["range"] == "bytes=2000-" && second.headers["if-range"] == "\"1\"")
            #expect(server.fetcher.origins.first?.totals.resumed == 1)
        }
    }

    @Test func aBodyOverTheLimitIsCutOffAtTheLimit() async throws {
        var settings = Self.settings()
        settings.fetch.maxBytes = 3000
        try await Self.withServer(settings) { server, origin in
            origin.on(Self.path, OriginScript([.length(Self.picture.count), .hang]))
            try await self.expectProblem(502, "more than the limit of 3000 bytes", from: server)
            try await origin.allConnectionsClosed()
            origin.on(
                "/b.jpg",
                OriginScript([
                    .head(status: 200, headers: [("Transfer-Encoding", "chunked")]),
                    .bytes(Array("1000\r\n".utf8) + Self.picture.prefix(4096) + Array("\r\n".utf8)), .hang,
                ]))
            try await self.expectProblem(
                502, "more than the limit of 3000 bytes", from: server, target: "/poster/mine:b.jpg")
            try await origin.allConnectionsClosed()
        }
    }

    @Test func whatIsNoWholePictureIsNamed() async throws {
        try await Self.withServer { server, origin in
            let html = Array("<!DOCTYPE html><html><body>Not found</body></html>".utf8)
            for (name, body, words) in [
                ("page", html, "an HTML page"), ("empty", [], "nothing (0 bytes)"),
                ("half", Array(Self.picture.prefix(Self.picture.count / 2)), "ends before the picture does"),
            ] {
                origin.on("/\(name).jpg", .image(body))
                try await self.expectProblem(502, words, from: server, target: "/poster/mine:\(name).jpg?w=92")
                #expect(origin.requestCount(to: "/\(name).jpg") == 1)
            }
        }
    }

    @Test func aLongPageIsNotReadToItsEnd() async throws {
        try await Self.withServer { server, origin in
            let page = Array("<!DOCTYPE html><html><body>".utf8) + [UInt8](repeating: 32, count: 4096)
            origin.on(Self.path, .hangInBody(after: page, declared: 1 << 20))
            try await self.expectProblem(502, "an HTML page", from: server)
            try await origin.allConnectionsClosed()
        }
    }

    @Test func tooManyPixelsAreRefusedAtTheHeaderAndTheTransferIsStopped() async throws {
        var settings = Self.settings()
        settings.limits.maxPixels = 300 * 450 - 1
        try await Self.withServer(settings) { server, origin in
            origin.on(Self.path, .hangInBody(after: Array(Self.picture.prefix(2000)), declared: Self.picture.count))
            try await self.expectProblem(
                422, "over the limit of pixels: it has 135000, the maximum is 134999", from: server)
            try await origin.allConnectionsClosed()
        }
    }

    @Test func redirectsThatLeadNowhereAreNotFollowed() async throws {
        try await Self.withServer { server, origin in
            origin.on("/loop.jpg", .redirect(to: "/loop.jpg"))
            origin.on("/file.jpg", .redirect(to: "file:///etc/hostname"))
            origin.on("/user.jpg", .redirect(to: "http://user:secret@127.0.0.1/"))
            for (name, words) in [
                ("loop", "redirected more than 3 times"), ("file", "redirected to a disallowed or invalid URL"),
                ("user", "redirected to a disallowed or invalid URL"),
            ] {
                try await self.expectProblem(502, words, from: server, target: "/poster/mine:\(name).jpg?w=92")
            }
        }
    }

    @Test func anOriginOrARedirectAtAPrivateAddressIsRefused() async throws {
        TestResolver.map("inside.fault.test", to: "127.0.0.1")
        TestResolver.map("outside.fault.test", to: TestResolver.publicAddress)
        try await withOrigin { origin in
            origin.on("/there.jpg", .redirect(to: "http://inside.fault.test:\(origin.port)/a.jpg"))
            origin.on(Self.path, .image(Self.picture))
            try await LiveServer.runAsItIs(origin: origin, Self.settings()) { server in
                for url in [
                    "http://inside.fault.test:\(origin.port)/a.jpg", "http://127.0.0.1:\(origin.port)/a.jpg",
                    "http://[::ffff:127.0.0.1]:\(origin.port)/a.jpg",
                    "http://outside.fault.test:\(origin.port)/there.jpg",
                ] {
                    let key = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                    try await self.expectProblem(
                        502, "private address", from: server, target: "/poster/elsewhere:\(key)")
                }
                #expect(origin.requestCount(to: Self.path) == 0)
                let url = "http://outside.fault.test:\(origin.port)/a.jpg"
                let key = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                #expect(try await server.get("/poster/elsewhere:\(key)").body == Self.picture)
            }
        }
    }

    @Test func aCodedBodyAndAWrongTypeAreNoObstacle() async throws {
        try await Self.withServer { server, origin in
            origin.on(
                Self.path,
                .answer(
                    headers: [("Content-Type", "text/html"), ("Content-Encoding", "gzip")],
                    body: Gzip.stored(Self.picture)))
            let answer = try await server.get("/poster/mine:a.jpg")
            #expect(answer.body == Self.picture)
            try await eventually { server.storedFiles.count == 1 && server.halfWrittenFiles == [] }
        }
    }

    @Test func aNewBodyUnderTheOldURLReplacesTheOldOne() async throws {
        let day = ManualClock()
        try await Self.withServer(Self.settings(day: day)) { server, origin in
            origin.on(Self.path, .image(Self.picture, etag: "\"1\"", cacheControl: "max-age=7200"))
            let first = try await server.get(Self.target)
            origin.on(Self.path, .status(304))
            day.advance(by: .seconds(7200))
            _ = try await server.get(Self.target)
            try await eventually { server.pipeline.status.revalidations == 0 }
            #expect(origin.requests(to: Self.path).last?.headers["if-none-match"] == "\"1\"")
            let validated = try await server.get(Self.target)
            #expect(validated.headers["cache-status"] == "OneSheet; hit")
            #expect(validated.headers["etag"] == first.headers["etag"])

            // The 304 had no lifetime: the previous one applies.
            let new = TestPicture.jpeg(width: 300, height: 450, seed: 2)
            origin.on(Self.path, .image(new, etag: "\"2\""))
            day.advance(by: .seconds(7199))
            #expect(try await server.get(Self.target).headers["cache-status"] == "OneSheet; hit")
            day.advance(by: .seconds(1))
            _ = try await server.get(Self.target)
            try await eventually { server.pipeline.status.revalidations == 0 }
            let replaced = try await server.get(Self.target)
            #expect(replaced.headers["etag"] != first.headers["etag"] && replaced.body != first.body)
            #expect(try await server.get("/poster/mine:a.jpg").body == new)
            try await eventually { server.storedFiles.count == 1 && server.halfWrittenFiles == [] }
        }
    }

    @Test func whileANameIsNotResolvedClientsLeaveAtOnceAndOthersAreServed() async throws {
        let hanging = TestResolver.hang("slow.fault.test")
        defer { hanging.release() }
        try await Self.withServer { server, origin in
            origin.on(Self.path, .image(Self.picture))
            let url = "http://slow.fault.test:\(origin.port)/a.jpg"
            let key = url.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let clients = try (0..<50).map { _ in
                let client = try server.connect()
                try client.send("GET", "/poster/elsewhere:\(key)?w=92")
                return client
            }
            try await hanging.asked.wait()
            #expect(try await server.get(Self.target).status == 200, "another name is not held up")
            for client in clients { client.close() }
            let id = try PosterID(source: "url", key: url)
            try await eventually { server.pipeline.originalWaiterCount(for: id) == 0 }
            try await eventually { server.fetcher.origins.allSatisfy { $0.fetches.held == 0 } }
            #expect(try await server.get("/poster/mine:a.jpg?w=60").status == 200)
            try await eventually { server.halfWrittenFiles == [] }
        }
    }

    @Test func anOriginThatFailsAgainAndAgainIsLeftAloneAndThatIsSeen() async throws {
        var settings = Self.settings()
        settings.fetch.breaker.threshold = 3
        settings.fetch.retry.maxRetries = 0
        try await Self.withServer(settings) { server, origin in
            for name in ["a", "b", "c", "d"] { origin.on("/\(name).jpg", .status(500)) }
            for name in ["a", "b", "c"] {
                try await self.expectProblem(502, "status 500", from: server, target: "/poster/mine:\(name).jpg?w=92")
            }
            #expect(try await server.get("/readyz").text.contains("\"breaker\":\"open\""))
            let answer = try await server.get("/poster/mine:d.jpg?w=92")
            #expect(answer.status == 502 && answer.headers["retry-after"] != nil)
            #expect(origin.requestCount(to: "/d.jpg") == 0)
            let metrics = try await server.get("/metrics").text
            #expect(metrics.contains("onesheet_origin_failures_total{origin=\"http://127.0.0.1:\(origin.port)\"} 3"))
        }
    }

    @Test func credentialsAreSentToTheirOriginOnly() async throws {
        var settings = Self.settings()
        let isAdded = settings.credentials.add(name: "Authorization", value: "Bearer secret", to: "mine")
        #expect(isAdded)
        #expect(!"\(settings.credentials)".contains("secret"))
        try await withOrigin { other in
            try await Self.withServer(settings) { server, origin in
                origin.on(Self.path, .redirect(to: other.url("/b.jpg")))
                other.on("/b.jpg", .image(Self.picture))
                let answer = try await server.get(Self.target)
                #expect(answer.status == 200)
                #expect(origin.requests(to: Self.path).first?.headers["authorization"] == "Bearer secret")
                #expect(other.requests(to: "/b.jpg").first?.headers["authorization"] == nil)
            }
        }
    }
}
