import CPosterSandbox
import Glibc
import PosterCodec

/// The memory in which a worker passes planes to its server, which copies them before the next request. Its pages stay
/// from job to job, because new ones take longer than the copies.
struct PlanesMemory: ~Copyable {
    /// -1 before the first planes.
    private var descriptor: Int32 = -1
    /// The size of the pages in bytes.
    private var byteCount = 0

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    /// Writes planes, with their profile.
    ///
    /// - Returns: Their record, and the memory's descriptor.
    /// - Throws: ``CodecError/outOfMemory``.
    mutating func export(_ planes: RetainedPlanes) throws(CodecError) -> (record: PlanesRecord, descriptor: Int32) {
        if self.descriptor < 0 { self.descriptor = poster_shared_memory_create() }
        let descriptor = self.descriptor
        var end = 0
        let record = try PlanesRecord(exporting: planes) { bytes throws(CodecError) in
            let start = end
            while end - start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[(end - start)...])
                let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(end))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .outOfMemory }
                end += count
            }
            return start
        }
        self.byteCount = max(self.byteCount, end)
        return (record, descriptor)
    }

    /// Returns the pages beyond a size in bytes to the system.
    mutating func trim(to byteCount: Int) {
        guard self.byteCount > byteCount, ftruncate(self.descriptor, off_t(byteCount)) == 0 else { return }
        self.byteCount = byteCount
    }
}
