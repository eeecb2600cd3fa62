import CPosterCodecs
internal import Glibc

/// An encoded file, in memory that changes hands without being copied.
public struct EncodedBytes: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer: it has one owner, and nobody writes to what it points to.
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameter bytes: Of an encoder that succeeded: not empty.
    init(_ bytes: consuming poster_bytes) {
        self.memory = UnsafeMutableRawBufferPointer(start: bytes.start, count: bytes.count)
    }

    deinit {
        free(self.memory.baseAddress)
    }

    /// The number of bytes, at least 1.
    public var count: Int { self.memory.count }

    /// Lends the bytes for the length of a call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(self.memory))
    }

    /// Gives the memory away: the caller has to `free` it.
    public consuming func release() -> UnsafeMutableRawBufferPointer {
        let memory = self.memory
        discard self
        return memory
    }

    /// A copy.
    var array: [UInt8] { [UInt8](self.memory) }
}
