import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct ResumeTests {
    private let body = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }

    @Test("a body with a strong validator is gone on with", arguments: [true, false])
    func resumed(isChunked: Bool) async throws {
        try await withOrigin { [body] origin in
            let cut =
                isChunked ? Self.cutChunks(body, etag: "\"a\"") : .cut(body, after: 400, headers: [("ETag", "\"a\"")])
            origin.on("/") { $0.headers["range"] == nil ? cut : .ranged(body, etag: "\"a\"", for: $0) }
            let (fetcher, sink) = (try makeFetcher(), RecordingSink())

            let response = try await fetcher.fetch(FetchRequest(url: origin.url("/")), into: sink)

            #expect(sink.bytes == body)
            #expect(sink.heads.count == 1, "it goes on, and does not begin again")
            #expect((response.status, response.receivedByteCount) == (200, 1000))
            let headers = origin.requests(to: "/").map(\.headers)
            #expect(headers.map { $0["range"] } == [nil, "bytes=400-"])
            #expect(headers.map { $0["if-range"] } == [nil, "\"a\""])
            #expect(headers.map { $0["accept-encoding"] } == ["gzip", "identity"])
            #expect(fetcher.origins.first?.totals.resumed == 1)
        }
    }

    @Test func aBodyThatBreaksTwiceIsGoneOnWithTwice() async throws {
        try await withOrigin { [body] origin in
            let rest = OriginScript([
                .head(
                    status: 206,
                    headers: [("ETag", "\"a\""), ("Content-Range", "bytes 400-999/1000"), ("Content-Length", "600")]),
                .bytes(Array(body[400..<700])), .close,
            ])
            origin.on("/") { request in
                switch request.headers["range"] {
                case nil: .cut(body, after: 400, headers: [("ETag", "\"a\"")])
                case "bytes=400-": rest
                default: .ranged(body, etag: "\"a\"", for: request)
                }
            }
            let (_, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == body)
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, "bytes=400-", "bytes=700-"])
        }
    }

    @Test func aPartUnderA200IsAPart() async throws {
        try await withOrigin { [body] origin in
            let part = OriginScript.answer(
                headers: [("ETag", "\"a\""), ("Content-Range", "bytes 400-999/1000")], body: Array(body[400...]))
            let other = OriginScript.answer(
                headers: [("ETag", "\"a\""), ("Content-Range", "bytes 0-999/1000")], body: body)
            let cut = OriginScript.cut(body, after: 400, headers: [("ETag", "\"a\"")])
            origin.on("/part", inTurn: [cut, part])
            origin.on("/other", inTurn: [cut, other, .image(body)])
            for (path, count) in [("/part", 2), ("/other", 3)] {
                let (_, bytes) = try await makeFetcher().get(origin.url(path))
                #expect(bytes == body && origin.requestCount(to: path) == count)
            }
        }
    }

    @Test func whatItHasOutlivesAnErrorInBetween() async throws {
        try await withOrigin { [body] origin in
            origin.on(
                "/",
                inTurn: [
                    .cut(body, after: 400, headers: [("ETag", "\"a\"")]), .status(503),
                    Self.rest(of: body, range: "bytes 400-999/1000"),
                ])
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == body)
            #expect(response.status == 200)
        }
    }

    @Test(
        "without a strong validator, or when parts are not to be had, it begins anew",
        arguments: [
            [], [("ETag", "W/\"a\"")], [("ETag", "a")], [("ETag", "\"a\""), ("Accept-Ranges", "none")],
            [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")],
        ] as [[(name: String, value: String)]]
    )
    func begunAnew(headers: [(name: String, value: String)]) async throws {
        try await withOrigin { [body] origin in
            origin.on("/", inTurn: [.cut(body, after: 400, headers: headers), .image(body)])
            let sink = RecordingSink()
            try await _ = makeFetcher().fetch(FetchRequest(url: origin.url("/")), into: sink)
            #expect(sink.bytes == body)
            #expect(sink.heads.count == 2)
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, nil])
        }
    }

    @Test func aBodyThatIsCodedBeginsAnew() async throws {
        try await withOrigin { origin in
            let headers = [(name: "ETag", value: "\"a\""), (name: "Content-Encoding", value: "gzip")]
            origin.on(
                "/",
                inTurn: [
                    .cut(Gzip.text, after: 25, headers: headers), .answer(headers: headers, body: Gzip.text),
                ])
            let (_, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == "one sheet, one sheet, one sheet".bytes)
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, nil])
        }
    }

    @Test func aBodyThatHasChangedBeginsAnewWithinTheSameAnswer() async throws {
        try await withOrigin { [body] origin in
            let cut = OriginScript.cut(body, after: 400, headers: [("ETag", "\"a\"")])
            origin.on("/") { $0.headers["range"] == nil ? cut : .ranged([7, 7], etag: "\"b\"", for: $0) }
            let sink = RecordingSink()
            let response = try await makeFetcher().fetch(FetchRequest(url: origin.url("/")), into: sink)
            #expect(sink.bytes == [7, 7])
            #expect(sink.heads.map(\.etag) == ["\"a\"", "\"b\""])
            #expect(response.etag == "\"b\"")
            #expect(origin.requestCount(to: "/") == 2)
        }
    }

    @Test(
        "what is not the rest that was asked for is not taken for it",
        arguments: [
            rest(range: "bytes 399-999/1000"), rest(range: "bytes 400-999/1001"), rest(range: "bytes 400-900/1000"),
            rest(range: "bytes 400-999/1000", etag: "\"b\""), rest(range: "bytes 400-999/1000", etag: nil),
            rest(range: nil), .status(416),
        ]
    )
    func wrongPart(script: OriginScript) async throws {
        try await withOrigin { [body] origin in
            origin.on(
                "/",
                inTurn: [
                    .cut(body, after: 400, headers: [("ETag", "\"a\"")]), script, .image(body),
                ])
            let sink = RecordingSink()
            let response = try await makeFetcher().fetch(FetchRequest(url: origin.url("/")), into: sink)
            #expect(sink.bytes == body)
            #expect((response.status, response.receivedByteCount) == (200, 1000))
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, "bytes=400-", nil])
        }
    }

    @Test func whereARedirectLeadsElsewhereItBeginsAnew() async throws {
        try await withOrigin { [body] origin in
            origin.on("/", inTurn: [.redirect(to: "/one"), .redirect(to: "/two")])
            origin.on("/one", .cut(body, after: 400, headers: [("ETag", "\"a\"")]))
            origin.on("/two") { .ranged(body, etag: "\"a\"", for: $0) }
            let (_, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == body)
            #expect(origin.requests(to: "/two").map(\.headers["range"]) == [nil])
        }
    }

    @Test func theLimitIsForTheWholeBody() async throws {
        try await withOrigin { [body] origin in
            let cut = Self.cutChunks(body, etag: "\"a\"")
            origin.on("/") { $0.headers["range"] == nil ? cut : .ranged(body, etag: "\"a\"", for: $0) }
            let fetcher = try makeFetcher { $0.maxBytes = 999 }
            await #expect(throws: FetchError.tooLarge(limit: 999)) { try await fetcher.get(origin.url("/")) }
        }
    }

    @Test(
        "what may not be all of the rest is not taken for it, when the length was not known before",
        arguments: [rest(range: "bytes 400-900/1000"), rest(range: "bytes 400-999/*")]
    )
    func unknownLength(script: OriginScript) async throws {
        try await withOrigin { [body] origin in
            origin.on("/", inTurn: [Self.cutChunks(body, etag: "\"a\""), script, .image(body)])
            let sink = RecordingSink()
            let response = try await makeFetcher().fetch(FetchRequest(url: origin.url("/")), into: sink)
            #expect(sink.bytes == body)
            #expect(response.receivedByteCount == 1000)
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, "bytes=400-", nil])
        }
    }

    @Test("a range shorter than its Content-Range says is resumed again", arguments: [true, false])
    func shortRest(isChunked: Bool) async throws {
        try await withOrigin { [body] origin in
            let head: [(name: String, value: String)] = [("ETag", "\"a\""), ("Content-Range", "bytes 400-999/1000")]
            let part = Array(body[400..<700])
            let short =
                isChunked
                ? OriginScript([
                    .head(status: 206, headers: head + [("Transfer-Encoding", "chunked")]),
                    .bytes("12c\r\n".bytes + part + "\r\n0\r\n\r\n".bytes),
                ])
                : .answer(status: 206, headers: head, body: part)
            origin.on("/") { request in
                switch request.headers["range"] {
                case nil: Self.cutChunks(body, etag: "\"a\"")
                case "bytes=400-": short
                default: .ranged(body, etag: "\"a\"", for: request)
                }
            }
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == body)
            #expect(response.receivedByteCount == 1000)
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, "bytes=400-", "bytes=700-"])
        }
    }

    @Test func aRestThatIsLongerThanItSaysIsNotTaken() async throws {
        try await withOrigin { [body] origin in
            let head: [(name: String, value: String)] = [("ETag", "\"a\""), ("Content-Range", "bytes 400-999/1000")]
            let long = OriginScript.answer(status: 206, headers: head, body: Array(body[400...]) + [1])
            origin.on("/", inTurn: [Self.cutChunks(body, etag: "\"a\""), long, .image(body)])
            let (response, bytes) = try await makeFetcher().get(origin.url("/"))
            #expect(bytes == body)
            #expect(response.receivedByteCount == 1000)
            #expect(origin.requests(to: "/").map(\.headers["range"]) == [nil, "bytes=400-", nil])
        }
    }

    private static func cutChunks(_ body: [UInt8], etag: String) -> OriginScript {
        OriginScript([
            .head(status: 200, headers: [("ETag", etag), ("Transfer-Encoding", "chunked")]),
            .bytes("190\r\n".bytes + body[..<400] + "\r\n".bytes), .close,
        ])
    }

    private static func rest(
        of body: [UInt8] = [UInt8](repeating: 9, count: 1000), range: String?, etag: String? = "\"a\""
    ) -> OriginScript {
        var headers: [(name: String, value: String)] = []
        if let range { headers.append(("Content-Range", range)) }
        if let etag { headers.append(("ETag", etag)) }
        return .answer(status: 206, headers: headers, body: Array(body[400...]))
    }
}
