extension ServiceStatus {
    /// The Redis server that nodes share.
    package struct Redis: Sendable, Encodable {
        /// The address without user and password.
        package var address: String
        package var isConnected: Bool
        /// Why it is not connected; `nil` while it is.
        package var reason: String?
        /// Commands without a reply yet.
        package var inFlight: Int
        package var connections: Int
        /// `nil` if variants are not stored there.
        package var variants: Variants?

        package init(
            address: String, isConnected: Bool, reason: String? = nil, inFlight: Int = 0, connections: Int = 0,
            variants: Variants? = nil
        ) {
            self.address = address
            self.isConnected = isConnected
            self.reason = reason
            self.inFlight = inFlight
            self.connections = connections
            self.variants = variants
        }

        /// Variants that nodes share. Counts are since the start.
        package struct Variants: Sendable, Encodable {
            /// False while the server is not connected, and while reads are suspended after several slow ones in a row.
            package var isReading: Bool
            package var hits: Int
            package var misses: Int
            package var writes: Int
            package var removals: Int
            /// Variants not written.
            package var dropped: Int
            /// Reads, writes and removals that failed or timed out.
            package var failures: Int
            package var damaged: Int
            /// Variants queued for writing.
            package var waiting: Int
            package var waitingBytes: Int
            package var waitingRemovals: Int

            package init(
                isReading: Bool, hits: Int = 0, misses: Int = 0, writes: Int = 0, removals: Int = 0, dropped: Int = 0,
                failures: Int = 0, damaged: Int = 0, waiting: Int = 0, waitingBytes: Int = 0, waitingRemovals: Int = 0
            ) {
                self.isReading = isReading
                self.hits = hits
                self.misses = misses
                self.writes = writes
                self.removals = removals
                self.dropped = dropped
                self.failures = failures
                self.damaged = damaged
                self.waiting = waiting
                self.waitingBytes = waitingBytes
                self.waitingRemovals = waitingRemovals
            }
        }
    }
}
