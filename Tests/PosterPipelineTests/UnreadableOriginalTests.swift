import NIOCore
import PictureTesting
import PosterCodec
import PosterTesting
import Synchronization
import Testing

@testable import PosterPipeline

@Suite(.timeLimit(.hang))
struct UnreadableOriginalTests {
    private let picture = TestPicture.jpeg(width: 200, height: 300)

    /// A file with reads that fail `limit` times before they work.
    private final class File: StoredBytes {
        let bytes: [UInt8]
        let failures: Counter
        let limit: Int

        init(_ bytes: [UInt8], failures: Counter, limit: Int) {
            self.bytes = bytes
            self.failures = failures
            self.limit = limit
        }

        var count: Int { self.bytes.count }

        func read(
            from offset: Int, into buffer: UnsafeMutableRawBufferPointer
        ) throws(OriginalBytes.Unreadable) {
            guard self.failures.value >= self.limit else {
                self.failures.increment()
                throw OriginalBytes.Unreadable()
            }
            buffer.copyBytes(from: self.bytes[offset..<offset + buffer.count])
        }

        func piece(_ part: Range<Int>) async throws -> ByteBuffer { ByteBuffer(bytes: self.bytes[part]) }
    }

    /// A memory store that returns its originals as files.
    private final class Store: OriginalStore {
        let memory = MemoryOriginalStore()
        let failures = Counter()
        let limit: Int

        init(failures limit: Int) {
            self.limit = limit
        }

        func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
            guard let stored = try await self.memory.original(id, from: location) else { return nil }
            let original = stored.original
            let bytes = try original.bytes.withUnsafeBytes { Array($0) }
            let file = File(bytes, failures: self.failures, limit: self.limit)
            return StoredOriginal(
                original: Original(
                    id: id, digest: original.digest, header: original.header, bytes: .stored(file)),
                validators: stored.validators, freshness: stored.freshness)
        }

        func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
            try await self.memory.makeDraft(for: id, from: location)
        }

        func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {}

        func remove(_ id: PosterID, digest: Digest) async {}

        func purge(_ id: PosterID) async throws -> Bool { try await self.memory.purge(id) }
    }

    private func fixture(failures: Int) async throws -> (fixture: PipelineFixture, store: Store) {
        let store = Store(failures: failures)
        let fixture = PipelineFixture(store: store)
        fixture.source.set(
            self.picture, for: "heat", etag: "\"1\"", caching: CachingFields(cacheControl: "max-age=86400"))
        _ = try await fixture.answer(try PipelineFixture.request("heat", width: 10))
        return (fixture, store)
    }

    @Test("an original that cannot be read is looked for once more")
    func once() async throws {
        let (fixture, store) = try await self.fixture(failures: 1)
        let (poster, _) = try PipelineFixture.variant(
            try await fixture.answer(try PipelineFixture.request("heat", width: 92)))
        #expect(poster.size.width == 92 && store.failures.value == 1)
        let described = try await self.fixture(failures: 1)
        let description = try await described.fixture.pipeline.description(of: try PosterID(key: "heat"))
        #expect(description.header.width == 200 && described.store.failures.value == 1)
    }

    @Test("and no more than that")
    func twice() async throws {
        let error = PosterError.storageFailed(reason: "a stored original could not be read")
        let (fixture, store) = try await self.fixture(failures: 1000)
        await #expect(throws: error) { try await fixture.answer(try PipelineFixture.request("heat", width: 92)) }
        #expect(store.failures.value == 2)
        await #expect(throws: error) { try await fixture.pipeline.description(of: try PosterID(key: "heat")).info }
    }

    @Test("a render counts with the original that it reads into memory")
    func weight() throws {
        let header = try inspect(self.picture.span.bytes, limits: .init())
        let plan = try RenderPlan(header, target: RenderTarget(width: 92, format: .jpeg))
        let digest = Digest(of: "x")
        let id = try PosterID(key: "heat")
        let file = File(self.picture, failures: Counter(), limit: 0)
        let stored = Original(id: id, digest: digest, header: header, bytes: .stored(file))
        let inMemory = Original(id: id, digest: digest, header: header, bytes: .memory(LoadedBytes(copying: picture)))
        #expect(VariantRenderer.weight(of: plan, stored) == plan.workingBytes + self.picture.count)
        #expect(VariantRenderer.weight(of: plan, inMemory) == plan.workingBytes)
    }
}
