import CPosterCodecs
import Glibc

/// Owns an object of the C code. A separate type because a struct's deinit does not run if its initializer throws.
struct LibraryObject: ~Copyable {
    let pointer: OpaquePointer
    private let destroy: (OpaquePointer?) -> Void

    /// - Parameter pointer: `nil` if there was no memory for the object.
    init(_ pointer: OpaquePointer?, destroy: @escaping (OpaquePointer?) -> Void) throws(CodecError) {
        guard let pointer else { throw .outOfMemory }
        self.pointer = pointer
        self.destroy = destroy
    }

    deinit {
        self.destroy(self.pointer)
    }
}

/// Memory for trivial elements, uninitialised or filled; freed with its owner.
struct ScratchMemory<Element: BitwiseCopyable>: ~Copyable {
    let start: UnsafeMutablePointer<Element>

    init(count: Int) {
        self.start = .allocate(capacity: count)
    }

    init(count: Int, repeating element: Element) {
        self.init(count: count)
        self.start.initialize(repeating: element, count: count)
    }

    deinit {
        self.start.deallocate()
    }
}

/// An encoded file in uniquely owned memory, which can be passed on without a copy.
public struct EncodedBytes: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer: it has one owner, and its memory is never written.
    private let memory: UnsafeMutableRawBufferPointer

    /// - Parameter bytes: The result of an encoder, not empty.
    init(_ bytes: consuming poster_bytes) {
        self.memory = UnsafeMutableRawBufferPointer(start: bytes.start, count: bytes.count)
    }

    /// - Parameter memory: Allocated by `malloc`, not empty; freed with this object.
    package init(taking memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    deinit {
        free(self.memory.baseAddress)
    }

    /// The number of bytes, at least 1.
    public var count: Int { self.memory.count }

    /// Calls `body` with the bytes, which are valid only during the call.
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

    var array: [UInt8] { [UInt8](self.memory) }
}
