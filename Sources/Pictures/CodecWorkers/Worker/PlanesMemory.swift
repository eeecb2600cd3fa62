import CPosterSandbox
import Glibc
import PosterCodec

/// The memory in which a worker passes planes to its server, which copies them before the next request. Its pages stay
/// from job to job, because new ones take longer than the copies.
struct PlanesMemory: ~Copyable {
    /// Maximum end of the bytes written before a result, in bytes. The server may end the job meanwhile, and limit the
    /// worker's files to the next job's: a larger one would end the worker, and count as the next job's failure.
    static let aheadBytes = WorkerBudget.fileBytes(0)

    /// -1 without memory.
    private var descriptor: Int32 = -1
    /// The end of the bytes written so far, in bytes.
    private var byteCount = 0

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    /// Writes planes, with their profile.
    ///
    /// - Parameter written: The parts of their rows that ``write(_:besides:)`` has written; empty by default.
    /// - Returns: Their record, and the memory's descriptor.
    /// - Throws: ``CodecError/outOfMemory``.
    mutating func export(
        _ planes: RetainedPlanes, besides written: [Range<Int>] = []
    ) throws(CodecError) -> (record: PlanesRecord, descriptor: Int32) {
        try self.open()
        let descriptor = self.descriptor
        var end = 0
        let record = try PlanesRecord(exporting: planes) { bytes throws(CodecError) in
            let start = end
            end += bytes.count
            // The rows are the first piece.
            for gap in Self.gaps(in: start..<end, besides: start == 0 ? written : []) {
                let part = UnsafeRawBufferPointer(rebasing: bytes[gap.lowerBound - start..<gap.upperBound - start])
                guard Self.write(part, to: descriptor, at: gap.lowerBound) else { throw .outOfMemory }
            }
            return start
        }
        self.byteCount = max(self.byteCount, end)
        return (record, descriptor)
    }

    /// Writes the rows that a job has retained so far, up to ``aheadBytes``, so that its result does not wait for them.
    ///
    /// - Parameter written: The parts written before for the same job, one per plane; updated. The memory must not be
    ///   trimmed until ``export(_:besides:)`` writes the others.
    mutating func write(_ job: SteppedJob, besides written: inout [Range<Int>]) {
        guard (try? self.open()) != nil else { return }
        job.withRetainedRows { planes in
            if written.isEmpty { written = planes.map { $0.offset..<$0.offset } }
            for (index, plane) in planes.enumerated() {
                let start = written[index].upperBound
                let rows = UnsafeRawBufferPointer(
                    rebasing: plane.bytes[(start - plane.offset)...].prefix(max(0, Self.aheadBytes - start)))
                guard Self.write(rows, to: self.descriptor, at: start) else { return }
                written[index] = plane.offset..<start + rows.count
                self.byteCount = max(self.byteCount, written[index].upperBound)
            }
        }
    }

    /// Returns the memory to the system if it has more than `byteCount` bytes. The server may still read it.
    mutating func trim(to byteCount: Int) {
        guard self.byteCount > byteCount else { return }
        close(self.descriptor)
        (self.descriptor, self.byteCount) = (-1, 0)
    }

    private mutating func open() throws(CodecError) {
        guard self.descriptor < 0 else { return }
        self.descriptor = poster_shared_memory_create()
        if self.descriptor < 0 { throw .outOfMemory }
    }

    /// The parts of a range that are not in `written`, which is in ascending order.
    private static func gaps(in range: Range<Int>, besides written: [Range<Int>]) -> [Range<Int>] {
        let starts = [range.lowerBound] + written.map(\.upperBound)
        let ends = written.map(\.lowerBound) + [range.upperBound]
        return zip(starts, ends).compactMap { $0 < $1 ? $0..<$1 : nil }
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
