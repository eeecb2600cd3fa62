package import CodecWorkers
public import NIOCore

/// Bytes of an original in storage, read on demand.
public protocol StoredBytes: Sendable {
    /// The number of bytes.
    var count: Int { get }

    /// Fills a buffer with the bytes from `offset` on. Blocks for a disk.
    /// - Throws: ``OriginalBytes/Unreadable``; the stored original has been removed then.
    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(OriginalBytes.Unreadable)

    /// Calls `body` with an open file and the offset at which the bytes begin in it; another process may read them there.
    ///
    /// - Returns: nil, and `body` is not called, when they are in no file of their own.
    /// - Throws: ``OriginalBytes/Unreadable`` also when the file was found changed afterwards; what `body` throws.
    func withDescriptor<Result>(_ body: (_ descriptor: Int32, _ offset: Int) throws -> Result) throws -> Result?

    /// Reads a part on threads that may block.
    func piece(_ part: Range<Int>) async throws -> ByteBuffer
}

extension StoredBytes {
    /// Bytes in no file of their own.
    public func withDescriptor<Result>(
        _ body: (_ descriptor: Int32, _ offset: Int) throws -> Result
    ) throws -> Result? { nil }
}

/// The bytes of an original, in memory or in an open file, which is not mapped here: a file that is cut short, or a sector
/// that cannot be read, throws instead of raising `SIGBUS`.
public enum OriginalBytes: Sendable {
    case memory(LoadedBytes)
    case stored(any StoredBytes)

    /// The file was cut short or changed since verification, or its disk fails.
    public struct Unreadable: Error, Hashable, Sendable {
        /// Without a reason: that is in the log of the store.
        public init() {}
    }

    /// The number of bytes.
    public var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .stored(let stored): stored.count
        }
    }

    /// What ``withUnsafeBytes(_:)`` and ``withSpan(_:)`` allocate, in bytes.
    public var loadingByteCount: Int {
        switch self {
        case .memory: 0
        case .stored(let stored): stored.count
        }
    }

    /// Lends the bytes for the length of a call; those that are stored are read into memory for it, which blocks.
    /// - Throws: ``Unreadable``, or what `body` throws.
    public func withSpan<Result>(_ body: (RawSpan) throws -> Result) throws -> Result {
        try self.withUnsafeBytes { try body($0.bytes) }
    }

    /// The same, for C and for writers.
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

    /// Lends the bytes to a worker for the length of a call; those that are stored are mapped by it.
    /// - Throws: ``Unreadable``, or what `body` throws.
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

    /// A copy of a part; those that are stored are read without blocking the caller.
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
    // Unchecked because of the pointer: what it points to is never written while this object lives.
    private let buffer: UnsafeRawBufferPointer
    private let release: @Sendable () -> Void

    /// - Parameters:
    ///   - buffer: Must stay valid and unchanged until `release` is called.
    ///   - release: Called once, when nothing refers to the bytes any more.
    public init(_ buffer: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.release = release
    }

    deinit {
        self.release()
    }

    /// Memory that was allocated and is deallocated here.
    public convenience init(taking memory: UnsafeMutableRawBufferPointer) {
        let address = UInt(bitPattern: memory.baseAddress)
        self.init(UnsafeRawBufferPointer(memory)) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    /// The number of bytes.
    public var count: Int { self.buffer.count }

    /// Lends the bytes for the length of a call.
    public func withSpan<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self.buffer.bytes)
    }

    /// Lends the bytes for the length of a call, to C and to writers.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(self.buffer)
    }
}
