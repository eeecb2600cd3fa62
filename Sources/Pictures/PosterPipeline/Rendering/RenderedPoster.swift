import Flights
@_spi(CustomByteBufferAllocator) package import NIOCore
import PosterCodec

/// A rendered or stored variant, with its timings and state.
struct RenderedPoster: Sendable {
    let poster: Poster
    let timings: StageTimings
    /// Whether the variant is cached in memory.
    var isCached = false
    /// Whether its original has not been replaced by other bytes.
    var isCurrent = true
    /// Whether it was read from the variant store.
    var wasStored = false
}

extension Poster {
    init(_ bytes: consuming EncodedBytes, of picture: PendingPicture, key: VariantKey) {
        let plan = picture.plan
        let encoding = key.efforts.contains(plan.encoding) ? plan.encoding : .first
        self.init(
            bytes: ByteBuffer(owning: bytes), entityTag: key.entityTag(picture.recipe, encoding), format: plan.format,
            size: plan.size, encoding: encoding)
    }
}

extension ByteBuffer {
    /// A buffer of an encoded file, without a copy.
    init(owning bytes: consuming EncodedBytes) {
        self.init(owning: bytes.release())
    }

    /// A buffer that takes ownership of memory and frees it with `free`. It wastes no memory, whereas a buffer that is
    /// filled grows to powers of two.
    package init(owning memory: UnsafeMutableRawBufferPointer) {
        // By default the allocator frees with `free`.
        self.init(takingOwnershipOf: memory, allocator: ByteBufferAllocator())
    }
}
