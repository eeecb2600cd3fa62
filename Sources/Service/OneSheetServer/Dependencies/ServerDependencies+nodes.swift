import ClusterState
import CoreMetrics
import Flights
import HTTPFetch
import Logging
import ObjectStorage
import OneSheetConfiguration
import PosterAPI
import PosterOrigins
import PosterPipeline
import RebuildableDatabase
import RedisClient
import ServiceLifecycle

/// Services and state shared between nodes.
extension ServerDependencies {
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

    /// - Returns: `nil` without Redis or without a store of originals.
    static func leases(
        _ configuration: ServeConfiguration, _ redis: RedisClient?, _ store: SharedOriginalStore?,
        _ metrics: any MetricsFactory
    ) -> RedisFetchLeases? {
        guard let redis, let store else { return nil }
        var limits = RedisFetchLeases.Limits()
        // As long as another node's fetch can take.
        limits.wait = configuration.fetch.totalTimeout + limits.lease
        return RedisFetchLeases(
            redis: redis, limits: limits, whenStored: { try await store.waitForUpload(of: $0) },
            isStoreAvailable: { store.isAvailable }, metrics: metrics)
    }

    static func sharedStore(
        _ settings: SharedStoreSettings, disk: DiskOriginalStore, in data: DataDirectory,
        clock: @escaping @Sendable () -> Int64, logger: Logger, metrics: any MetricsFactory
    ) throws -> SharedOriginalStore {
        let (keys, isPublic) = try settings.credentials()
        if isPublic {
            logger.warning(
                "Every user of this machine can read the keys of the store of originals",
                metadata: ["path": "\(settings.credentialsFile ?? "")"])
        }
        let faults = FaultLog(
            "The keys of the store of originals cannot be read", logger: logger, secondsSince1970: clock)
        let client = try S3Client(settings.client, credentials: keys, metrics: metrics)
        return try SharedOriginalStore(
            disk: disk, in: data, client: client, logger: logger, secondsSince1970: clock,
            renewedCredentials: {
                do {
                    let keys = try settings.credentials().keys
                    faults.end()
                    return keys
                } catch {
                    // The file may be in the course of being written: the previous keys stay.
                    faults.begin(error)
                    return nil
                }
            })
    }

    /// The registry of nodes, including this one; `nil` without Redis.
    func nodes(_ node: NodeStatus) -> NodeRegistry? {
        self.redis.map { NodeRegistry(client: $0, logger: self.logger) { node.record } }
    }

    /// A server's background services for sharing with other nodes, in the order of their start; empty without Redis
    /// and a store of originals.
    func nodeServices(_ node: NodeStatus) -> [any Service] {
        var services: [BackgroundService] = []
        if let redis { services.append(BackgroundService(work: redis.run)) }
        if let limits { services.append(BackgroundService(work: limits.run)) }
        if let redisVariants { services.append(BackgroundService(work: redisVariants.run)) }
        if let events { services.append(BackgroundService(work: events.run)) }
        if let nodes = self.nodes(node) { services.append(BackgroundService(work: nodes.run)) }
        if let sharedStore { services.append(BackgroundService { try await self.upload(to: sharedStore) }) }
        return services
    }

    var faults: [ServiceStatus.Fault] {
        var faults: [ServiceStatus.Fault] = []
        if let status = self.redis?.status, let failure = status.failure, let time = status.failureTime {
            faults.append(
                .init(.redis, since: self.clock() - time.components.seconds, cause: "\(failure)"))
        }
        if let fault = self.sharedStore?.status.fault {
            faults.append(.init(.objectStore, since: fault.since, cause: fault.cause))
        }
        if let fault = self.movies.libraryFault {
            faults.append(.init(.library, since: fault.since, cause: fault.cause))
        }
        if let fault = self.events?.fault {
            faults.append(.init(.events, since: fault.since, cause: fault.cause))
        }
        return faults
    }

    private func upload(to store: SharedOriginalStore) async throws {
        do {
            // Queued originals may have been purged since this node was stopped.
            try await self.events?.gate.pass()
        } catch is PosterError {
            // Without other nodes' events uploads continue, as requests do.
        }
        try await store.run()
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

extension ServiceStatus.Redis {
    init(_ client: RedisClient, variants: RedisVariantStore?) {
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
