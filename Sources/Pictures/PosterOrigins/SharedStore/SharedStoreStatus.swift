package import Flights
import ObjectStorage
package import RebuildableDatabase

/// Counts of a shared store since the start, and its pending jobs.
public struct SharedStoreStatus: Hashable, Sendable {
    /// Bucket and prefix, as `s3://bucket/prefix/`.
    package var name: String
    package var breaker: CircuitBreaker.State
    /// Pending uploads and removals.
    package var waiting = 0
    /// Disk space of originals pending upload, in bytes.
    package var waitingBytes = 0
    package var counters = Counters()
    /// `nil` while reads, uploads and removals succeed.
    package var fault: FaultLog.Fault?

    package struct Counters: Hashable, Sendable {
        /// Originals read from the shared store.
        package var hits = 0
        /// Originals missing from the shared store.
        package var misses = 0
        /// Lookups that failed, or were skipped while the store was unavailable.
        package var failures = 0
        package var uploaded = 0
        package var removed = 0
        /// Objects that were invalid, or did not match their fields.
        package var damaged = 0
        /// Dropped uploads, most of them because the queue was full.
        package var dropped = 0
    }
}

extension SharedOriginalStore {
    /// Whether requests are sent to the store; false while it fails.
    package var isAvailable: Bool { self.client.health.isAvailable }
}
