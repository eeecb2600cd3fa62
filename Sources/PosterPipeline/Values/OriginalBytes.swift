/// The bytes of an original, in memory or mapped from a file, for as long as somebody holds them.
public final class OriginalBytes: @unchecked Sendable {
    // Unchecked because of the pointer: what it points to is never written while this object lives.
    private let buffer: UnsafeRawBufferPointer
    private let release: @Sendable () -> Void

    /// - Parameters:
    ///   - buffer: Must stay valid and unchanged until `release` is called.
    ///   - release: Called once, when nobody holds the bytes any more.
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
        let address = UInt(bitPattern: copy.baseAddress)
        self.init(UnsafeRawBufferPointer(copy)) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
    }

    /// All but the first `count` bytes, without a copy; holds these bytes.
    public func dropFirst(_ count: Int) -> OriginalBytes {
        OriginalBytes(UnsafeRawBufferPointer(rebasing: self.buffer.dropFirst(count))) { withExtendedLifetime(self) {} }
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
