import BoundedCache
import PosterPipeline

/// Objects of a shared store that are not read, because another node has purged or replaced the original: that node removes or
/// replaces them in the background, maybe late. Safe from any thread.
final class SharedObjectRefusals: Sendable {
    private struct Refusal {
        /// Objects whose bytes came from their origin until then, in seconds since 1970.
        var moment: Int64?
        /// Objects of these bytes.
        var digest: Digest?
    }

    /// The most originals; beyond it, the one that was asked for least recently is read again, whatever the store has of it.
    static let limit = 100_000
    /// By how much the clocks of two nodes may differ, in seconds.
    private static let clockTolerance: Int64 = 2

    /// By the digest of the id.
    private let refusals = BoundedCache<Digest, Refusal>(countLimit: SharedObjectRefusals.limit)

    /// Notes what happened to an original on another node.
    func note(_ event: OriginalEvent, at moment: Int64) {
        let key = Digest(of: event.id.description)
        // Events come one after another for each original.
        var refusal = self.refusals.value(for: key) ?? Refusal()
        switch event {
        case .purged: refusal.moment = max(moment, refusal.moment ?? moment)
        case .replaced(_, let digest, _), .withdrawn(_, let digest): refusal.digest = digest
        }
        self.refusals.insert(refusal, for: key)
    }

    /// Whether an object is not read.
    func refuse(_ object: OriginalObject, _ key: Digest) -> Bool {
        guard let refusal = self.refusals.value(for: key) else { return false }
        if let moment = refusal.moment, object.fetchedAt - Self.clockTolerance <= moment { return true }
        return refusal.digest == object.digest
    }
}
