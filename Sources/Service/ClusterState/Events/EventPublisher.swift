import Flights
import Logging
import PosterPipeline
import RebuildableDatabase
import RedisClient
import Synchronization

/// Adds this node's events to the stream: at once, or when Redis is available again.
final class EventPublisher: OriginalEventPublisher {
    /// How long a purge waits for Redis.
    static let deadline = Duration.milliseconds(250)
    /// How long the background task waits for a reply, and its pause between two attempts.
    private static let backgroundDeadline = Duration.seconds(2)
    private static let retryTime = Duration.milliseconds(200)

    private let client: RedisClient
    private let queue: EventQueue
    private let threads: BoundedThreadPool
    private let settings: OriginalEventStream.Settings
    let faults: FaultLog
    private let secondsSince1970: @Sendable () -> Int64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let published = Atomic<Int>(0)

    init(_ environment: EventStreamEnvironment, queue: EventQueue) {
        self.client = environment.client
        self.queue = queue
        self.threads = environment.threads
        self.settings = environment.settings
        self.faults = FaultLog(
            "Events wait for Redis; other nodes do not get purges and replaced originals", logger: environment.logger,
            secondsSince1970: environment.secondsSince1970)
        self.secondsSince1970 = environment.secondsSince1970
        self.sleep = environment.sleep
    }

    var publishedCount: Int { self.published.load(ordering: .relaxed) }

    func publish(_ event: OriginalEvent) async throws -> Publication {
        let record = self.record(event)
        // Queued events are published first.
        if self.queue.usage.count == 0 {
            do {
                try await self.send(record, within: Self.deadline)
                return .published
            } catch is RedisFailure {
                // Redis may have added it all the same; publishing it twice does no harm.
            }
        }
        let number: UInt64?
        do {
            number = try await self.threads.runStep { try self.queue.store(record) }
        } catch let error as CancellationError {
            throw error
        } catch {
            self.faults.begin(error)
            throw PosterError.storageFailed(reason: "the purge could not be stored for the other nodes")
        }
        guard let number else {
            throw PosterError.storageFailed(reason: "too many purges for other nodes wait for Redis")
        }
        return self.client.isConnected ? try await self.waitUntilSent(number) : .waiting
    }

    private func waitUntilSent(_ number: UInt64) async throws -> Publication {
        do {
            try await withTimeout(Self.deadline, throwing: RedisFailure.timedOut(Self.deadline), sleep: self.sleep) {
                while true {
                    let (isWaiting, change) = self.queue.contains(number)
                    guard isWaiting else { return }
                    try await change.wait()
                }
            }
            return .published
        } catch is RedisFailure {
            return .waiting
        }
    }

    func publishLater(_ event: OriginalEvent) {
        self.queue.add(self.record(event))
    }

    /// Publishes queued events in their order until it is cancelled.
    func run() async throws {
        // Events that were sent, but have files still to be removed.
        var sent: Set<UInt64> = []
        while true {
            let (entry, change) = self.queue.next()
            guard let entry else {
                try await change.wait()
                continue
            }
            do {
                if !sent.contains(entry.number) {
                    try await self.send(entry.record, within: Self.backgroundDeadline)
                    sent.insert(entry.number)
                }
                try await self.threads.runStep { try self.queue.remove(entry) }
                sent.remove(entry.number)
                self.faults.end()
            } catch let error as CancellationError {
                throw error
            } catch {
                if error as? RedisFailure != .notConnectedYet { self.faults.begin(error) }
                try await self.storeAll()
                try await self.sleep(Self.retryTime)
            }
        }
    }

    /// Writes files for events without one, so that they are published after a restart.
    func storeAll() async throws {
        do {
            try await self.threads.runStep { try self.queue.storeAll() }
        } catch let error as CancellationError {
            throw error
        } catch {
            self.faults.begin(error)
        }
    }

    private func record(_ event: OriginalEvent) -> EventRecord {
        EventRecord(
            event, node: self.settings.node, instance: self.settings.instance, moment: self.secondsSince1970())
    }

    private func send(_ record: EventRecord, within: Duration) async throws {
        let arguments: [any RedisArgument] = [EventReader.newGeneration(), self.settings.entryLimit] + record.fields
        _ = try await self.client.evaluate(
            EventScripts.publish, keys: EventScripts.keys(prefix: self.client.prefix), arguments, within: within)
        self.published.add(1, ordering: .relaxed)
    }
}
