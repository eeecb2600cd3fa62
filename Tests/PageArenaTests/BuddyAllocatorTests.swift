import Testing

@testable import PageArena

struct BuddyAllocatorTests {
    private typealias Buddy = BuddyAllocator

    /// Numbers of a linear congruential generator with Knuth's MMIX constants, the same in every run.
    private struct Numbers {
        private var state: UInt64 = 42

        mutating func below(_ limit: Int) -> Int {
            self.state = self.state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(self.state >> 33) % limit
        }
    }

    /// The size of the block for a number of bytes.
    private static func blockSize(_ byteCount: Int) -> Int {
        var size = Buddy.unit
        while size < byteCount { size *= 2 }
        return size
    }

    @Test func blocksAreAtMultiplesOfTheirSizesAndNeverOverlap() throws {
        var buddy = Buddy(capacity: 8 * Buddy.largestBlock)
        var numbers = Numbers()
        var blocks: [(offset: Int, byteCount: Int)] = []
        for _ in 0..<20_000 {
            if blocks.count < 300 || numbers.below(2) == 0 {
                let byteCount = 1 + numbers.below(numbers.below(10) == 0 ? 2 << 20 : 100_000)
                guard let offset = buddy.allocate(byteCount) else { continue }
                #expect(offset.isMultiple(of: Self.blockSize(byteCount)))
                blocks.append((offset, byteCount))
            } else {
                let block = blocks.remove(at: numbers.below(blocks.count))
                #expect(buddy.byteCount(at: block.offset) == block.byteCount)
                buddy.free(block.offset)
            }
        }
        #expect(buddy.usedByteCount == blocks.reduce(0) { $0 + $1.byteCount })
        let sorted = blocks.sorted { $0.offset < $1.offset }
        for (block, next) in zip(sorted, sorted.dropFirst()) {
            #expect(block.offset + Self.blockSize(block.byteCount) <= next.offset)
        }
        let last = try #require(sorted.last)
        #expect(last.offset + last.byteCount <= buddy.reachedByteCount)
        #expect(buddy.reachedByteCount <= buddy.capacity)
    }

    @Test func onceEverythingIsFreeTheLargestBlocksAreWholeAgain() {
        var buddy = Buddy(capacity: 4 * Buddy.largestBlock)
        var numbers = Numbers()
        var offsets: [Int] = []
        while let offset = buddy.allocate(1 + numbers.below(1 << 20)) { offsets.append(offset) }
        while !offsets.isEmpty { buddy.free(offsets.remove(at: numbers.below(offsets.count))) }
        #expect(buddy.usedByteCount == 0)
        let large = (0..<4).compactMap { _ in buddy.allocate(Buddy.largestBlock) }
        #expect(Set(large) == Set((0..<4).map { $0 * Buddy.largestBlock }))
        #expect(buddy.allocate(1) == nil)
    }

    @Test func afterExhaustionAFreedBlockIsAllocatedAgain() throws {
        var buddy = Buddy(capacity: Buddy.largestBlock)
        var offsets: [Int] = []
        while let offset = buddy.allocate(Buddy.unit) { offsets.append(offset) }
        #expect(offsets.count == 1 << Buddy.topOrder)
        buddy.free(offsets[7])
        #expect(buddy.allocate(2 * Buddy.unit) == nil)
        #expect(buddy.allocate(Buddy.unit) == offsets[7])
        #expect(buddy.allocate(Buddy.largestBlock + 1) == nil, "larger than every block")
    }

    @Test func withoutReleasesTheUsedPartOfTheRangeIsTheBlocksAndAtMostOneLargestBlock() {
        var buddy = Buddy(capacity: 64 * Buddy.largestBlock)
        var numbers = Numbers()
        var sum = 0
        for _ in 0..<2000 {
            let byteCount = Buddy.unit + numbers.below(200_000)
            #expect(buddy.allocate(byteCount) != nil)
            sum += Self.blockSize(byteCount)
        }
        #expect(sum < 2 * buddy.usedByteCount)
        #expect(buddy.reachedByteCount < sum + Buddy.largestBlock)
    }
}
