import PictureTesting
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

/// Variants on disk, over HTTP.
@Suite(.timeLimit(.hang))
struct VariantDiskTests {
    private static let target = "/poster/mine:a.jpg?w=46"
    private static let picture = TestPicture.jpeg(width: 60, height: 90)

    @Test func afterARestartAVariantIsServedWithoutADecode() async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture))
            var settings = LiveServer.Settings()
            settings.options["variant-disk-budget"] = ["1MiB"]
            settings.policies.variantStore.leastCPUNanoseconds = 0
            let first = Answered()
            try await LiveServer.run(origin: origin, settings) { server in
                first.answer = try await server.get(Self.target)
                #expect(first.answer?.headers["cache-status"] == "OneSheet; fwd=uri-miss; fwd-status=200; stored")
                try await eventually { try await server.metrics()["onesheet_variant_disk_writes_total"] == 1 }
                let metrics = try await server.metrics()
                #expect(metrics["onesheet_variant_disk_entries"] == 1)
                #expect(metrics["onesheet_variant_disk_misses_total"] == 1)
                #expect(try #require(metrics["onesheet_variant_disk_bytes"]) >= 4096)
                #expect(metrics["onesheet_variant_disk_budget_bytes"] == 1_048_576)
            }
            try await LiveServer.run(origin: origin, settings) { server in
                let answer = try await server.get(Self.target)
                #expect(answer.status == 200 && answer.body == first.answer?.body)
                #expect(answer.headers["etag"] == first.answer?.headers["etag"])
                #expect(answer.headers["cache-status"] == "OneSheet; fwd=miss; detail=variant-on-disk; stored")
                #expect(try await server.get(Self.target).headers["cache-status"] == "OneSheet; hit")
                let metrics = try await server.metrics()
                #expect(metrics["onesheet_decodes_total"] == 0 && metrics["onesheet_renders_total"] == 0)
                #expect(metrics["onesheet_variant_disk_hits_total"] == 1)
                #expect(metrics["onesheet_fetches_total"] == nil)
                let health = try await server.get("/readyz").text
                #expect(health.contains(#""variantDisk":{"byteBudget":1048576,"#), "\(health)")
                #expect(try await server.pipeline.purge(PosterID("mine:a.jpg")))
                #expect(server.folder.files.filter { $0.hasSuffix(".variant") } == [])
            }
        }
    }

    @Test func anAVIFOnDiskIsServedToClientsThatPreferIt() async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture))
            var settings = LiveServer.Settings()
            settings.options["variant-disk-budget"] = ["1MiB"]
            settings.policies.variantStore.leastCPUNanoseconds = 0
            var reencoding = ReencodingLimits()
            reencoding.uses = ReencodingLimits.useCounts.upperBound
            settings.policies.reencoding = reencoding
            try await LiveServer.run(origin: origin, settings) { server in
                #expect(try await server.get(Self.target + "&format=avif").status == 200)
                try await eventually { try await server.metrics()["onesheet_variant_disk_writes_total"] == 1 }
            }
            try await LiveServer.run(origin: origin, settings) { server in
                let modern = ["Accept": "image/avif,image/webp"]
                let first = try await server.get(Self.target, headers: modern)
                #expect(first.headers["content-type"] == "image/avif")
                #expect(first.headers["cache-status"] == "OneSheet; fwd=miss; detail=variant-on-disk; stored")
                #expect(first.headers["cache-control"]?.contains("max-age=60") == false)
                let second = try await server.get(Self.target, headers: modern)
                #expect(second.headers["cache-status"] == "OneSheet; hit" && second.body == first.body)
                #expect(try await server.metrics()["onesheet_renders_total"] == 0)
            }
        }
    }

    private final class Answered: @unchecked Sendable {
        // Unchecked: written once, before it is read.
        var answer: HTTPConnection.Answer?
    }
}
