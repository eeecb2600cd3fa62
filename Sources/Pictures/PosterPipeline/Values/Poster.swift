public import HTTPSemantics
public import NIOCore
public import PosterCodec

/// An encoded variant, ready to be sent any number of times without a copy.
public struct Poster: Sendable {
    /// The encoded file.
    public let bytes: ByteBuffer
    /// Names these bytes.
    public let entityTag: EntityTag
    /// The file's format.
    public let format: OutputFormat
    /// In pixels.
    public let size: OutputSize
    /// How much time its encoder had.
    public var encoding = EncodingEffort.first

    package init(
        bytes: ByteBuffer, entityTag: EntityTag, format: OutputFormat, size: OutputSize,
        encoding: EncodingEffort = .first
    ) {
        self.bytes = bytes
        self.entityTag = entityTag
        self.format = format
        self.size = size
        self.encoding = encoding
    }
}

/// Durations of the stages of a response, in nanoseconds; zero for stages that were skipped.
public struct PosterTimings: Hashable, Sendable {
    /// From asking the origin to the original being on disk.
    public var fetch: UInt64 = 0
    /// Decoding with the resampling that runs between its rows.
    public var decode: UInt64 = 0
    /// Encoding the variant.
    public var encode: UInt64 = 0

    /// All zero.
    public init() {}
}

/// Where a response came from.
public struct Provenance: Hashable, Sendable {
    /// How far a request had to go.
    public enum Reach: Hashable, Sendable {
        /// Answered from memory, or an original from disk.
        case cache
        /// Rendered from an original that was on disk, or read from the variant store.
        case disk
        /// The original was fetched from its origin.
        case origin
    }

    /// How far the request had to go.
    public var reach: Reach
    /// Whether it was made in another request's flight.
    public var isShared: Bool
    /// Whether it is cached for the next request.
    public var isStored: Bool
    /// Whether it is a variant from the variant store, which was not rendered.
    public var wasStored = false
    /// How long its stages took.
    public var timings = PosterTimings()
    /// nil for a response made of a fresh original.
    public var staleness: Staleness?
    /// The status of the revalidation of a stale original: 200 or 304; nil without one.
    public var validationStatus: Int?
    /// Of the original that it was made of; nil where that is unknown.
    public var original: OriginalState?
    /// Whether a response in another format will take its place; see ``PosterRequest/preferred``.
    public var isProvisional = false

    /// The provenance of a response without timings.
    public init(
        reach: Reach, isShared: Bool = false, isStored: Bool = true, staleness: Staleness? = nil,
        original: OriginalState? = nil
    ) {
        self.reach = reach
        self.original = original
        self.staleness = staleness
        self.isShared = isShared
        self.isStored = isStored
    }
}

/// The response to a request.
public enum PosterResponse: Sendable {
    /// The client has the bytes with this tag.
    case notModified(EntityTag, Provenance)
    case variant(Poster, Provenance)
    case original(Original, EntityTag, Provenance)

    /// Where it came from.
    public var provenance: Provenance {
        switch self {
        case .notModified(_, let provenance), .variant(_, let provenance), .original(_, _, let provenance): provenance
        }
    }
}

/// A request, independent of any protocol.
public struct PosterRequest: Hashable, Sendable {
    /// Which pixels.
    public enum Rendition: Hashable, Sendable {
        /// The original's own bytes.
        case original
        /// A picture made from it.
        case variant(RenderTarget)
    }

    /// Which poster.
    public let id: PosterID
    /// Which pixels of it.
    public let rendition: Rendition
    /// What is sent instead of a variant once it is there: the same picture in another format, which no request waits for.
    /// nil for nothing else.
    public let preferred: RenderTarget?

    /// A request for a rendition of a poster.
    public init(id: PosterID, rendition: Rendition, preferred: RenderTarget? = nil) {
        self.id = id
        self.rendition = rendition
        self.preferred = preferred
    }
}
