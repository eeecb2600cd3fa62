import NIOCore
import PageArena
import PictureTesting
import PosterCodec
import Testing

@testable import PosterPipeline

@Suite(.enabled(if: PageArena.shared != nil, "there are no files in memory"))
struct VariantArenaTests {
    private static let facts = Result {
        OriginalFacts(
            digest: Digest(of: "a"),
            header: try inspect(TestPicture.jpeg(width: 600, height: 900).span.bytes, limits: CodecLimits()))
    }

    private static func key(_ number: Int) throws -> VariantKey {
        try VariantKey(
            id: PosterID(key: "\(number)"), facts: self.facts.get(), target: RenderTarget(width: 100, format: .jpeg))
    }

    private static func poster(_ key: VariantKey, _ number: Int, byteCount: Int) -> Poster {
        Poster(
            bytes: ByteBuffer(repeating: UInt8(truncatingIfNeeded: number), count: byteCount),
            entityTag: key.entityTag(), format: .jpeg, size: key.framing.size)
    }

    @Test func aLongVariantCountsWithThePagesOfItsExtentAndAShortOneStaysOnTheHeap() throws {
        let cache = VariantCache(byteBudget: 1 << 20)
        let key = try Self.key(0)
        cache.insert(Self.poster(key, 0, byteCount: 20_000), for: key)
        let stored = try #require(cache.poster(for: key))
        #expect(stored.bytes == Self.poster(key, 0, byteCount: 20_000).bytes && stored.bytes.arenaOffset != nil)
        let size = try #require(PageArena.shared?.extentSize(of: 20_000))
        #expect(cache.usage.bytes == size + VariantCache.entryOverhead)
        cache.insert(Self.poster(key, 0, byteCount: 4000), for: key)
        #expect(cache.poster(for: key)?.bytes.arenaOffset == nil)
    }

    @Test func aReaderOfAnEvictedVariantHasItsBytesWhateverIsInsertedAfterIt() throws {
        let cache = VariantCache(byteBudget: 256 << 10)
        let first = try Self.key(0)
        let expected = Self.poster(first, 0, byteCount: 20_000)
        cache.insert(expected, for: first)
        let read = try #require(cache.poster(for: first)).bytes
        for number in 1..<500 {
            let key = try Self.key(number)
            cache.insert(Self.poster(key, number, byteCount: 20_000), for: key)
            #expect(cache.usage.bytes <= cache.byteBudget)
        }
        cache.remove(first)
        #expect(read == expected.bytes && read.arenaOffset != nil)
    }

    @Test func aVariantThatIsTooLargeForTheCacheIsNotCopied() throws {
        let cache = VariantCache(byteBudget: 64 << 10)
        let key = try Self.key(0)
        #expect(!cache.insert(Self.poster(key, 0, byteCount: 100_000), for: key))
        #expect(cache.usage.bytes == 0)
    }
}
