import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct FetchTests {
    @Test func theBodyAndTheValidatorsOfA200ArriveAtTheSink() async throws {
        try await withOrigin { origin in
            let body = [UInt8](repeating: 7, count: 300_000)
            let date = "Mon, 01 Jan 2024 00:00:00 GMT"
            origin.on(
                "/heat.jpg",
                .image(body, etag: "\"a1\"", lastModified: date, cacheControl: "max-age=60")
            )
            let sink = RecordingSink()

            let response = try await makeFetcher().fetch(FetchRequest(url: origin.url("/heat.jpg#x")), into: sink)

            let head = FetchResponseHead(
                status: 200,
                finalURL: origin.url("/heat.jpg"),
                contentType: "image/jpeg",
                contentLength: 300_000,
                etag: "\"a1\"",
                lastModified: date,
                cacheControl: "max-age=60"
            )
            #expect(response == FetchResponse(head: head, receivedByteCount: 300_000))
            #expect(sink.heads == [head], "begin is called once, and first")
            #expect(sink.bytes == body)
        }
    }

    @Test func anEmpty200BeginsWithoutABody() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(200))
            let sink = RecordingSink()
            let response = try await makeFetcher().fetch(FetchRequest(url: origin.baseURL), into: sink)
            #expect(response.receivedByteCount == 0)
            #expect(sink.heads.count == 1)
        }
    }

    @Test func twoFetchesInARowUseOneConnection() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let fetcher = try makeFetcher()
            try await fetcher.get(origin.url("/"))
            try await fetcher.get(origin.url("/"))
            #expect(origin.requests(to: "/").map(\.connection) == [1, 1])
        }
    }

    /// The minimum of all connections is four times the limit per host.
    @Test func anIdleConnectionIsClosedForAnotherHost() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let urls = origin.urls(named: "idle", count: 5)
            let fetcher = try makeFetcher {
                $0.maxConnections = 1
                $0.originLimits.maxConnections = 1
            }
            for url in urls + [urls[0]] { try await fetcher.get(url + "/") }
            #expect(origin.requests(to: "/").map(\.connection) == [1, 2, 3, 4, 5, 6])
            try await origin.connectionClosed(1)
        }
    }

    @Test("a status other than 200 is an answer without a body", arguments: [204, 206, 304, 404, 500])
    func otherStatus(status: Int) async throws {
        try await withOrigin { origin in
            let isBodyless = status == 204 || status == 304
            let bodyless = OriginScript([.head(status: status, headers: [])])
            origin.on("/", isBodyless ? bodyless : .answer(status: status, body: "gone".bytes))
            let fetcher = try makeFetcher()
            let (response, bytes) = try await fetcher.get(origin.url("/"))
            #expect(response.status == status)
            #expect(bytes.isEmpty)
            try await fetcher.get(origin.url("/"))
            #expect(origin.acceptedConnectionCount == 1, "a small body is read, for the connection's sake")
        }
    }

    @Test("a large or endless body that is discarded is not waited for", arguments: [1 << 20, nil])
    func largeErrorPage(declared: Int?) async throws {
        try await withOrigin { origin in
            let headers = [declared.map { ("Content-Length", String($0)) } ?? ("Connection", "close")]
            let body = OriginStep.bytes([UInt8](repeating: 1, count: 70_000))
            origin.on("/", OriginScript([.head(status: 500, headers: headers), body, .hang]))
            let (response, _) = try await makeFetcher().get(origin.url("/"))
            #expect(response.status == 500)
            try await origin.connectionClosed(1)
        }
    }

    @Test func aCompressedBodyIsDecoded() async throws {
        try await withOrigin { origin in
            origin.on("/", .answer(headers: [("Content-Encoding", "gzip")], body: Gzip.text))
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == "one sheet, one sheet, one sheet".bytes)
            #expect(response.receivedByteCount == 31)
            #expect(response.contentLength == Gzip.text.count)
        }
    }

    @Test func headersAreSentAsGiven() async throws {
        try await withOrigin { origin in
            origin.on("/", .status(304))
            try await makeFetcher { $0.userAgent = "Test/2" }.get(
                origin.url("/"),
                headers: [("If-None-Match", "W/\"é\""), ("X-Empty", "")]
            )
            let headers = try #require(origin.requests(to: "/").first).headers
            #expect(headers["if-none-match"] == "W/\"é\"")
            #expect(headers["x-empty"]?.isEmpty == true)
            #expect(headers["user-agent"] == "Test/2")
            #expect(headers["accept-encoding"] == "gzip")
            #expect(headers["cookie"] == nil && headers["authorization"] == nil)
        }
    }

    @Test func dotsInThePathAreKept() async throws {
        try await withOrigin { origin in
            origin.on("/a/../b%20c", .image([1]))
            let (response, _) = try await makeFetcher().get(origin.url("/a/../b c"))
            #expect(response.status == 200)
        }
    }

    @Test func anAnswerThatHangsDoesNotHoldUpAnotherOfTheSameHost() async throws {
        try await withOrigin { origin in
            origin.on("/hangs", .hangBeforeHeaders)
            origin.on("/good", .image([1]))
            let fetcher = try makeFetcher()
            let hanging = Task { try await fetcher.get(origin.url("/hangs")) }
            try await origin.requestsArrived(at: "/hangs")
            #expect(try await fetcher.get(origin.url("/good")).0.status == 200)
            hanging.cancel()
            await #expect(throws: CancellationError.self, "it was still under way") { try await hanging.value }
        }
    }

    @Test func twoHundredFetchesAtOnceAllArrive() async throws {
        try await withOrigin { origin in
            origin.on("/") { .image($0.target.bytes) }
            let fetcher = try makeFetcher()
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        let (_, bytes) = try await fetcher.get(origin.url("/?\(number)"))
                        #expect(bytes == "/?\(number)".bytes)
                    }
                }
                try await group.waitForAll()
            }
            #expect(origin.acceptedConnectionCount <= fetcher.configuration.originLimits.maxConnections)
        }
    }
}
