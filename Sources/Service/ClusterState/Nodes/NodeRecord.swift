/// A node's published state.
package struct NodeRecord: Codable, Hashable, Sendable {
    package var name: String
    /// Different for each start.
    package var instance: String
    /// The node's address for operators: its public URL, or the address it listens on.
    package var address: String
    package var version: String
    /// Seconds since 1970 by the node's clock, like ``seenAt``.
    package var startedAt: Int64
    package var seenAt: Int64
    package var isReady: Bool
    /// Why the node should get no requests; empty while it is ready.
    package var reasons: [String]
    package var events: Events?
    package var counters: Counters
    /// Lasting faults of engines; `nil` in records of versions before this field.
    package var faults: [Fault]?

    package struct Fault: Codable, Hashable, Sendable {
        /// `redis`, `object-store`, `library` or `events`.
        package var engine: String
        /// Seconds since 1970 by the node's clock.
        package var since: Int64
        /// The latest error.
        package var cause: String

        package init(engine: String, since: Int64, cause: String) {
            self.engine = engine
            self.since = since
            self.cause = cause
        }
    }

    package struct Events: Codable, Hashable, Sendable {
        /// `starting`, `catching-up`, `current` or `cut-off`.
        package var phase: String
        /// Seconds for which events may have been missed.
        package var lagSeconds: Double
        /// The id of the last applied event.
        package var position: String?
        /// The node's own events that wait for Redis.
        package var pending: Int

        package init(phase: String, lagSeconds: Double, position: String?, pending: Int) {
            self.phase = phase
            self.lagSeconds = lagSeconds
            self.position = position
            self.pending = pending
        }
    }

    /// Counts since the start, and numbers of stored objects.
    package struct Counters: Codable, Hashable, Sendable {
        /// Variants served from memory.
        package var hits: Int
        package var renders: Int
        /// Originals on disk.
        package var originals: Int
        /// Variants in memory.
        package var variants: Int
        /// Queued uploads and removals of originals; `nil` without a store.
        package var uploads: Int?

        package init(hits: Int, renders: Int, originals: Int, variants: Int, uploads: Int? = nil) {
            self.uploads = uploads
            self.hits = hits
            self.renders = renders
            self.originals = originals
            self.variants = variants
        }
    }

    package init(
        name: String, instance: String, address: String, version: String, startedAt: Int64, seenAt: Int64,
        isReady: Bool, reasons: [String], events: Events?, counters: Counters, faults: [Fault]? = nil
    ) {
        self.faults = faults
        self.name = name
        self.instance = instance
        self.address = address
        self.version = version
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.isReady = isReady
        self.reasons = reasons
        self.events = events
        self.counters = counters
    }
}
