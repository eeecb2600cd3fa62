import CPosterMemory
import Glibc
import Synchronization

/// Extents of whole pages in one file in memory, mapped once, so that `sendfile` sends them without a copy. Safe from
/// any thread.
///
/// The kernel's sockets refer to the pages of a sent file until the peer has acknowledged them. So the pages of a freed
/// extent are removed from the file before its addresses are allocated again: bytes in flight keep the old pages, and
/// the next extent gets new ones. Free extents have no memory, whatever the fragmentation of the addresses.
public final class PageArena: Sendable {
    /// The arena of the process, as large as its machine's memory; `nil` where the kernel has no such files, or bytes
    /// in flight would change.
    public static let shared = PageArena(
        capacity: sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE)))
    /// Minimum length of bytes that should be in the arena: its pages add less than a quarter to them.
    public static let leastLength = BuddyAllocator.unit

    /// The file.
    public let descriptor: CInt
    private let address: UInt
    private let capacity: Int
    private let pageSize: Int
    private let blocks: Mutex<BuddyAllocator>

    /// - Parameter capacity: Maximum size of all extents in bytes, in steps of 16 MiB.
    init?(capacity: Int) {
        let blocks = BuddyAllocator(capacity: max(capacity, BuddyAllocator.largestBlock))
        self.capacity = blocks.capacity
        self.blocks = Mutex(blocks)
        self.pageSize = sysconf(CInt(_SC_PAGESIZE))
        self.descriptor = poster_memory_create(Int64(self.capacity))
        let memory = mmap(
            nil, self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED | CInt(MAP_NORESERVE), self.descriptor, 0)
        self.address = memory == MAP_FAILED ? 0 : UInt(bitPattern: memory)
        guard self.address != 0, self.pageSize <= BuddyAllocator.unit else { return nil }
        // A huge page that is removed in part is overwritten with zeros instead, also under sockets' references.
        madvise(memory, self.capacity, MADV_NOHUGEPAGE)
        madvise(memory, self.capacity, MADV_DONTFORK)
        // A core dump would allocate every page of the file.
        madvise(memory, self.capacity, MADV_DONTDUMP)
        guard self.keepsBytesInFlight() else { return nil }
    }

    deinit {
        if self.address != 0 { munmap(UnsafeMutableRawPointer(bitPattern: self.address), self.capacity) }
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    /// The sum of all extents, in bytes.
    public var usedByteCount: Int { self.blocks.withLock { $0.usedByteCount } }

    /// The size of an extent in bytes: whole pages.
    public func extentSize(of byteCount: Int) -> Int {
        (byteCount + self.pageSize - 1) / self.pageSize * self.pageSize
    }

    /// Copies bytes into a new extent, which nothing writes to until it is freed.
    ///
    /// - Parameter bytes: At least one.
    /// - Returns: The whole extent, with zeros after the bytes; `nil` if no block is free that is large enough, or the
    ///   system has no memory.
    public func store(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer? {
        let size = self.extentSize(of: bytes.count)
        guard let offset = self.blocks.withLock({ $0.allocate(size) }) else { return nil }
        guard let start = UnsafeMutableRawPointer(bitPattern: self.address + UInt(offset)) else { return nil }
        // All pages by one system call instead of a fault each. It reports a lack of memory, where a fault would raise
        // SIGBUS; older kernels do not know it.
        guard madvise(start, size, Self.populateForWriting) == 0 || errno == EINVAL else {
            self.free(start)
            return nil
        }
        let extent = UnsafeMutableRawBufferPointer(start: start, count: size)
        extent.copyMemory(from: bytes)
        return extent
    }

    /// Frees an extent.
    /// - Parameter start: The first byte of an extent from ``store(_:)``, which nothing reads any more except sockets.
    public func free(_ start: UnsafeMutableRawPointer) {
        guard let offset = self.offset(of: start) else { preconditionFailure("the address is outside of the arena") }
        let size = self.blocks.withLock { $0.byteCount(at: offset) }
        // Pages that cannot be removed are never used again.
        guard poster_memory_punch(self.descriptor, Int64(offset), Int64(size)) == 0 else { return }
        self.blocks.withLock { $0.free(offset) }
    }

    /// The offset of an address in the file; `nil` outside of the arena.
    public func offset(of address: UnsafeRawPointer) -> Int? {
        let offset = UInt(bitPattern: address) &- self.address
        return offset < UInt(self.capacity) ? Int(offset) : nil
    }

    /// `MADV_POPULATE_WRITE` of Linux 5.14.
    private static let populateForWriting: CInt = 23
}
