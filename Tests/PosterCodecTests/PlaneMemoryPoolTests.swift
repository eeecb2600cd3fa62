import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct PlaneMemoryPoolTests {
    @Test("memory is taken back and used again")
    func reuses() throws {
        let pool = PlaneMemoryPool(spareBytes: 8 << 20)
        var memory = pool.take(3_000_000)
        let start = try #require(memory?.start)
        #expect(try #require(memory?.byteCount) == 46 << 16)
        #expect(Int(bitPattern: start) % (2 << 20) == 0, "aligned to a huge page")
        (start[0], start[2_999_999]) = (1, 2)
        #expect(pool.spareByteCount == 0)
        memory = nil
        #expect(pool.spareByteCount == 46 << 16)
        let again = try #require(pool.take(2_900_000))
        #expect(again.start == start && again.start[2_999_999] == 2 && pool.spareByteCount == 0)
        let other = try #require(pool.take(2_900_000))
        #expect(other.start != start)
    }

    @Test("memory that is much larger than needed is left for others")
    func fits() throws {
        for (byteCount, isReused) in [(900_000, false), (950_000, true), (1 << 20, true), (1 << 20 + 1, false)] {
            let pool = PlaneMemoryPool(spareBytes: 8 << 20)
            _ = pool.take(1 << 20)
            #expect(pool.spareByteCount == 1 << 20)
            let memory = try #require(pool.take(byteCount))
            #expect((pool.spareByteCount == 0) == isReused, "\(byteCount)")
            #expect(memory.byteCount >= byteCount && memory.byteCount <= byteCount + byteCount / 8 + 2 << 16)
        }
    }

    @Test("no more than the limit is kept, of which the oldest goes first")
    func isBounded() throws {
        let pool = PlaneMemoryPool(spareBytes: 3 << 20)
        var all = try (1...4).map { try #require(pool.take($0 << 18)) }
        let starts = all.map(\.start)
        for _ in 1...4 { all.removeFirst() }
        // 256, 512, 768 KiB and 1 MiB: 2.5 MiB.
        #expect(pool.spareByteCount == 10 << 18)
        _ = pool.take(2 << 20)
        // The three oldest were freed.
        #expect(pool.spareByteCount == 12 << 18)
        #expect(try #require(pool.take(4 << 18)).start == starts[3])
        // Memory that exceeds the limit by itself does not displace the rest.
        _ = pool.take(4 << 20)
        #expect(pool.spareByteCount == 12 << 18)
        pool.trim()
        #expect(pool.spareByteCount == 0)
        let none = PlaneMemoryPool(spareBytes: 0)
        _ = none.take(1 << 20)
        #expect(none.spareByteCount == 0)
    }

    @Test("a block like the last missing one is prepared, within the limit")
    func prepares() throws {
        let pool = PlaneMemoryPool(spareBytes: 3 << 20)
        pool.prepare()
        #expect(pool.spareByteCount == 0, "nothing was missing")
        var held = try [#require(pool.take(1 << 20))]
        pool.prepare()
        #expect(pool.spareByteCount == 1 << 20)
        held.append(try #require(pool.take(1 << 20)))
        pool.prepare()
        #expect(pool.spareByteCount == 0, "there was a spare one")
        held.append(try #require(pool.take(4 << 20)))
        pool.prepare()
        #expect(pool.spareByteCount == 0, "it exceeds the limit")
    }

    @Test("memory outlives its pool's owner")
    func outlivesOwner() throws {
        var pool: PlaneMemoryPool? = PlaneMemoryPool(spareBytes: 1 << 20)
        let memory = try #require(pool?.take(1000))
        pool = nil
        memory.start[999] = 7
        #expect(memory.start[999] == 7)
    }

    @Test("planes of another process are copied if their shapes are those of a decode of the job")
    func copies() throws {
        let bytes = try FormulaPicture.gradient(width: 401, height: 601, subsampling: .s420).jpeg()
        let scales = DecodeScale.shared(for: try bytes.header())
        let jobs = try scales.compactMap { try RetainedPlanesTests.job(of: bytes, scale: $0, servedWidth: 100) }
        let job = try #require(jobs.first)
        let planes = try RetainedPlanesTests.planes(bytes, job)
        let record = try PlanesRecord(exporting: planes) { (_) throws(CodecError) in 0 }
        func isCopied(_ record: PlanesRecord) -> Bool {
            let pool = PlaneMemoryPool(spareBytes: 0)
            return RetainedPlanes(copying: record, of: job, pool: pool) { _, _ in true } != nil
        }
        #expect(isCopied(record))
        for index in record.shapes.indices {
            var changed = record
            changed.shapes[index].width -= 1
            #expect(!isCopied(changed), "the last pixel has no sample, and the sum of its weights may be 0")
            changed = record
            changed.shapes[index].scale /= 2
            #expect(!isCopied(changed))
        }
        var impossible = record
        impossible.chromaticities = [Double](repeating: 0.3, count: 8)
        #expect(!isCopied(impossible), "the primaries are one point")
    }
}
