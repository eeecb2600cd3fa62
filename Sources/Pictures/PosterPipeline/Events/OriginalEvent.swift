/// What happened to an original on one node, and ends what the others have of it.
public enum OriginalEvent: Hashable, Sendable {
    /// All that is stored of it was removed.
    case purged(PosterID)
    /// Its origin has sent other bytes.
    case replaced(PosterID, old: Digest, new: Digest)
    /// Its origin has it no more, or refuses it.
    case withdrawn(PosterID, Digest)

    /// The original's.
    public var id: PosterID {
        switch self {
        case .purged(let id), .replaced(let id, _, _), .withdrawn(let id, _): id
        }
    }
}

/// How far an event has come.
package enum Publication: Hashable, Sendable {
    /// Every connected node gets it.
    case published
    /// It is stored on this node, and published when the others can be reached.
    case waiting
}

/// What a purge has done.
package struct PurgeOutcome: Hashable, Sendable {
    /// Whether this node had the original stored.
    package let wasStored: Bool
    /// nil without other nodes.
    package let publication: Publication?
}
