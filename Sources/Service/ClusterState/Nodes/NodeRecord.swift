/// What a node says of itself to the others.
package struct NodeRecord: Codable, Hashable, Sendable {
    package var name: String
    /// Different for each start.
    package var instance: String
    /// Where it is reached: its public URL, or what it listens on.
    package var address: String
    package var version: String
    /// In seconds since 1970, by the node's clock, as the next one.
    package var startedAt: Int64
    /// When this was written.
    package var seenAt: Int64
    package var isReady: Bool
    /// Why it should get no requests; empty while it is ready.
    package var reasons: [String]
    /// nil without Redis.
    package var events: Events?
    package var counters: Counters
    /// Faults of engines that last; nil in records of versions before this field.
    package var faults: [Fault]?

    /// A fault of an engine.
    package struct Fault: Codable, Hashable, Sendable {
        /// `redis`, `object-store`, `library` or `events`.
        package var engine: String
        /// In seconds since 1970, by the node's clock.
        package var since: Int64
        /// The latest error.
        package var cause: String

        package init(engine: String, since: Int64, cause: String) {
            self.engine = engine
            self.since = since
            self.cause = cause
        }
    }

    /// How far it has applied the events of other nodes.
    package struct Events: Codable, Hashable, Sendable {
        /// `starting`, `catching-up`, `current` or `cut-off`.
        package var phase: String
        /// Seconds for which it may have missed events.
        package var lagSeconds: Double
        /// Of the last event that was applied.
        package var position: String?
        /// Its own events that wait for Redis.
        package var pending: Int

        package init(phase: String, lagSeconds: Double, position: String?, pending: Int) {
            self.phase = phase
            self.lagSeconds = lagSeconds
            self.position = position
            self.pending = pending
        }
    }

    /// Since the start, but for what is stored.
    package struct Counters: Codable, Hashable, Sendable {
        /// Variants answered from memory.
        package var hits: Int
        package var renders: Int
        /// Originals on disk.
        package var originals: Int
        /// Variants in memory.
        package var variants: Int
        /// Uploads and removals that wait for the store of originals; nil without one.
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
