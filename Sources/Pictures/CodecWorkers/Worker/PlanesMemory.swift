import CPosterSandbox
import Glibc
import PosterCodec

/// The memory in which a worker passes planes to its server, which copies them before the next request. Its pages stay
/// from job to job, because new ones take longer than the copies. It cannot shrink; see `ReceivedMessage.copy`.
struct PlanesMemory: ~Copyable {
    /// -1 without memory.
    private var descriptor: Int32 = -1
    /// The size of the memory, and of the pages allocated by ``reserve(_:)``, in bytes.
    private var (byteCount, reservedCount) = (0, 0)

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    /// Writes planes, with their profile.
    ///
    /// - Returns: Their record, and the memory's descriptor.
    /// - Throws: ``CodecError/outOfMemory``.
    mutating func export(_ planes: RetainedPlanes) throws(CodecError) -> (record: PlanesRecord, descriptor: Int32) {
        try self.grow(to: planes.byteCount)
        let descriptor = self.descriptor
        var end = 0
        let record = try PlanesRecord(exporting: planes) { bytes throws(CodecError) in
            guard Self.write(bytes, to: descriptor, at: end) else { throw .outOfMemory }
            defer { end += bytes.count }
            return end
        }
        self.reservedCount = max(self.reservedCount, end)
        return (record, descriptor)
    }

    /// Allocates pages for planes of a job that waits for its original, so that its result does not wait for them.
    mutating func reserve(_ byteCount: Int) {
        guard byteCount > self.reservedCount, (try? self.grow(to: byteCount)) != nil else { return }
        let zeros = [UInt8](repeating: 0, count: Self.unit)
        while self.reservedCount < byteCount,
            zeros.withUnsafeBytes({ Self.write($0, to: self.descriptor, at: self.reservedCount) })
        {
            self.reservedCount += zeros.count
        }
    }

    /// Returns the memory to the system if it has more than `byteCount` bytes. The server may still read it.
    mutating func trim(to byteCount: Int) {
        guard self.byteCount > byteCount else { return }
        close(self.descriptor)
        (self.descriptor, self.byteCount, self.reservedCount) = (-1, 0, 0)
    }

    /// The unit of sizes, and of writes of ``reserve(_:)``, in bytes.
    private static let unit = 64 << 10

    private mutating func grow(to byteCount: Int) throws(CodecError) {
        guard byteCount > self.byteCount else { return }
        self.trim(to: 0)
        let size = (byteCount + Self.unit - 1) / Self.unit * Self.unit
        let descriptor = poster_shared_memory_create()
        guard descriptor >= 0 else { throw .outOfMemory }
        guard ftruncate(descriptor, off_t(size)) == 0, poster_shared_memory_fix_size(descriptor) == 0 else {
            close(descriptor)
            throw .outOfMemory
        }
        (self.descriptor, self.byteCount) = (descriptor, size)
    }

    /// - Returns: Whether all bytes were written.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at start: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(start + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
