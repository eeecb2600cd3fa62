import Flights
package import Logging
package import PosterOrigins
package import PosterPipeline
package import RebuildableDatabase
package import RedisClient
import Synchronization

/// Purges, replacements and withdrawals of originals on all nodes, in a Redis stream that each node reads from its last
/// position on.
package final class OriginalEventStream: OriginalEventPublisher {
    package struct Settings: Sendable {
        /// Unique per node.
        package var node: String
        /// Unique per start.
        package var instance = EventReader.newGeneration()
        /// About how many events the stream retains; a node that misses more drops its variants and distrusts its
        /// originals. 100,000 by default.
        package var entryLimit = OriginalEventStream.defaultEntryLimit
        /// The time without events after which requests are refused; `nil` never refuses them.
        package var lagLimit: Duration?
        /// Whether originals are read from a store that nodes share.
        package var isStoreShared = false
        /// Whether there may be originals from before the first start with events.
        package var mayHoldOriginals = true

        package init(node: String) {
            self.node = node
        }
    }

    package struct Status: Sendable {
        package let phase: CutOffWatch.Phase
        /// The time for which events may have been missed.
        package let lag: Duration
        package let isRefusing: Bool
        /// The id of the last applied entry; `nil` before the first connection.
        package let position: String?
        package let applied: Int
        package let published: Int
        /// Events queued for publishing.
        package let pending: Int
        /// Events dropped because the queue was full.
        package let dropped: Int
        /// How often all variants were dropped and originals distrusted because events were lost.
        package let resyncs: Int
    }

    package static let defaultEntryLimit = 100_000

    private static let flushTime = Duration.seconds(3)

    package let watch: CutOffWatch
    private let environment: EventStreamEnvironment
    private let file: EventPositionFile
    private let queue: EventQueue
    private let publisher: EventPublisher
    private let reader = Mutex<EventReader?>(nil)

    /// Prepares the folder `events` in a data directory.
    /// - Parameter threads: Threads for blocking disk access.
    /// - Throws: An error with a description for the operator.
    package init(
        _ settings: Settings, client: RedisClient, in data: DataDirectory, threads: BoundedThreadPool, logger: Logger,
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds,
        secondsSince1970: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) throws {
        let folder = data.path + "/events"
        let environment = EventStreamEnvironment(
            client: client, settings: settings, threads: threads, logger: logger, secondsSince1970: secondsSince1970,
            sleep: sleep)
        self.environment = environment
        self.queue = try EventQueue(folder: folder + "/pending", logger: logger)
        AtomicFile.removePartialFiles(in: folder)
        self.file = EventPositionFile(path: folder + "/position.json")
        self.watch = CutOffWatch(lagLimit: settings.lagLimit, now: now, sleep: sleep)
        self.publisher = EventPublisher(environment, queue: self.queue)
    }

    package var instance: String { self.environment.settings.instance }

    package var gate: EventGate { self.watch.gate }

    /// Sets the receiver of events. Call it once, before the receiver serves any request.
    package func prepare(_ subscriber: any OriginalEventSubscriber) {
        let reader = EventReader(self.environment, subscriber: subscriber, watch: self.watch, file: self.file)
        self.reader.withLock { $0 = reader }
    }

    /// Holds requests until all events are applied. Call it before accepting requests, in a process that will
    /// ``run()``.
    package func begin() {
        self.watch.begin()
    }

    package func publish(_ event: OriginalEvent) async throws -> Publication {
        try await self.publisher.publish(event)
    }

    package func publishLater(_ event: OriginalEvent) {
        self.publisher.publishLater(event)
    }

    /// Publishes and reads until it is cancelled. Requires ``prepare(_:)``.
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

    /// Publishes queued events, for a process that does not ``run()``; events not taken within ``flushTime`` are left
    /// to the next process.
    package func flush() async throws {
        do {
            try await withTimeout(
                Self.flushTime, throwing: RedisFailure.timedOut(Self.flushTime), sleep: self.environment.sleep
            ) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await self.environment.client.run() }
                    group.addTask { try await self.publisher.run() }
                    group.addTask { try await self.queue.waitUntilEmpty() }
                    try await group.next()
                }
            }
        } catch is RedisFailure {
            self.environment.logger.warning("Other nodes were not reached; unsent events are sent after the next start")
        }
    }

    /// Stores queued events for the next process.
    package func close() async {
        // A separate task continues when the caller is cancelled.
        await Task { try? await self.publisher.storeAll() }.value
    }

    /// The fault of reading or publishing that began first; `nil` if both work.
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
