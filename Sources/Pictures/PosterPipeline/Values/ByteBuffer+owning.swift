@_spi(CustomByteBufferAllocator) import NIOCore
import PosterCodec

extension ByteBuffer {
    /// A file in the very memory that the encoder wrote it to: nothing is copied, and nothing is wasted, where a buffer that
    /// is filled grows to powers of two.
    ///
    /// `ByteBufferAllocator`, unless given others, frees with `free`, as ``EncodedBytes/release()`` demands.
    init(owning bytes: consuming EncodedBytes) {
        self.init(takingOwnershipOf: bytes.release(), allocator: ByteBufferAllocator())
    }
}
