public import NIOCore
public import PosterCodec

/// An encoded variant, ready to be sent any number of times without a copy.
public struct Poster: Sendable {
    public let bytes: ByteBuffer
    public let entityTag: EntityTag
    public let format: OutputFormat
    public let size: OutputSize
}

/// How long the work behind an answer took, in nanoseconds; zero for what was not done.
public struct PosterTimings: Hashable, Sendable {
    public var fetch: UInt64 = 0
    /// Decoding with the resampling that runs between its rows.
    public var decode: UInt64 = 0
    public var encode: UInt64 = 0
}

/// Where an answer came from.
public struct Provenance: Hashable, Sendable {
    /// How far a request had to go.
    public enum Reach: Hashable, Sendable {
        /// Answered from memory, or an original from disk.
        case cache
        /// Rendered from an original that was on disk.
        case disk
        /// The original was fetched from its origin.
        case origin
    }

    public var reach: Reach
    /// Whether the answer was made for another request that came before.
    public var isShared = false
    /// Whether the answer will be there for the next request.
    public var isStored = true
    public var timings = PosterTimings()
}

/// What a request is answered with.
public enum PosterAnswer: Sendable {
    /// The client has these bytes already.
    case notModified(EntityTag)
    case variant(Poster, Provenance)
    case original(Original, EntityTag, Provenance)
}
