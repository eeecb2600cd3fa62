import Glibc
import Synchronization

/// Memory for planes that stay, which is used again: fresh pages take as long as decoding a twentieth of a poster. Safe
/// from any thread.
public final class PlaneMemoryPool: Sendable {
    /// The most memory that is kept unused, in bytes.
    public let spareLimit: Int
    /// Unused, in the order in which they were given back.
    private let spare = Mutex<[PlaneMemory.Block]>([])

    /// - Parameter spareBytes: The most memory that is kept unused; with 0 all is returned to the system.
    public init(spareBytes: Int) {
        self.spareLimit = max(0, spareBytes)
    }

    deinit {
        self.trim()
    }

    /// The memory that is kept unused, in bytes.
    public var spareByteCount: Int {
        self.spare.withLock { $0.reduce(0) { $0 + $1.byteCount } }
    }

    /// Returns unused memory to the system.
    public func trim() {
        let blocks = self.spare.withLock { spare in
            defer { spare = [] }
            return spare
        }
        for block in blocks { block.unmap() }
    }

    /// Memory of at least `byteCount` bytes of any content, at most an eighth and 64 KiB more; it comes back with its
    /// owner's end.
    ///
    /// - Returns: nil without memory.
    func take(_ byteCount: Int) -> PlaneMemory? {
        let needed = PlaneMemory.Block.byteCount(for: byteCount)
        let found = self.spare.withLock { spare -> PlaneMemory.Block? in
            // What was used last is the likeliest to be in a cache.
            let index = spare.lastIndex { (needed...needed + needed / 8).contains($0.byteCount) }
            return index.map { spare.remove(at: $0) }
        }
        guard let block = found ?? PlaneMemory.Block(byteCount: needed) else { return nil }
        return PlaneMemory(block, of: self)
    }

    fileprivate func giveBack(_ block: PlaneMemory.Block) {
        let excess = self.spare.withLock { spare -> [PlaneMemory.Block] in
            guard block.byteCount <= self.spareLimit else { return [block] }
            spare.append(block)
            var byteCount = spare.reduce(0) { $0 + $1.byteCount }
            // The oldest go first.
            let kept = spare.firstIndex { block in
                guard byteCount > self.spareLimit else { return true }
                byteCount -= block.byteCount
                return false
            }
            let excess = Array(spare[..<(kept ?? spare.endIndex)])
            spare.removeFirst(excess.count)
            return excess
        }
        for block in excess { block.unmap() }
    }
}

/// A piece of memory with one owner, which goes back to its pool with it.
final class PlaneMemory: @unchecked Sendable {
    // Unchecked because of the pointer: one job writes the memory, and nothing does afterwards.
    private let block: Block
    /// nil for memory that belongs to something else.
    private let pool: PlaneMemoryPool?

    fileprivate init(_ block: Block, of pool: PlaneMemoryPool) {
        self.block = block
        self.pool = pool
    }

    /// Memory of the caller's, which is only read and outlives this object.
    init(reading bytes: UnsafeRawBufferPointer) {
        self.block = Block(start: UnsafeMutableRawPointer(mutating: bytes.baseAddress!), byteCount: bytes.count)
        self.pool = nil
    }

    deinit {
        self.pool?.giveBack(self.block)
    }

    var start: UnsafeMutablePointer<UInt8> { self.block.start.assumingMemoryBound(to: UInt8.self) }

    var byteCount: Int { self.block.byteCount }

    /// Pages of the system.
    fileprivate struct Block: @unchecked Sendable {
        // Unchecked because of the pointer: either the pool has it, or one owner.
        let start: UnsafeMutableRawPointer
        let byteCount: Int

        /// The size of a huge page, and what a block's size is a multiple of.
        private static let (hugePage, granularity) = (2 << 20, 64 << 10)

        /// The size of a block that has `byteCount` bytes.
        static func byteCount(for byteCount: Int) -> Int {
            (max(1, byteCount) + self.granularity - 1) / self.granularity * self.granularity
        }

        init(start: UnsafeMutableRawPointer, byteCount: Int) {
            self.start = start
            self.byteCount = byteCount
        }

        /// - Parameter byteCount: As ``byteCount(for:)`` gives it.
        init?(byteCount: Int) {
            // Aligned to a huge page, which is filled at its first use instead of 512 pages one by one.
            let margin = byteCount >= Self.hugePage ? Self.hugePage : 0
            let mapped = mmap(
                nil, byteCount + margin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let mapped, mapped != MAP_FAILED else { return nil }
            let before = margin == 0 ? 0 : -Int(bitPattern: mapped) & (Self.hugePage - 1)
            if before > 0 { munmap(mapped, before) }
            if margin > before { munmap(mapped + before + byteCount, margin - before) }
            self.start = mapped + before
            self.byteCount = byteCount
            // Of no consequence where the system has none.
            if margin > 0 { madvise(self.start, byteCount, MADV_HUGEPAGE) }
        }

        func unmap() {
            munmap(self.start, self.byteCount)
        }
    }
}
