import ClusterState
import Flights
import Logging
import OneSheetConfiguration
import PosterAPI
import PosterOrigins
import PosterPipeline
import RedisClient

/// What nodes tell one another.
extension ServerDependencies {
    /// - Returns: nil without Redis.
    static func eventStream(
        _ configuration: ServeConfiguration, _ redis: RedisClient?, store: DiskOriginalStore, in data: DataDirectory,
        threads: BoundedThreadPool, clock: @escaping @Sendable () -> Int64, logger: Logger
    ) throws -> OriginalEventStream? {
        guard let redis else { return nil }
        var settings = OriginalEventStream.Settings(node: configuration.nodes.name)
        settings.lagLimit = configuration.nodes.purgeLag
        settings.isStoreShared = configuration.sharedStore != nil
        settings.mayHoldOriginals = store.mayHoldOriginals
        return try OriginalEventStream(
            settings, client: redis, in: data, threads: threads, logger: logger, secondsSince1970: clock)
    }

    /// The list of nodes, to which this one belongs; nil without Redis.
    func nodes(_ node: NodeStatus) -> NodeRegistry? {
        self.redis.map { NodeRegistry(client: $0, logger: self.logger) { node.record } }
    }
}

extension ServiceStatus.Events {
    init(_ stream: OriginalEventStream) {
        let status = stream.status
        let position = stream.gate.position
        let lag = status.lag.components
        self.init(
            isCurrent: status.phase == .current, phase: status.phase.rawValue,
            lagSeconds: Double(lag.seconds) + (Double(lag.attoseconds) / 1e15).rounded() / 1000,
            position: status.position, applied: status.applied, published: status.published, pending: status.pending,
            dropped: status.dropped, resyncs: status.resyncs, holdsRequests: position == .held,
            refusesRequests: position == .refused)
    }
}
