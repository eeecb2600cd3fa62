import HTTPSemantics
import PictureTesting
import PosterCodec
import PosterTesting
import ServiceTesting
import Testing

@testable import PosterAPI
@testable import PosterPipeline

/// Ranges, conditions, dates and ages of responses (RFC 9110, RFC 9111), over real sockets.
@Suite(.timeLimit(.hang))
struct ConditionalResponsesTests {
    private static let picture = TestPicture.jpeg(width: 300, height: 450)
    private static let variant = "/poster/mine:a.jpg?w=92"
    private static let original = "/poster/mine:a.jpg"
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"

    private func withServer(
        _ body: @escaping @Sendable (LiveServer, ManualClock) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture, lastModified: Self.date))
            let clock = ManualClock()
            var settings = LiveServer.Settings()
            settings.secondsSince1970 = { 1_700_000_000 + Int64(clock.now() / 1_000_000_000) }
            try await LiveServer.run(origin: origin, settings) { server in try await body(server, clock) }
        }
    }

    @Test func aPartIsThatPartOfTheWhole() async throws {
        try await self.withServer { server, _ in
            let connection = try server.connect()
            for target in [Self.variant, Self.original] {
                let whole = try await connection.get(target)
                let tag = try #require(whole.headers["etag"])
                #expect(whole.headers["accept-ranges"] == "bytes")
                #expect(whole.headers["last-modified"] == Self.date)
                let length = whole.body.count
                for (range, part) in [
                    ("bytes=0-9", 0..<10), ("bytes=10-", 10..<length), ("bytes=-1", length - 1..<length),
                ] {
                    for headers in [["Range": range], ["Range": range, "If-Range": tag]] {
                        let answer = try await connection.get(target, headers: headers)
                        #expect(answer.status == 206)
                        #expect(answer.body == Array(whole.body[part]))
                        #expect(
                            answer.headers["content-range"]
                                == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)")
                        for name in ["etag", "content-type", "last-modified", "vary", "access-control-allow-origin"] {
                            #expect(answer.headers[name] == whole.headers[name], "\(name)")
                        }
                    }
                }
                for headers in [
                    ["Range": "bytes=0-9", "If-Range": "\"x\""], ["Range": "bytes=0-1,3-4"], ["Range": "lines=1-2"],
                ] {
                    let answer = try await connection.get(target, headers: headers)
                    #expect(answer.status == 200 && answer.body == whole.body, "\(headers)")
                    #expect(answer.headers["content-range"] == nil)
                }
                let beyond = try await connection.get(target, headers: ["Range": "bytes=\(length)-"])
                #expect(beyond.status == 416)
                #expect(beyond.headers["content-range"] == "bytes */\(length)")
                #expect(beyond.headers["content-type"] == "application/problem+json")
                #expect(beyond.headers["cache-control"] == "no-store")
                let head = try await connection.get(target, headers: ["Range": "bytes=0-9"], method: "HEAD")
                #expect(head.status == 200 && head.headers["content-length"] == String(length))
            }
        }
    }

    @Test("each tag that a variant may have is a 304, and only that of the bytes at hand continues them")
    func recipes() async throws {
        let header = try inspect(Self.picture.span.bytes, limits: .init())
        let facts = OriginalFacts(digest: Self.picture.withUnsafeBytes { Digest(of: $0) }, header: header)
        let target = RenderTarget(width: 60, format: .jpeg)
        let key = try VariantKey(id: PosterID("mine:a.jpg"), facts: facts, target: target)
        let tags = key.possibleTags(of: target, header: header).map(\.description)
        #expect(tags.count == 6)
        try await self.withServer { server, _ in
            let connection = try server.connect()
            for tag in tags {
                let answer = try await connection.get("/poster/mine:a.jpg?w=60", headers: ["If-None-Match": tag])
                #expect(answer.status == 304 && answer.headers["etag"] == tag)
            }
            // Conditions are evaluated only once the variant's tag is known.
            for (tag, match, part) in [(tags[0], 200, 206), (tags[1], 412, 200)] {
                for (headers, status) in [
                    (["If-Match": tag], match), (["Range": "bytes=0-9", "If-Range": tag], part),
                ] {
                    let answer = try await connection.get("/poster/mine:a.jpg?w=60", headers: headers)
                    #expect(answer.status == status, "\(headers)")
                    #expect(status == 412 || answer.headers["etag"] == tags[0])
                }
            }
        }
    }

    /// All encodings of an original have its date, so a date is no validator for ranges of variants.
    @Test func aDateIsGoodForPartsOfTheOriginalOnly() async throws {
        try await self.withServer { server, _ in
            let headers = ["Range": "bytes=0-9", "If-Range": Self.date]
            let original = try await server.get(Self.original, headers: headers)
            #expect(original.status == 206)
            let variant = try await server.get(Self.variant, headers: headers)
            #expect(variant.status == 200)
        }
    }

    /// A date that other bytes may have had is no strong validator (RFC 9110, 8.8.2.2).
    @Test(
        "a date is good for parts when it is older than the stored bytes",
        arguments: [(59, true, 200), (60, true, 206), (1_000, true, 206), (1_000, false, 200), (0, true, 200)])
    func exactDates(age: Int64, isTold: Bool, status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture, lastModified: isTold ? Self.date : nil))
            let clock = ManualClock()
            var settings = LiveServer.Settings()
            settings.secondsSince1970 = { 784_111_776 + age + Int64(clock.now() / 1_000_000_000) }
            try await LiveServer.run(origin: origin, settings) { server in
                let date = try #require(try await server.get(Self.original).headers["last-modified"])
                #expect(!isTold || date == Self.date)
                for _ in 0..<2 {
                    let headers = ["Range": "bytes=0-9", "If-Range": date]
                    let answer = try await server.get(Self.original, headers: headers)
                    #expect(answer.status == status)
                    clock.advance(by: .seconds(100))  // does not make the date strong
                }
            }
        }
    }

    @Test func conditionsByDateAreHeeded() async throws {
        try await self.withServer { server, _ in
            let connection = try server.connect()
            for target in [Self.variant, Self.original] {
                for method in ["GET", "HEAD"] {
                    for (headers, status) in [
                        (["If-Modified-Since": Self.date], 304), (["If-Modified-Since": Self.later], 304),
                        (["If-Modified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"], 200),
                        (["If-Modified-Since": Self.later, "If-None-Match": "\"x\""], 200),
                        (["If-Unmodified-Since": Self.date], 200), (["If-Match": "*"], 200),
                        (["If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:36 GMT"], 412), (["If-Match": "\"x\""], 412),
                        (["If-Match": "\"x\"", "Range": "bytes=0-9"], 412),
                        (["If-Modified-Since": Self.date, "Range": "bytes=0-9"], 304),
                    ] {
                        let answer = try await connection.get(target, headers: headers, method: method)
                        #expect(answer.status == status, "\(method) \(target) \(headers)")
                        guard status == 304 else { continue }
                        #expect(answer.headers["content-length"] == nil && answer.headers["content-type"] == nil)
                        #expect(answer.headers["etag"] != nil && answer.headers["cache-control"] != nil)
                    }
                }
            }
        }
    }

    /// `*` matches any existing representation.
    @Test func aStarMatchesOnlyWhatThereIs() async throws {
        try await self.withServer { server, _ in
            let there = try await server.get(Self.variant, headers: ["If-None-Match": "*"])
            #expect(there.status == 304)
            for headers in [["If-None-Match": "*"], ["If-Match": "*"]] {
                let gone = try await server.get("/poster/mine:none.jpg?w=92", headers: headers)
                #expect(gone.status == 404)
            }
        }
    }

    @Test func theAgeIsCountedFromTheOriginsWordOnBothWays() async throws {
        try await self.withServer { server, clock in
            let connection = try server.connect()
            let first = try await connection.get(Self.variant)
            #expect(first.headers["age"] == nil, "the origin was asked for it")
            for (seconds, age, maxAge) in [(0, 0, 86_400), (100, 100, 86_400), (10_800, 10_900, 97_200)] {
                clock.advance(by: .seconds(seconds))
                for headers in [[:], ["Content-Length": "0"], ["If-None-Match": "*"]] {
                    let answer = try await connection.get(Self.variant, headers: headers)
                    #expect(answer.headers["age"] == "\(age)")
                    #expect(answer.headers["cache-control"]?.hasPrefix("public, max-age=\(maxAge), ") == true)
                }
            }
            let packaged = "/poster/nosferatu-1922?w=92"
            for _ in 0..<2 {
                let answer = try await connection.get(packaged)
                #expect(answer.headers["age"] == nil && answer.headers["last-modified"] == nil)
                #expect(answer.headers["cache-control"]?.hasPrefix("public, max-age=86400, ") == true)
            }
        }
    }

    @Test func whatIsSignedForATimeIsKeptForThatTimeAndNotForItsAgeToo() async throws {
        let keys = try SigningKeys("a key that nobody knows")
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture, lastModified: Self.date))
            let clock = ManualClock()
            let seconds = { @Sendable in 1_700_000_000 + Int64(clock.now() / 1_000_000_000) }
            var settings = LiveServer.Settings()
            settings.secondsSince1970 = seconds
            var policy = PicturePolicy()
            policy.signingKeys = keys
            settings.pictures = ReloadablePicturePolicy(policy, secondsSince1970: seconds)
            try await LiveServer.run(origin: origin, settings) { server in
                let connection = try server.connect()
                _ = try await connection.get(Self.variant)
                clock.advance(by: .seconds(20_000))
                let end = seconds() + 30
                let digest = Self.picture.withUnsafeBytes { Digest(of: $0) }.description
                let variants = [Self.variant, Self.variant + "&v=\(digest)"]
                let others = ["", "/info", "/srcset", "/placeholder"].map { Self.original + $0 }
                for target in variants + others {
                    let signed = try keys.sign(target: target, expires: end)
                    for headers in [[:], ["Content-Length": "0"], ["If-None-Match": "*"]] {
                        let answer = try await connection.get(signed, headers: headers)
                        #expect([200, 304].contains(answer.status), "\(target)")
                        #expect(answer.headers["age"] == nil, "\(target) \(headers)")
                        #expect(answer.headers["cache-control"] == "public, max-age=30", "\(target) \(headers)")
                    }
                }
            }
        }
    }

    @Test func withoutADateOfTheOriginsItIsWhenItWasStored() async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture))
            var settings = LiveServer.Settings()
            settings.secondsSince1970 = { 784_111_777 }
            try await LiveServer.run(origin: origin, settings) { server in
                for target in [Self.variant, Self.original, Self.original] {
                    let answer = try await server.get(target)
                    #expect(answer.headers["last-modified"] == Self.date)
                }
            }
        }
    }

    @Test func aVersionThatIsRightNeedsNoAskingAgain() async throws {
        try await self.withServer { server, _ in
            let digest = Self.picture.withUnsafeBytes { Digest(of: $0) }.description
            for target in ["\(Self.variant)&v=", "\(Self.original)?v="] {
                for headers in [[:], ["Content-Length": "0"]] {
                    for _ in 0..<2 {
                        let right = try await server.get(target + digest.prefix(16), headers: headers)
                        #expect(right.headers["cache-control"] == "public, max-age=31536000, immutable")
                        let wrong = try await server.get(target + "0123456789abcdef", headers: headers)
                        #expect(wrong.headers["cache-control"] == "public, max-age=60")
                        #expect(wrong.body == right.body)
                    }
                }
                let malformed = try await server.get(target + "0123")
                #expect(malformed.status == 400 && malformed.text.contains("v must be 8 to 64"))
            }
            let whole = try await server.get("\(Self.original)?v=\(digest)")
            #expect(whole.body == Self.picture, "a version asks for no variant")
        }
    }
}
