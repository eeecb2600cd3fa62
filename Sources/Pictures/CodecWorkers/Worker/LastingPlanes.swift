import CPosterSandbox
import Glibc
import PosterCodec
import Synchronization

/// The memory of the planes that a worker retains, which its server copies from the descriptor before the next job. It
/// stays mapped from job to job, because new pages take longer than the copy. Safe from any thread.
final class LastingPlanes: PlaneMemoryPool.Lender {
    private struct State {
        /// -1 before the first planes.
        var descriptor: Int32 = -1
        /// The address of the mapped bytes; 0 for none.
        var (address, byteCount): (UInt, Int) = (0, 0)
        var isLent = false
    }

    private let state = Mutex(State())

    deinit {
        self.state.withLock { state in
            Self.unmap(&state)
            if state.descriptor >= 0 { close(state.descriptor) }
        }
    }

    func lend(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
        let address = self.state.withLock { state -> UInt in
            guard !state.isLent, byteCount > 0 else { return 0 }
            if state.byteCount < byteCount { Self.map(byteCount, &state) }
            state.isLent = state.address != 0
            return state.address
        }
        return UnsafeMutableRawPointer(bitPattern: address).map {
            UnsafeMutableRawBufferPointer(start: $0, count: byteCount)
        }
    }

    func takeBack() {
        self.state.withLock { $0.isLent = false }
    }

    /// Returns the memory to the system, unless it is lent.
    func trim() {
        self.state.withLock { state in
            if !state.isLent { Self.unmap(&state) }
        }
    }

    /// Describes planes in this memory, and adds their profile.
    /// - Returns: The record, and the memory's descriptor.
    /// - Throws: ``CodecError/outOfMemory``.
    func export(_ planes: RetainedPlanes) throws(CodecError) -> (record: PlanesRecord, descriptor: Int32) {
        let descriptor = self.state.withLock { $0.descriptor }
        var byteCount = 0
        let record = try PlanesRecord(exporting: planes) { bytes throws(CodecError) in
            defer { byteCount += bytes.count }
            // The rows are the first part, and in this memory already.
            if byteCount > 0, pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(byteCount)) != bytes.count {
                throw .outOfMemory
            }
            return byteCount
        }
        return (record, descriptor)
    }

    private static func map(_ byteCount: Int, _ state: inout State) {
        if state.descriptor < 0 { state.descriptor = poster_shared_memory_create() }
        Self.unmap(&state)
        guard state.descriptor >= 0, ftruncate(state.descriptor, off_t(byteCount)) == 0 else { return }
        // Maps all pages at once, instead of one fault per page.
        let memory = mmap(
            nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, state.descriptor, 0)
        guard let memory, memory != MAP_FAILED else { return }
        (state.address, state.byteCount) = (UInt(bitPattern: memory), byteCount)
    }

    private static func unmap(_ state: inout State) {
        guard state.address != 0 else { return }
        munmap(UnsafeMutableRawPointer(bitPattern: state.address), state.byteCount)
        // Frees the pages.
        _ = ftruncate(state.descriptor, 0)
        (state.address, state.byteCount) = (0, 0)
    }
}
