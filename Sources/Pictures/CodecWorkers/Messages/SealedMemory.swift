import CPosterSandbox
import Glibc
import PosterCodec

/// Immutable shared memory with a descriptor, which is closed with its last owner.
final class SealedMemory: Sendable {
    let descriptor: Int32
    let byteCount: Int

    /// Takes ownership of another process's descriptor.
    /// - Returns: `nil`, after closing it, if it is not memory with all seals, or is empty.
    init?(received descriptor: Int32) {
        let size = poster_shared_memory_sealed_size(descriptor)
        guard size > 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.byteCount = Int(size)
    }

    /// Copies bytes into new memory.
    /// - Throws: ``CodecError/outOfMemory``.
    convenience init(copying bytes: UnsafeRawBufferPointer) throws(CodecError) {
        var writer = try MemoryWriter()
        _ = try writer.append(bytes)
        try self.init(sealing: &writer)
    }

    /// - Throws: ``CodecError/outOfMemory``.
    init(sealing writer: inout MemoryWriter) throws(CodecError) {
        self.byteCount = writer.byteCount
        self.descriptor = try writer.seal()
    }

    deinit {
        close(self.descriptor)
    }

    /// Copies a part into memory allocated by `malloc`.
    func file(offset: Int, byteCount: Int) throws(CodecError) -> EncodedBytes {
        guard let memory = malloc(byteCount) else { throw .outOfMemory }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
        guard readAll(self.descriptor, from: offset, into: buffer) else {
            free(memory)
            throw .outOfMemory
        }
        return EncodedBytes(taking: buffer)
    }
}

/// Fills new shared memory, and seals it at the end.
struct MemoryWriter: ~Copyable {
    private let descriptor: Int32
    private(set) var byteCount = 0
    private var isSealed = false

    /// - Throws: ``CodecError/outOfMemory``.
    init() throws(CodecError) {
        self.descriptor = poster_shared_memory_create()
        guard self.descriptor >= 0 else { throw .outOfMemory }
    }

    deinit {
        if !self.isSealed { close(self.descriptor) }
    }

    /// - Returns: The offset of the bytes in the memory.
    /// - Throws: ``CodecError/outOfMemory``.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> Int {
        let offset = self.byteCount
        var rest = bytes
        while !rest.isEmpty {
            let count = write(self.descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .outOfMemory }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        self.byteCount += bytes.count
        return offset
    }

    /// - Returns: The descriptor, which the caller owns.
    /// - Throws: ``CodecError/outOfMemory``.
    mutating func seal() throws(CodecError) -> Int32 {
        guard poster_shared_memory_seal(self.descriptor) == 0 else { throw .outOfMemory }
        self.isSealed = true
        return self.descriptor
    }
}

/// Fills a buffer from a descriptor.
/// - Returns: Whether it was filled; false if there are fewer bytes, or they cannot be read.
func readAll(_ descriptor: Int32, from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < buffer.count {
        let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
    }
    return true
}

/// The memory of a descriptor, mapped for reading.
struct MappedMemory: ~Copyable {
    let bytes: UnsafeRawBufferPointer

    /// - Parameter isReadWhole: Whether to map all pages at once, which takes less time than one fault per page.
    /// - Returns: `nil` if it cannot be mapped.
    init?(_ descriptor: Int32, byteCount: Int, isReadWhole: Bool) {
        let flags = MAP_PRIVATE | (isReadWhole ? MAP_POPULATE : 0)
        let memory = mmap(nil, byteCount, PROT_READ, flags, descriptor, 0)
        guard byteCount > 0, let memory, memory != MAP_FAILED else { return nil }
        self.bytes = UnsafeRawBufferPointer(start: memory, count: byteCount)
    }

    deinit {
        munmap(UnsafeMutableRawPointer(mutating: self.bytes.baseAddress), self.bytes.count)
    }
}
