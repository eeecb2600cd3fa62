import NIOCore
import PosterPipeline

/// An open file, which can be damaged. Used on one thread only.
final class SimulatedFile: StoredBytes, @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    private let bytes: [UInt8]
    private let machine: SimulatedMachine
    /// Removes the file from the store that has it.
    var whenUnreadable: () -> Void = {}
    var isDamaged = false

    init(_ bytes: [UInt8], machine: SimulatedMachine) {
        self.bytes = bytes
        self.machine = machine
    }

    var count: Int { self.bytes.count }

    var loaded: LoadedBytes {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: self.bytes.count, alignment: 16)
        copy.copyBytes(from: self.bytes)
        return LoadedBytes(taking: copy)
    }

    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(OriginalBytes.Unreadable) {
        self.machine.preempt()
        try self.check()
        buffer.copyBytes(from: self.bytes[offset..<offset + buffer.count])
    }

    func piece(_ part: Range<Int>) async throws -> ByteBuffer {
        await self.machine.pause()
        try self.check()
        return ByteBuffer(bytes: self.bytes[part])
    }

    private func check() throws(OriginalBytes.Unreadable) {
        guard self.isDamaged else { return }
        self.whenUnreadable()
        throw OriginalBytes.Unreadable()
    }
}
