import CoreMetrics
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PosterHTTP
import PosterOrigins
import PosterPipeline
import ServiceLifecycle

/// The composition root of the service: makes every room and connects them.
struct PosterServer {
    /// Clients that the kernel keeps waiting while connections are accepted.
    private static let backlog = 4096
    /// For `Server`.
    private static let serverName = "OneSheet"

    let configuration: ServeConfiguration
    let logger: Logger

    /// Serves until the process is asked to stop.
    ///
    /// - Throws: What keeps it from starting, in words for whoever started it.
    func run() async throws {
        let configuration = self.configuration
        let connections = self.connectionLimit()
        let data = try DataDirectory(path: configuration.dataDirectory)
        let registry = PrometheusRegistry()
        // For packages that record by themselves; what is ours gets it handed.
        MetricsSystem.bootstrap(registry)
        let rooms = try Rooms(configuration, data: data, logger: self.logger, metrics: registry)
        let lines = try configuration.accessLog.map { _ in try LineWriter(descriptor: STDOUT_FILENO) }
        let recorder = RequestRecorder(
            metrics: registry,
            accessLog: configuration.accessLog.flatMap { format in lines.map { AccessLog(format, writer: $0) } })
        let observation = Observation(page: MetricsPage(registry, accessLog: lines), recorder: recorder)
        let application = try await self.application(rooms, data: data, connections: connections, observation)
        let desk = ControlDesk(rooms: rooms, effort: configuration.effort)
        let control = ControlServer(
            directory: data.path, logger: self.logger, now: Uptime.nanoseconds, handler: desk.handle)
        // They are stopped from the last to the first: clients before everything that they may wait for.
        var settings = ServiceGroupConfiguration(
            services: [Upkeep(store: rooms.store), control, application], logger: self.logger)
        settings.maximumGracefulShutdownDuration = configuration.deadlines.stop
        let group = ServiceGroup(configuration: settings)
        let signals = StopSignals { _ in
            rooms.stopWorkBehind()
            Task { await group.triggerGracefulShutdown() }
        }
        let outcome: Result<Void, any Error>
        do {
            try await group.run()
            outcome = .success(())
        } catch is CancellationError {
            outcome = .success(())  // somebody would not finish; the stop was asked for all the same
        } catch {
            outcome = .failure(error)
        }
        try await rooms.close()
        lines?.close()
        withExtendedLifetime(signals) {}
        withExtendedLifetime(data) {}  // locked to the very end
        try outcome.get()
    }

    /// Where it is told what happens, and shown.
    private struct Observation {
        let page: MetricsPage
        let recorder: RequestRecorder
    }

    /// The store's own work, for as long as the service runs.
    private struct Upkeep: Service {
        let store: DiskOriginalStore

        func run() async throws {
            do {
                try await cancelWhenGracefulShutdown { try await self.store.run() }
            } catch is CancellationError {}
        }
    }

    private func application(
        _ rooms: Rooms, data: DataDirectory, connections: Int, _ observation: Observation
    ) async throws -> some ApplicationProtocol & Service {
        let configuration = self.configuration
        let deadlines = configuration.deadlines
        let limits = ConnectionDeadlines.Limits(
            head: TimeAmount(deadlines.header), body: TimeAmount(deadlines.send), send: TimeAmount(deadlines.send))
        let hits = PosterHits(
            pipeline: rooms.pipeline, maxAge: configuration.maxAge, effort: configuration.effort,
            serverName: Self.serverName, idleTimeout: TimeAmount(deadlines.idle), recorder: observation.recorder)
        return Application(
            router: try await PosterRouter.make(
                pipeline: rooms.pipeline, movies: rooms.movies, maxAge: configuration.maxAge,
                effort: configuration.effort, prefetching: try self.adminToken().map { (rooms.warmer, $0) },
                status: { rooms.status }, metrics: observation.page, recorder: observation.recorder),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ConnectionPersistence.Handler(), ClientPresence.Handler(),
                        ConnectionDeadlines.Handler(limits), PosterHits.Handler(hits),
                    ],
                    idleTimeout: TimeAmount(deadlines.idle))),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: Self.serverName,
                backlog: Self.backlog,
                availableConnectionsDelegate: .maximum(connections, logger: self.logger)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? configuration.port
                let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
                print("OneSheet serves http://\(host):\(port)/ and keeps its data in \(data.path)")
                fflush(nil)
            },
            logger: self.logger)
    }

    /// As many as configured, if the process may have so many descriptors.
    private func connectionLimit() -> Int {
        let limit = DescriptorLimit.raise()
        let wanted = self.configuration.maxConnections
        let connections = limit.connections(wanted: wanted)
        if connections < wanted {
            self.logger.warning(
                "Fewer connections are accepted than configured: too few descriptors are allowed",
                metadata: [
                    "connections": "\(connections)", "configured": "\(wanted)", "descriptors": "\(limit.current)",
                ])
        }
        return connections
    }

    private func adminToken() throws -> AdminToken? {
        guard let path = self.configuration.adminTokenFile else { return nil }
        let token = try AdminToken(contentsOf: path)
        if token.isPublic {
            self.logger.warning("Every user of this machine can read the admin token", metadata: ["path": "\(path)"])
        }
        return token
    }
}
