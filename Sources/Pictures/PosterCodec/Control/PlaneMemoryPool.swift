import Glibc
import Synchronization

/// Reuses the memory of retained planes: faulting in fresh pages takes a twentieth to a fifth of a poster's decoding
/// time. Safe from any thread.
public final class PlaneMemoryPool: Sendable {
    fileprivate struct State {
        /// Unused blocks, the least recently returned first.
        var spare: [PlaneMemory.Block] = []
        /// The size of the last block that was mapped for a job, in bytes; 0 after ``prepare()``.
        var missing = 0
    }

    /// Maximum unused memory in bytes.
    public let spareLimit: Int
    private let state = Mutex(State())

    /// - Parameter spareBytes: Maximum unused memory in bytes; 0 returns all memory to the system at once.
    public init(spareBytes: Int) {
        self.spareLimit = max(0, spareBytes)
    }

    deinit {
        self.trim()
    }

    /// The unused memory in bytes.
    public var spareByteCount: Int {
        self.state.withLock { $0.spareByteCount }
    }

    /// Returns unused memory to the system.
    public func trim() {
        let blocks = self.state.withLock { state in
            defer { state = State() }
            return state.spare
        }
        for block in blocks { block.unmap() }
    }

    /// Maps a spare block like the last one that a job had to map, and faults in its pages, if it fits within
    /// ``spareLimit``: posters of a catalogue often have the same size. Takes about a millisecond.
    public func prepare() {
        let byteCount = self.state.withLock { state in
            defer { state.missing = 0 }
            return state.spareByteCount + state.missing <= self.spareLimit ? state.missing : 0
        }
        guard byteCount > 0, let block = PlaneMemory.Block(byteCount: byteCount) else { return }
        block.touch()
        self.giveBack(block)
    }

    /// Returns memory of at least `byteCount` bytes, at most an eighth and 64 KiB more, with arbitrary content. It
    /// returns to the pool when its owner releases it.
    ///
    /// - Returns: `nil` if the system has no memory.
    func take(_ byteCount: Int) -> PlaneMemory? {
        let needed = PlaneMemory.Block.byteCount(for: byteCount)
        let found = self.state.withLock { state -> PlaneMemory.Block? in
            // The most recently used block is the likeliest to be in a cache.
            let index = state.spare.lastIndex { (needed...needed + needed / 8).contains($0.byteCount) }
            if index == nil { state.missing = needed }
            return index.map { state.spare.remove(at: $0) }
        }
        guard let block = found ?? PlaneMemory.Block(byteCount: needed) else { return nil }
        return PlaneMemory(block, of: self)
    }

    fileprivate func giveBack(_ block: PlaneMemory.Block) {
        let excess = self.state.withLock { state -> [PlaneMemory.Block] in
            guard block.byteCount <= self.spareLimit else { return [block] }
            state.spare.append(block)
            var byteCount = state.spareByteCount
            // The oldest blocks are unmapped first.
            let kept = state.spare.firstIndex { block in
                guard byteCount > self.spareLimit else { return true }
                byteCount -= block.byteCount
                return false
            }
            let excess = Array(state.spare[..<(kept ?? state.spare.endIndex)])
            state.spare.removeFirst(excess.count)
            return excess
        }
        for block in excess { block.unmap() }
    }
}

extension PlaneMemoryPool.State {
    fileprivate var spareByteCount: Int { self.spare.reduce(0) { $0 + $1.byteCount } }
}

/// A block of memory that returns to its pool when it is released.
final class PlaneMemory: @unchecked Sendable {
    // Unchecked because of the pointer: one job writes the memory; it is read-only afterwards.
    private let block: Block
    /// `nil` if the memory belongs to another object.
    private let pool: PlaneMemoryPool?

    fileprivate init(_ block: Block, of pool: PlaneMemoryPool) {
        self.block = block
        self.pool = pool
    }

    /// Wraps memory of the caller, which is only read and must outlive this object.
    init(reading bytes: UnsafeRawBufferPointer) {
        self.block = Block(start: UnsafeMutableRawPointer(mutating: bytes.baseAddress!), byteCount: bytes.count)
        self.pool = nil
    }

    deinit {
        self.pool?.giveBack(self.block)
    }

    var start: UnsafeMutablePointer<UInt8> { self.block.start.assumingMemoryBound(to: UInt8.self) }

    var byteCount: Int { self.block.byteCount }

    /// Pages mapped from the system.
    fileprivate struct Block: @unchecked Sendable {
        // Unchecked because of the pointer: a block belongs either to the pool or to one owner.
        let start: UnsafeMutableRawPointer
        let byteCount: Int

        /// The size of a huge page, and the unit of block sizes, in bytes.
        private static let (hugePage, granularity) = (2 << 20, 64 << 10)

        /// The size of the smallest block with at least `byteCount` bytes.
        static func byteCount(for byteCount: Int) -> Int {
            (max(1, byteCount) + self.granularity - 1) / self.granularity * self.granularity
        }

        init(start: UnsafeMutableRawPointer, byteCount: Int) {
            self.start = start
            self.byteCount = byteCount
        }

        /// - Parameter byteCount: A result of ``byteCount(for:)``.
        init?(byteCount: Int) {
            // Aligned to a huge page, which the first access fills at once instead of as 512 pages one by one.
            let margin = byteCount >= Self.hugePage ? Self.hugePage : 0
            let mapped = mmap(
                nil, byteCount + margin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let mapped, mapped != MAP_FAILED else { return nil }
            let before = margin == 0 ? 0 : -Int(bitPattern: mapped) & (Self.hugePage - 1)
            if before > 0 { munmap(mapped, before) }
            if margin > before { munmap(mapped + before + byteCount, margin - before) }
            self.start = mapped + before
            self.byteCount = byteCount
            // Has no effect on a system without huge pages.
            if margin > 0 { madvise(self.start, byteCount, MADV_HUGEPAGE) }
        }

        /// Faults in all pages of a new block.
        func touch() {
            for offset in stride(from: 0, to: self.byteCount, by: 4096) {
                self.start.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
            }
        }

        func unmap() {
            munmap(self.start, self.byteCount)
        }
    }
}
