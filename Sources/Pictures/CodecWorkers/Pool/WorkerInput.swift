import Glibc
import PosterCodec

/// An original's bytes as input of a worker.
package enum WorkerInput {
    /// A part of an open file, which the worker maps itself.
    case file(descriptor: Int32, offset: Int, byteCount: Int)
    /// Bytes in memory, which are copied.
    case memory(UnsafeRawBufferPointer)

    var byteCount: Int {
        switch self {
        case .file(_, _, let byteCount): byteCount
        case .memory(let bytes): bytes.count
        }
    }

    /// Whether all of it can be read. Workers map files, so a truncated file or a failing disk ends the worker.
    var isReadable: Bool {
        guard case .file(let descriptor, let offset, let byteCount) = self else { return true }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 8)
        defer { buffer.deallocate() }
        return stride(from: 0, to: byteCount, by: buffer.count).allSatisfy { start in
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, byteCount - start)])
            return readAll(descriptor, from: offset + start, into: part)
        }
    }

    /// Calls `body` with the record of the input and its descriptor.
    func withDescriptor<Result>(
        _ body: (InputRecord, Int32) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        switch self {
        case .file(let descriptor, let offset, let byteCount):
            return try body(InputRecord(offset: offset, byteCount: byteCount, isMemory: false), descriptor)
        case .memory(let bytes):
            let memory = try SealedMemory(copying: bytes)
            return try body(InputRecord(offset: 0, byteCount: bytes.count, isMemory: true), memory.descriptor)
        }
    }
}

/// A worker could not read its input: the file is too short, or its disk fails.
package struct UnreadableWorkerInput: Error {
    package init() {}
}
