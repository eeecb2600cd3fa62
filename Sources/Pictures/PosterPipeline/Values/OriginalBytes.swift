package import CodecWorkers
public import NIOCore

/// Bytes of a stored original, read on demand.
public protocol StoredBytes: Sendable {
    /// The number of bytes.
    var count: Int { get }

    /// Fills a buffer with the bytes from `offset` on. Blocks for disk I/O.
    /// - Throws: ``OriginalBytes/Unreadable``; the stored original has then been removed.
    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(OriginalBytes.Unreadable)

    /// Calls `body` with an open file and the offset of the bytes in it, from which another process may read them.
    ///
    /// - Returns: `nil`, without calling `body`, if the bytes have no file of their own.
    /// - Throws: ``OriginalBytes/Unreadable``, also if the file is found changed afterwards; the error of `body`.
    func withDescriptor<Result>(_ body: (_ descriptor: Int32, _ offset: Int) throws -> Result) throws -> Result?

    /// Reads a range of bytes on threads that may block.
    func piece(_ part: Range<Int>) async throws -> ByteBuffer
}

extension StoredBytes {
    /// Returns `nil`: the bytes have no file of their own.
    public func withDescriptor<Result>(
        _ body: (_ descriptor: Int32, _ offset: Int) throws -> Result
    ) throws -> Result? { nil }
}

/// The bytes of an original, in memory or in an open file. The file is not mapped in this process: if it is cut short
/// or a sector cannot be read, reading throws instead of raising `SIGBUS`.
public enum OriginalBytes: Sendable {
    case memory(LoadedBytes)
    case stored(any StoredBytes)

    /// The file was cut short or changed since verification, or its disk fails.
    public struct Unreadable: Error, Hashable, Sendable {
        /// Carries no reason: the store logs it.
        public init() {}
    }

    /// The number of bytes.
    public var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .stored(let stored): stored.count
        }
    }

    /// The memory allocated by ``withUnsafeBytes(_:)`` and ``withSpan(_:)``, in bytes.
    public var loadingByteCount: Int {
        switch self {
        case .memory: 0
        case .stored(let stored): stored.count
        }
    }

    /// Calls `body` with the bytes. Stored bytes are read into memory first, which blocks.
    /// - Throws: ``Unreadable``, or the error of `body`.
    public func withSpan<Result>(_ body: (RawSpan) throws -> Result) throws -> Result {
        try self.withUnsafeBytes { try body($0.bytes) }
    }

    /// As ``withSpan(_:)``, for C and for writers.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        switch self {
        case .memory(let bytes): return try bytes.withUnsafeBytes(body)
        case .stored(let stored):
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: stored.count, alignment: 16)
            defer { memory.deallocate() }
            try stored.read(from: 0, into: memory)
            return try body(UnsafeRawBufferPointer(memory))
        }
    }

    /// Calls `body` with the bytes as a worker's input; the worker maps stored bytes itself.
    /// - Throws: ``Unreadable``, or the error of `body`.
    package func withWorkerInput<Result>(_ body: (WorkerInput) throws -> Result) throws -> Result {
        if case .stored(let stored) = self {
            let result = try stored.withDescriptor { descriptor, offset in
                do {
                    return try body(.file(descriptor: descriptor, offset: offset, byteCount: stored.count))
                } catch is UnreadableWorkerInput {
                    throw Unreadable()
                }
            }
            if let result { return result }
        }
        return try self.withUnsafeBytes { try body(.memory($0)) }
    }

    /// Copies a range of bytes. Stored bytes are read without blocking the caller.
    /// - Throws: ``Unreadable``, `CancellationError`.
    public func piece(_ part: Range<Int>) async throws -> ByteBuffer {
        switch self {
        case .memory(let bytes): bytes.withUnsafeBytes { ByteBuffer(bytes: $0[part]) }
        case .stored(let stored): try await stored.piece(part)
        }
    }
}

/// Reference-counted bytes in memory.
public final class LoadedBytes: @unchecked Sendable {
    // Unchecked because of the pointer: its memory is never written while this object lives.
    private let buffer: UnsafeRawBufferPointer
    private let release: @Sendable () -> Void

    /// - Parameters:
    ///   - buffer: Must stay valid and unchanged until `release` is called.
    ///   - release: Called once, when the last reference is released.
    public init(_ buffer: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.release = release
    }

    deinit {
        self.release()
    }

    /// Takes ownership of allocated memory.
    public convenience init(taking memory: UnsafeMutableRawBufferPointer) {
        let address = UInt(bitPattern: memory.baseAddress)
        self.init(UnsafeRawBufferPointer(memory)) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    /// The number of bytes.
    public var count: Int { self.buffer.count }

    /// Calls `body` with the bytes, which are valid only during the call.
    public func withSpan<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self.buffer.bytes)
    }

    /// As ``withSpan(_:)``, for C and for writers.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self.buffer)
    }
}
