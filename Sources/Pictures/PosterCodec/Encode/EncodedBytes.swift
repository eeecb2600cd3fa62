import CPosterCodecs
internal import Glibc

/// An encoded file in uniquely owned memory, which is handed on without a copy.
public struct EncodedBytes: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer: it has one owner, and its memory is never written.
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameter bytes: The result of an encoder, not empty.
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

    /// Transfers ownership of the memory to the caller, which must `free` it.
    public consuming func release() -> UnsafeMutableRawBufferPointer {
        let memory = self.memory
        discard self
        return memory
    }

    /// A copy of the bytes.
    var array: [UInt8] { [UInt8](self.memory) }
}
