import BoundedCache
import PosterPipeline

/// Objects of the shared store that must not be read, because another node has purged or replaced the original: that
/// node removes or replaces them in the background, possibly late. Safe from any thread.
final class SharedObjectRefusals: Sendable {
    private struct Refusal {
        /// Refuses objects fetched from their origin until then, in seconds since 1970.
        var moment: Int64?
        /// Refuses objects with these bytes.
        var digest: Digest?
    }

    /// Maximum number of originals; beyond it, the least recently used refusal is dropped.
    static let limit = 100_000
    /// Assumed maximum difference of two nodes' clocks, in seconds.
    private static let clockTolerance: Int64 = 2

    /// Keyed by the digest of the id.
    private let refusals = BoundedCache<Digest, Refusal>(countLimit: SharedObjectRefusals.limit)

    func note(_ event: OriginalEvent, at moment: Int64) {
        let key = Digest(of: event.id.description)
        // Events of one original arrive sequentially.
        var refusal = self.refusals.value(for: key) ?? Refusal()
        switch event {
        case .purged: refusal.moment = max(moment, refusal.moment ?? moment)
        case .replaced(_, let digest, _), .withdrawn(_, let digest): refusal.digest = digest
        }
        self.refusals.insert(refusal, for: key)
    }

    /// Whether an object must not be read.
    func refuse(_ object: OriginalObject, _ key: Digest) -> Bool {
        guard let refusal = self.refusals.value(for: key) else { return false }
        if let moment = refusal.moment, object.fetchedAt - Self.clockTolerance <= moment { return true }
        return refusal.digest == object.digest
    }
}
