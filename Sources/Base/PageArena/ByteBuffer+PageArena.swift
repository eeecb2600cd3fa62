import Glibc
@_spi(CustomByteBufferAllocator) public import NIOCore

extension ByteBuffer {
    /// A copy of a buffer in an extent of ``PageArena/shared``. Its capacity is the extent's size; the extent is freed
    /// with the last buffer or slice that refers to it.
    ///
    /// - Returns: `nil` for less than ``PageArena/leastLength`` bytes, for bytes in the arena, and without free memory
    ///   in it.
    public init?(copyingIntoArena bytes: ByteBuffer) {
        guard bytes.readableBytes >= PageArena.leastLength, bytes.arenaOffset == nil,
            let extent = bytes.withUnsafeReadableBytes({ PageArena.shared?.store($0) })
        else { return nil }
        self.init(takingOwnershipOf: extent, allocator: .extents, writerIndex: bytes.readableBytes)
    }

    /// The offset of the readable bytes in the file of ``PageArena/shared``; `nil` if they are elsewhere.
    public var arenaOffset: Int? {
        self.withUnsafeReadableBytes { bytes in bytes.baseAddress.flatMap { PageArena.shared?.offset(of: $0) } }
    }
}

extension ByteBufferAllocator {
    /// Frees extents of the arena; a buffer that is written to moves to the heap.
    fileprivate static let extents = ByteBufferAllocator(
        allocate: { malloc($0) },
        reallocate: { old, oldCount, count in
            let new = malloc(count)
            if let old, let new {
                new.copyMemory(from: old, byteCount: min(oldCount, count))
                PageArena.release(old)
            }
            return new
        },
        deallocate: { PageArena.release($0) },
        copy: { $0.copyMemory(from: $1, byteCount: $2) })
}

extension PageArena {
    /// Frees an extent of ``shared``, or memory of the heap.
    fileprivate static func release(_ memory: UnsafeMutableRawPointer) {
        if let shared, shared.offset(of: memory) != nil { shared.free(memory) } else { Glibc.free(memory) }
    }
}
