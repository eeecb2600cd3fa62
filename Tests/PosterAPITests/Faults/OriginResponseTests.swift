import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

/// Unusual responses of origins that posters are made from nevertheless.
@Suite(.timeLimit(.hang))
struct OriginResponseTests {
    private static let (picture, path, target) = (
        FaultTableTests.picture, FaultTableTests.path, FaultTableTests.target
    )

    @Test(
        "a picture is served whatever its origin says of its coding",
        arguments: [
            ("utf-8", picture), ("identity,identity", picture), ("aws-chunked", picture), ("none", picture),
            ("aws-chunked,gzip", Gzip.stored(picture)), ("", Gzip.stored(picture)), ("utf-8", Gzip.stored(picture)),
        ])
    func coding(value: String, body: [UInt8]) async throws {
        try await FaultTableTests.withServer { server, origin in
            origin.on(Self.path, .answer(headers: [("Content-Encoding", value)], body: body))
            let answer = try await server.get("/poster/mine:a.jpg")
            #expect(answer.body == Self.picture)
        }
    }

    @Test func aCodingThatIsNotSupportedIsNamed() async throws {
        try await FaultTableTests.withServer { server, origin in
            origin.on(Self.path, .answer(headers: [("Content-Encoding", "zstd")], body: Self.picture))
            let answer = try await server.get(Self.target)
            #expect(answer.status == 502 && answer.text.contains("its Content-Encoding zstd is not supported"))
        }
    }

    @Test func a206WithAllOfThePictureACookieAndDotSegmentsAreNoObstacle() async throws {
        let length = Self.picture.count
        try await FaultTableTests.withServer { server, origin in
            origin.on("/part.jpg") { request in
                request.headers["cookie"] == "ok=1"
                    ? .answer(
                        status: 206, headers: [("Content-Range", "bytes 0-\(length - 1)/\(length)")],
                        body: Self.picture)
                    : .redirect(to: Self.path)
            }
            origin.on(
                Self.path,
                .answer(status: 302, headers: [("Location", "/x/../part.jpg"), ("Set-Cookie", "ok=1; Path=/")]))
            let answer = try await server.get("/poster/mine:a.jpg")
            #expect(answer.body == Self.picture)
        }
    }

    @Test func anOriginalWhoseTagCannotBeSentBackIsRevalidatedWithoutIt() async throws {
        let day = ManualClock()
        try await FaultTableTests.withServer(FaultTableTests.settings(day: day)) { server, origin in
            origin.on(Self.path, .image(Self.picture, etag: "\"a\u{1}b\"", cacheControl: "max-age=7200"))
            _ = try await server.get(Self.target)
            day.advance(by: .seconds(7200))
            _ = try await server.get(Self.target)
            try await eventually { server.pipeline.status.revalidations == 0 }
            #expect(try await server.get(Self.target).headers["cache-status"] == "OneSheet; hit")
            #expect(origin.requests(to: Self.path).map(\.headers["if-none-match"]) == [nil, nil])
        }
    }
}
