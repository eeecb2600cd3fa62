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
        let descriptor = self.open()
        var end = 0
        let record = try PlanesRecord(exporting: planes) { bytes throws(CodecError) in
            guard Self.write(bytes, to: descriptor, at: end) else { throw .outOfMemory }
            defer { end += bytes.count }
            return end
        }
        self.byteCount = max(self.byteCount, end)
        return (record, descriptor)
    }

    /// Allocates pages for planes of a job that waits for its original, so that its result does not wait for them.
    mutating func reserve(_ byteCount: Int) {
        let descriptor = self.open()
        let zeros = [UInt8](repeating: 0, count: Self.reservedBytes)
        while self.byteCount < byteCount,
            zeros.withUnsafeBytes({ Self.write($0, to: descriptor, at: self.byteCount) })
        {
            self.byteCount += zeros.count
        }
    }

    /// The size of one write of ``reserve(_:)`` in bytes.
    private static let reservedBytes = 64 << 10

    private mutating func open() -> Int32 {
        if self.descriptor < 0 { self.descriptor = poster_shared_memory_create() }
        return self.descriptor
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

    /// Returns the pages beyond a size in bytes to the system.
    mutating func trim(to byteCount: Int) {
        guard self.byteCount > byteCount, ftruncate(self.descriptor, off_t(byteCount)) == 0 else { return }
        self.byteCount = byteCount
    }
}
