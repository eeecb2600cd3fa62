import PosterCodec
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import PosterAPI

/// The format for a client, its lifetime, and when it changes.
@Suite(.timeLimit(.hang))
struct NegotiationTests {
    /// `Accept` of current browsers.
    private static let modern = ["Accept": "image/avif,image/webp,image/apng,image/*,*/*;q=0.8"]
    private static let older = ["Accept": "image/webp,*/*;q=0.8"]
    /// Sends a request on the slow path without a change to its response.
    private static let detour = ["Content-Length": "0"]

    private static let untilAVIF = "public, max-age=60, stale-while-revalidate=86400, stale-if-error=604800"
    private static let final = "public, max-age=86400, stale-while-revalidate=86400, stale-if-error=604800"

    private func run(
        _ limits: ReencodingLimits?, pictures: ReloadablePicturePolicy = ReloadablePicturePolicy(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            var settings = LiveServer.Settings()
            settings.policies.reencoding = limits
            settings.pictures = pictures
            try await LiveServer.run(origin: origin, settings, body)
        }
    }

    /// Limits that no variant's use count reaches.
    private var unused: ReencodingLimits {
        var limits = ReencodingLimits()
        limits.uses = 255
        return limits
    }

    private func avifCount(_ server: LiveServer) -> Int {
        server.pipeline.status.reencoding?.formats.first { $0.format == .avif }?.count ?? 0
    }

    @Test(
        "a client that accepts AVIF gets WebP for a minute, and AVIF as soon as it was made", arguments: [false, true])
    func becomesAVIF(isVersioned: Bool) async throws {
        try await self.run(ReencodingLimits()) { server in
            var target = "/poster/nosferatu-1922?w=185"
            if isVersioned {
                let info = try await server.get("/poster/nosferatu-1922/info").text
                let digest = try #require(info.firstMatch(of: #/"digest":"([0-9a-f]{16})/#)?.1)
                target += "&v=\(digest)"
            }
            let lasting = isVersioned ? "public, max-age=31536000, immutable" : Self.final
            let first = try await server.get(target, headers: Self.modern)
            #expect(first.status == 200 && first.headers["content-type"] == "image/webp")
            #expect(first.headers["cache-control"] == Self.untilAVIF && first.headers["vary"] == "Accept")
            #expect(first.headers["last-modified"] == nil && first.headers["age"] == nil)
            let older = try await server.get(target, headers: Self.older)
            #expect(older.body == first.body && older.headers["cache-control"] == lasting)
            _ = try await server.get(target, headers: Self.modern)
            try await eventually { self.avifCount(server) == 1 }

            let webPTag = try #require(first.headers["etag"])
            for way in [[:], Self.detour] {
                let avif = try await server.get(target, headers: Self.modern.merging(way) { $1 })
                #expect(avif.headers["content-type"] == "image/avif" && avif.body.count < first.body.count)
                #expect(avif.headers["cache-control"] == lasting && avif.headers["vary"] == "Accept")
                let tag = try #require(avif.headers["etag"])
                #expect(tag != webPTag)
                let same = try await server.get(
                    target, headers: Self.modern.merging(["If-None-Match": tag]) { $1 }.merging(way) { $1 })
                #expect(same.status == 304 && same.headers["etag"] == tag)
                let other = try await server.get(
                    target, headers: Self.modern.merging(["If-None-Match": webPTag]) { $1 }.merging(way) { $1 })
                #expect(other.status == 200 && other.body == avif.body, "a cache with WebP gets AVIF")
                let still = try await server.get(target, headers: Self.older.merging(way) { $1 })
                #expect(still.headers["content-type"] == "image/webp" && still.headers["cache-control"] == lasting)
            }
        }
    }

    @Test("until then a revalidation is a 304 for another minute, and a date says nothing of the format")
    func revalidation() async throws {
        try await self.run(self.unused) { server in
            let target = "/poster/nosferatu-1922?w=92"
            let first = try await server.get(target, headers: Self.modern)
            let tag = try #require(first.headers["etag"])
            for way in [[:], Self.detour] {
                let again = try await server.get(
                    target, headers: Self.modern.merging(["If-None-Match": tag]) { $1 }.merging(way) { $1 })
                #expect(again.status == 304 && again.headers["etag"] == tag)
                #expect(again.headers["cache-control"] == Self.untilAVIF)
            }
            let dated = try await server.get(
                target, headers: Self.modern.merging(["If-Modified-Since": "Sun, 06 Nov 2094 08:49:37 GMT"]) { $1 })
            #expect(dated.status == 200)
        }
    }

    @Test("format=avif is rendered while the client waits, and is what format=auto is answered with then")
    func namedAVIF() async throws {
        try await self.run(nil) { server in
            let named = try await server.get("/poster/nosferatu-1922?w=92&format=avif")
            #expect(named.headers["content-type"] == "image/avif" && named.headers["vary"] == nil)
            #expect(named.headers["cache-control"] == Self.final)
            let negotiated = try await server.get("/poster/nosferatu-1922?w=92", headers: Self.modern)
            #expect(negotiated.body == named.body && negotiated.headers["cache-control"] == Self.final)
            let other = try await server.get("/poster/nosferatu-1922?w=93", headers: Self.modern)
            #expect(other.headers["content-type"] == "image/webp", "no request for auto waits for AVIF")
            #expect(other.headers["cache-control"] == Self.final, "nothing will replace it")
        }
    }

