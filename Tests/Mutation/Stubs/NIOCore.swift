/// The part of NIOCore's buffer that originals need.
public struct ByteBuffer {
    /// Creates a buffer without bytes.
    public init(bytes: some Sequence<UInt8>) {}
}
