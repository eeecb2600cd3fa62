import CPosterSandbox
import Glibc
package import PosterCodec

/// The memory of an arriving original, which a worker can read but not write.
package final class ArrivingMemory: @unchecked Sendable {
    // Unchecked because of the pointer: `ArrivingBytes` orders writes and reads.

    /// Read-only.
    let descriptor: Int32
    private let memory: UnsafeMutableRawBufferPointer

    /// Reserves memory, which is allocated page by page as bytes are appended.
    ///
    /// - Parameter declaredCount: The length of the file in bytes; the caller has checked it against its limits.
    /// - Returns: `nil` for an empty file, or if there is no memory.
    package init?(declaredCount: Int) {
        guard declaredCount > 0 else { return nil }
        let descriptor = poster_shared_memory_create()
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The size is fixed, so that no access beyond the end is possible.
        guard ftruncate(descriptor, off_t(declaredCount)) == 0, poster_shared_memory_fix_size(descriptor) == 0 else {
            return nil
        }
        let readable = poster_shared_memory_reopen(descriptor)
        guard readable >= 0 else { return nil }
        let mapped = mmap(nil, declaredCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        guard let mapped, mapped != MAP_FAILED else {
            close(readable)
            return nil
        }
        self.descriptor = readable
        self.memory = UnsafeMutableRawBufferPointer(start: mapped, count: declaredCount)
    }

    deinit {
        munmap(self.memory.baseAddress, self.memory.count)
        close(self.descriptor)
    }

    var byteCount: Int { self.memory.count }

    /// Creates the object that fills the memory. Call it once.
    package func makeBytes() -> ArrivingBytes {
        ArrivingBytes(in: self.memory) { withExtendedLifetime(self) {} }
    }
}