    @Test("the order of formats is part of the policy, which a reload replaces on both paths")
    func reload() async throws {
        let policies = ReloadablePicturePolicy()
        try await self.run(self.unused, pictures: policies) { server in
            let target = "/poster/nosferatu-1922?w=92"
            _ = try await server.get(target + "&format=avif")
            for (formats, type) in [
                ([.avif, .webp], "image/avif"), ([.webp, .avif], "image/webp"), ([.jpeg], "image/jpeg"),
                ([.avif], "image/avif"),
            ] as [([OutputFormat], String)] {
                var policy = PicturePolicy()
                policy.formats = try #require(FormatOrder(formats))
                policies.replace(policy)
                _ = try await server.get(target, headers: Self.modern)
                for way in [[:], Self.detour] {
                    let answer = try await server.get(target, headers: Self.modern.merging(way) { $1 })
                    #expect(answer.headers["content-type"] == type && answer.headers["vary"] == "Accept", "\(formats)")
                }
            }
        }
    }

    // MARK: Parsing

    @Test("both formats of a request have the same pixels, and each its quality")
    func preferredTargets() throws {
        let accept = Self.modern["Accept"]
        let parser = PictureRequestParser { $0.usesHints = true }
        for (target, hints, quality) in [
            ("/poster/x?w=92&h=60&fit=cover", ClientHints(), nil), ("/poster/x?w=92&q=70", ClientHints(), 70),
            ("/poster/x?w=92", ClientHints(saves: true), .fixed(ClientHints.savingQuality)),
            ("/poster/x?w=92&q=70", ClientHints(saves: true), 70), ("/t/p/w92/a.jpg", ClientHints(), nil),
            ("/t/p/w92/a.png", ClientHints(saves: true), .fixed(ClientHints.savingQuality)),
            ("/_next/image?url=%2Fposter%2Fx&w=640&q=75", ClientHints(), 75),
            ("/poster/x?w=92&q=high", ClientHints(saves: true), .likeness(.high)),
        ] as [(String, ClientHints, Quality?)] {
            let parsed = try #require(try parser.parse(target, accept: accept, hints: hints))
            var preferred = try #require(parsed.request.preferred)
            #expect(parsed.wanted?.format == .webp && preferred.format == .avif, "\(target)")
            #expect(parsed.wanted?.quality == quality ?? .fixed(OutputFormat.webp.defaultQuality))
            #expect(preferred.quality == quality ?? .fixed(OutputFormat.avif.defaultQuality))
            (preferred.format, preferred.quality) = (.webp, try #require(parsed.wanted?.quality))
            #expect(preferred == parsed.wanted)
        }
    }

    @Test("by likeness, requests without q have it in each format, and less of it for clients that save data")
    func likeness() throws {
        let accept = Self.modern["Accept"]
        let parser = PictureRequestParser {
            $0.usesHints = true
            $0.usesLikeness = true
        }
        for (target, hints, quality) in [
            ("/poster/x?w=92", ClientHints(), .likeness(.auto)), ("/poster/x?w=92&q=70", ClientHints(), 70),
            ("/poster/x?w=92&q=low", ClientHints(), .likeness(.low)),
            ("/t/p/w92/a.jpg", ClientHints(), .likeness(.auto)),
            ("/poster/x?w=92", ClientHints(saves: true), .likeness(.low)),
            ("/_next/image?url=%2Fposter%2Fx&w=640&q=75", ClientHints(), 75),
            ("/_next/image?url=%2Fposter%2Fx&w=640", ClientHints(), .likeness(.auto)),
        ] as [(String, ClientHints, Quality)] {
            let parsed = try #require(try parser.parse(target, accept: accept, hints: hints))
            #expect(parsed.wanted?.quality == quality, "\(target)")
            #expect(parsed.request.preferred?.quality == quality, "\(target)")
        }
        let lossless = try parser.parse("/poster/x?w=92&format=png", accept: nil, hints: ClientHints())
        #expect(lossless?.wanted?.quality == .fixed(100))
    }

    @Test("what names its format, an original and a client without AVIF have no preferred format")
    func noPreferredTarget() throws {
        for (target, accept) in [
            ("/poster/x?w=92&format=webp", Self.modern), ("/poster/x?w=92&format=avif", Self.modern),
            ("/poster/x", Self.modern), ("/poster/x?w=92", Self.older), ("/t/p/original/a.jpg", Self.modern),
        ] {
            let parsed = try #require(try PictureRequestParser().parse(target, accept: accept["Accept"]))
            #expect(parsed.request.preferred == nil, "\(target)")
        }
        // A logo stays a transparent PNG until there is an AVIF, which supports transparency, too.
        let logo = try #require(try PictureRequestParser().parse("/t/p/w92/a.svg", accept: "image/avif"))
        #expect(logo.wanted?.format == .png && logo.request.preferred?.format == .avif)
    }
}
