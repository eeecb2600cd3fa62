public import HTTPSemantics

/// Durations of a response's stages in nanoseconds; zero for skipped stages.
public struct PosterTimings: Hashable, Sendable {
    /// From the request to the origin until the original is stored.
    public var fetch: UInt64 = 0
    /// Decoding, including the resampling between its rows.
    public var decode: UInt64 = 0
    /// Encoding the variant.
    public var encode: UInt64 = 0

    /// Creates timings of zero.
    public init() {}
}

/// The source of a response, with its timings and the state of its original.
public struct Provenance: Hashable, Sendable {
    /// The furthest source that a response needed.
    public enum Reach: Hashable, Sendable {
        /// Memory, or the disk for an original.
        case cache
        /// A render of an original on disk, or the variant store.
        case disk
        /// The origin of the original.
        case origin
    }

    /// The furthest source that the response needed.
    public var reach: Reach
    /// Whether another request's flight made it.
    public var isShared: Bool
    /// Whether it is cached for the next request.
    public var isStored: Bool
    /// Whether it is a variant read from the variant store instead of rendered.
    public var wasStored = false
    /// Durations of the stages.
    public var timings = PosterTimings()
    /// `nil` if the original was fresh.
    public var staleness: Staleness?
    /// The status of the revalidation of a stale original: 200 or 304; `nil` without one.
    public var validationStatus: Int?
    /// The state of the original; `nil` if it is unknown.
    public var original: OriginalState?
    /// Whether a variant in another format will replace it; see ``PosterRequest/preferred``.
    public var isProvisional = false

    /// Creates the provenance of a response without timings.
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
    /// The client holds the bytes with this tag.
    case notModified(EntityTag, Provenance)
    case variant(Poster, Provenance)
    case original(Original, EntityTag, Provenance)

    /// The provenance of the response.
    public var provenance: Provenance {
        switch self {
        case .notModified(_, let provenance), .variant(_, let provenance), .original(_, _, let provenance): provenance
        }
    }
}
