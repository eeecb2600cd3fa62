package import HTTPFetch
import ObjectStorage
package import RebuildableDatabase

/// What a shared store has done since the start, and what waits for it.
public struct SharedStoreStatus: Hashable, Sendable {
    /// Bucket and prefix, as `s3://bucket/prefix/`.
    package var name: String
    package var breaker: OriginState.Breaker
    /// Uploads and removals that wait.
    package var waiting = 0
    /// What the originals that wait take of the disk, in bytes.
    package var waitingBytes = 0
    package var counters = Counters()
    /// nil while reads, uploads and removals succeed.
    package var fault: FaultLog.Fault?

    package struct Counters: Hashable, Sendable {
        /// Originals that came from there.
        package var hits = 0
        /// Originals that were not there.
        package var misses = 0
        /// Lookups without an answer, and those that were left out while the store failed.
        package var failures = 0
        package var uploaded = 0
        package var removed = 0
        /// Objects that were no originals, or not what their fields say.
        package var damaged = 0
        /// Uploads that were given up, most of them because too many waited.
        package var dropped = 0
    }
}

extension SharedOriginalStore {
    /// Whether the store is asked; not while it fails.
    package var isAvailable: Bool { self.client.health.isAvailable }
}
