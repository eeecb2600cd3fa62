package import ClusterState
package import PosterAPI
package import RedisClient

extension ServiceStatus.Redis {
    package init(_ client: RedisClient, variants: RedisVariantStore?) {
        let status = client.status
        self.init(
            address: "\(client.configuration.address)", isConnected: status.isConnected,
            reason: status.failure.map { "\($0)" }, inFlight: status.inFlightCount,
            connections: status.connectionCount,
            variants: variants.map { store in
                let counters = store.counters
                return Variants(
                    isReading: store.isReading, hits: counters.hits, misses: counters.misses, writes: counters.writes,
                    removals: counters.removals, dropped: counters.dropped, failures: counters.failures,
                    damaged: counters.damaged, waiting: counters.pending, waitingBytes: counters.pendingBytes,
                    waitingRemovals: counters.pendingRemovals)
            })
    }
}
