/// A change of an original on one node that invalidates the copies of the others.
public enum OriginalEvent: Hashable, Sendable {
    /// The original and all its variants were removed.
    case purged(PosterID)
    /// The origin sent other bytes.
    case replaced(PosterID, old: Digest, new: Digest)
    /// The origin has removed the original, or refuses to send it.
    case withdrawn(PosterID, Digest)

    /// The id of the original.
    public var id: PosterID {
        switch self {
        case .purged(let id), .replaced(let id, _, _), .withdrawn(let id, _): id
        }
    }
}

/// The state of an event after publishing.
package enum Publication: Hashable, Sendable {
    /// Sent to every connected node.
    case published
    /// Stored on this node, and published when the others can be reached.
    case waiting
}

package struct PurgeOutcome: Hashable, Sendable {
    package let wasStored: Bool
    /// `nil` without other nodes.
    package let publication: Publication?
}
