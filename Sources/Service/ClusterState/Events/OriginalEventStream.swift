import Flights
package import Logging
package import PosterOrigins
package import PosterPipeline
package import RebuildableDatabase
package import RedisClient
import Synchronization

/// Purges, replaced and withdrawn originals of all nodes, on a stream of Redis that each node reads from its last position on.
package final class OriginalEventStream: OriginalEventPublisher {
    package struct Settings: Sendable {
        /// Different for each node.
        package var node: String
        /// Different for each start.
        package var instance = EventReader.newGeneration()
        /// About how many events the stream retains; a node that misses more drops what it has. 100,000 by default.
        package var entryLimit = OriginalEventStream.defaultEntryLimit
        /// After which time without events requests are refused; nil for never.
        package var lagLimit: Duration?
        /// Whether originals are read from a store that nodes share.
        package var isStoreShared = false
        /// Whether there may be originals from before the first start with events.
        package var mayHoldOriginals = true

        package init(node: String) {
            self.node = node
        }
    }

    /// What is known of the events.
    package struct Status: Sendable {
        package let phase: CutOffWatch.Phase
        /// For how long events may have been missed.
        package let lag: Duration
        package let isRefusing: Bool
        /// Of the last entry that was applied; nil before the first connection.
        package let position: String?
        package let applied: Int
        package let published: Int
        /// Events that wait to be published.
        package let pending: Int
        /// Events that were given up because too many waited.
        package let dropped: Int
        /// How often all was dropped and distrusted, because events were lost.
        package let resyncs: Int
    }

    /// The default of ``Settings/entryLimit``.
    package static let defaultEntryLimit = 100_000

    /// How long a process that ends waits for Redis.
    private static let flushTime = Duration.seconds(3)

    package let watch: CutOffWatch
    private let client: RedisClient
    private let settings: Settings
    private let file: EventPositionFile
    private let queue: EventQueue
    private let publisher: EventPublisher
    private let threads: BoundedThreadPool
    private let logger: Logger
    private let secondsSince1970: @Sendable () -> Int64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let reader = Mutex<EventReader?>(nil)

    /// Prepares the folder `events` in a data directory.
    /// - Parameter threads: For work that blocks for a disk.
    /// - Throws: An error whose description is shown to the operator.
    package init(
        _ settings: Settings, client: RedisClient, in data: DataDirectory, threads: BoundedThreadPool, logger: Logger,
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        secondsSince1970: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws {
        let folder = data.path + "/events"
        self.settings = settings
        self.client = client
        self.threads = threads
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
        self.sleep = sleep
        self.queue = try EventQueue(folder: folder + "/pending")
        self.file = EventPositionFile(path: folder + "/position.json")
        self.watch = CutOffWatch(lagLimit: settings.lagLimit, now: now, sleep: sleep)
        self.publisher = EventPublisher(
            client: client, queue: self.queue, threads: threads, node: settings.node, instance: settings.instance,
            entryLimit: settings.entryLimit, logger: logger, secondsSince1970: secondsSince1970, sleep: sleep)
    }

    /// Of this process.
    package var instance: String { self.settings.instance }

    /// For the pipeline.
    package var gate: EventGate { self.watch.gate }

    /// Names what events are applied to, before it answers any request; to be called once.
    package func prepare(_ subscriber: any OriginalEventSubscriber) {
        let reader = EventReader(
            client: self.client, subscriber: subscriber, watch: self.watch, file: self.file, threads: self.threads,
            settings: self.settings, logger: self.logger, secondsSince1970: self.secondsSince1970, sleep: self.sleep)
        self.reader.withLock { $0 = reader }
    }

    /// Holds up requests until all events are applied; before any is accepted, in a process that will ``run()``.
    package func begin() {
        self.watch.begin()
    }

    package func publish(_ event: OriginalEvent) async throws -> Publication {
        try await self.publisher.publish(event)
    }

    package func publishLater(_ event: OriginalEvent) {
        self.publisher.publishLater(event)
    }

    /// Publishes and reads until it is cancelled; after ``prepare(_:)``.
    package func run() async throws {
        let reader = self.reader.withLock { $0 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.publisher.run() }
            group.addTask { try await reader?.run() }
            group.addTask { try await self.watch.run() }
            try await group.waitForAll()
        }
    }

    /// Publishes what waits, for a process that does not ``run()``; what is not taken within ``flushTime`` is left to the next one.
    package func flush() async throws {
        do {
            try await withTimeout(
                Self.flushTime, throwing: RedisFailure.timedOut(Self.flushTime), sleep: self.sleep
            ) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await self.client.run() }
                    group.addTask { try await self.publisher.run() }
                    group.addTask { try await self.queue.waitUntilEmpty() }
                    try await group.next()
                }
            }
        } catch is RedisFailure {
            self.logger.warning("Other nodes have not been reached; the next server tells them")
        }
    }

    /// Stores what waits, for the next process.
    package func close() async {
        // A task of its own: it goes on when the caller is cancelled.
        await Task { try? await self.publisher.storeAll() }.value
    }

    /// Why events are not read or published; nil while they are.
    package var fault: FaultLog.Fault? {
        let reader = self.reader.withLock { $0 }
        return [reader?.faults, self.publisher.faults].compactMap { $0?.fault }.min { $0.since < $1.since }
    }

    package var status: Status {
        let reader = self.reader.withLock { $0 }
        let (pending, dropped) = self.queue.usage
        let counters = reader?.counters ?? EventReader.Counters()
        return Status(
            phase: self.watch.phase, lag: self.watch.lag, isRefusing: self.watch.isRefusing, position: reader?.position,
            applied: counters.applied, published: self.publisher.publishedCount, pending: pending, dropped: dropped,
            resyncs: counters.resyncs)
    }
}
