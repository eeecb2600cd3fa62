/// Bytes in memory, for as long as something refers to them.
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

    /// A copy of `bytes`.
    public convenience init(copying bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(taking: copy)
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
