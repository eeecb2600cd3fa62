import NIOCore
import PictureTesting
import PosterCodec
import Testing

@testable import PosterPipeline

struct VariantLimitTests {
    private static let header = Result {
        try inspect(TestPicture.jpeg(width: 600, height: 900).span.bytes, limits: CodecLimits())
    }

    private func key(_ id: String, _ width: Int) throws -> VariantKey {
        try VariantKey(
            id: PosterID(key: id), facts: OriginalFacts(digest: Digest(of: id), header: try Self.header.get()),
            target: RenderTarget(width: width, format: .jpeg))
    }

    private func poster(_ key: VariantKey, byteCount: Int = 100) -> Poster {
        Poster(
            bytes: ByteBuffer(repeating: 1, count: byteCount), entityTag: key.entityTag(), format: .jpeg,
            size: key.framing.size)
    }

    @Test func aFloodOfSizesOfOnePosterLeavesTheSizesThatAreUsedAndAllOtherPosters() throws {
        let cache = VariantCache(byteBudget: 64 << 20, limitPerPoster: 8)
        let others = try (16..<24).map { try self.key("other", $0) }
        let used = try (16..<20).map { try self.key("a", $0) }
        for key in others + used {
            cache.insert(self.poster(key), for: key)
        }
        for _ in 0..<3 { for key in used { #expect(cache.poster(for: key) != nil) } }
        for width in 100..<400 {
            if width.isMultiple(of: 4) { for key in used { #expect(cache.poster(for: key) != nil) } }
            let key = try self.key("a", width)
            #expect(cache.insert(self.poster(key), for: key))
            #expect(cache.contains(key), "what was just made is there")
            #expect(cache.count(of: key.id) <= 8)
        }
        for key in others + used { #expect(cache.contains(key)) }
        #expect(cache.count(of: used[0].id) == 8 && cache.count(of: others[0].id) == 8)
        #expect(cache.usage.count == 16)
    }

    @Test func whatIsReplacedCountsOnce() throws {
        let cache = VariantCache(byteBudget: 1 << 20, limitPerPoster: 1)
        let key = try self.key("a", 50)
        for _ in 0..<3 { cache.insert(self.poster(key), for: key) }
        #expect(cache.count(of: key.id) == 1 && cache.contains(key))
        #expect(cache.remove(key))
        #expect(cache.count(of: key.id) == 0)
    }

    @Test func whatIsEvictedOrTooLargeDoesNotCountAnyMore() throws {
        let cache = VariantCache(byteBudget: 100_000, limitPerPoster: 100)
        for width in 16..<66 {
            let key = try self.key("a\(width % 5)", width)
            cache.insert(self.poster(key, byteCount: 9000), for: key)
        }
        let counted = try (0..<5).reduce(0) { sum, number in sum + cache.count(of: try PosterID(key: "a\(number)")) }
        #expect(counted == cache.usage.count && counted < 20)
        let large = try self.key("large", 50)
        #expect(!cache.insert(self.poster(large, byteCount: 200_000), for: large))
        #expect(cache.count(of: large.id) == 0)
    }

    @Test func aPurgeRemovesTheVariantsOfOnePoster() throws {
        let cache = VariantCache(byteBudget: 1 << 20)
        let keys = try ["a", "b"].flatMap { id in try (16..<20).map { try self.key(id, $0) } }
        for key in keys { cache.insert(self.poster(key), for: key) }
        cache.removeAll(of: keys[0].id)
        #expect(keys.map(cache.contains) == [false, false, false, false, true, true, true, true])
        #expect(cache.count(of: keys[0].id) == 0)
    }

    @Test func theCountIsExactWhenManyInsertAtOnce() async throws {
        let cache = VariantCache(byteBudget: 200_000, limitPerPoster: 16)
        let keys = try (0..<4).map { number in try (16..<116).map { try self.key("a\(number)", $0) } }
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for step in 0..<400 {
                        let key = keys[(worker + step) % 4][(worker * 37 + step * 11) % 100]
                        switch step % 10 {
                        case 0: cache.remove(key)
                        case 1: cache.removeAll(of: key.id)
                        default: cache.insert(self.poster(key, byteCount: 4000), for: key)
                        }
                    }
                }
            }
        }
        for group in keys {
            let there = group.filter(cache.contains).count
            #expect(there == cache.count(of: group[0].id) && there <= 16)
        }
    }

    @Test(arguments: [
        (0, 1), (4096, 1), (27 << 20, 1), (28 << 20, 2), (100 << 20, 4), (223 << 20, 8), (224 << 20, 16),
        (8 << 30, 16),
    ])
    func variantsAreShardedOnceEachShardFitsTheLargest(byteBudget: Int, shardCount: Int) {
        #expect(VariantCache.shardCount(byteBudget: byteBudget) == shardCount)
    }
}
