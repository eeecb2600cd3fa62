import Flights
import Logging
import PosterPipeline
import RebuildableDatabase
import RedisClient
import Synchronization

/// Reads the event stream on its own connection, and applies events in their order, beginning at the stored position.
///
/// Events only remove, so events of different posters may be applied concurrently, and every event repeatedly.
final class EventReader: Sendable {
    struct Counters: Hashable {
        var applied = 0
        /// How often everything was distrusted because events were lost.
        var resyncs = 0
        var failures = 0
    }

    private struct State {
        var position: EventPosition?
        var counters = Counters()
        /// Whether the entries before the position were noted since the start.
        var hasNoted = false
    }

    /// The stream has another generation, or unread entries are gone.
    private struct StreamChanged: Error {}

    private static let pageLimit = 500
    /// How long Redis waits for an entry before it replies without one, in milliseconds, and how much later the reply
    /// may arrive. Together they are shorter than ``CutOffWatch/currentTime``, so that a hanging server is detected in
    /// time.
    private static let blockMilliseconds = 200
    private static let blockedReplyTime = Duration.milliseconds(450)
    private static let replyTime = Duration.seconds(1)
    private static let retryTime = Duration.milliseconds(100)
    /// The number of posters with events applied concurrently.
    private static let width = 8
    /// Number of failures to apply events after which everything is distrusted instead.
    private static let attemptLimit = 3

    private let client: RedisClient
    private let subscriber: any OriginalEventSubscriber
    private let watch: CutOffWatch
    private let file: EventPositionFile
    private let threads: BoundedThreadPool
    private let settings: OriginalEventStream.Settings
    private let logger: Logger
    let faults: FaultLog
    private let secondsSince1970: @Sendable () -> Int64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state: Mutex<State>
    private var keys: [String] { EventScripts.keys(prefix: self.client.prefix) }

    init(
        _ environment: EventStreamEnvironment, subscriber: any OriginalEventSubscriber, watch: CutOffWatch,
        file: EventPositionFile
    ) {
        self.client = environment.client
        self.subscriber = subscriber
        self.watch = watch
        self.file = file
        self.threads = environment.threads
        self.settings = environment.settings
        self.logger = environment.logger
        self.faults = FaultLog(
            "Events of other nodes cannot be read from Redis", logger: environment.logger,
            secondsSince1970: environment.secondsSince1970)
        self.secondsSince1970 = environment.secondsSince1970
        self.sleep = environment.sleep
        let position = file.read()
        self.state = Mutex(State(position: position))
        // The moment may lie ahead if the clock was set back; validations from now on must count.
        if let moment = position?.distrustedUntil {
            subscriber.requireValidation(since: min(moment, environment.secondsSince1970()))
        }
    }

    static func newGeneration() -> String { String(UInt64.random(in: 1 ... .max), radix: 16) }

    var counters: Counters { self.state.withLock { $0.counters } }
    /// The id of the last applied entry; `nil` before the first connection.
    var position: String? { self.state.withLock { $0.position?.entry } }

    /// Reads until it is cancelled.
    func run() async throws {
        while true {
            do {
                try await self.client.withConnection { try await self.follow($0) }
            } catch let error as CancellationError {
                throw error
            } catch is StreamChanged {
                continue
            } catch let failure as RedisFailure where failure == .notConnectedYet {
                // At the start: the next attempt succeeds or reports the fault.
            } catch {
                self.faults.begin(error)
            }
            self.watch.move(to: .cutOff)
            try await self.sleep(Self.retryTime)
        }
    }

    private func follow(_ connection: RedisConnection) async throws {
        let start = self.watch.time
        try await self.catchUp(try await self.head(connection), connection, asOf: start)
        self.faults.end()
        while true {
            let position = try self.knownPosition()
            // Entries added before this moment are in this reply or the next one.
            let asked = self.watch.time
            let deadline = Duration.milliseconds(Self.blockMilliseconds) + Self.blockedReplyTime
            // Pipelined: the generation is read after the entries, without another round trip. After a page that is not
            // full, the node is current as of `asked`.
            let isQueued = Gate()
            async let generation = { () async throws -> RedisReply in
                try await isQueued.wait()
                return try await connection.send(RedisCommand("GET", self.keys[1]), within: deadline)
            }()
            let reply = try await connection.send(
                RedisCommand(
                    "XREAD", "COUNT", Self.pageLimit, "BLOCK", Self.blockMilliseconds, "STREAMS", self.keys[0],
                    position.entry),
                within: deadline, whenQueued: { isQueued.open() })
            let entries = StreamEntry.read(reply)
            guard try await generation.text == position.generation else { throw StreamChanged() }
            try await self.checkForLoss(before: entries, after: position.id, connection)
            if let last = entries.last {
                try await self.apply(entries)
                try await self.advance(to: last.id, isDurable: false)
            }
            // After a full page there may be more entries.
            if entries.count < Self.pageLimit { self.watch.move(to: .current, asOf: asked) }
        }
    }

    // MARK: Catching up

    /// - Throws: ``StreamChanged`` if entries between `id` and the page may have been trimmed before they were read:
    ///   the stream begins after `id`, and with another entry than `known`.
    private func checkForLoss(
        before page: [StreamEntry], after id: StreamID, known: StreamID? = nil, _ connection: RedisConnection
    ) async throws {
        // A stream that was trimmed still has `entryLimit` entries, so a smaller page proves that nothing was trimmed.
        guard page.count >= min(Self.pageLimit, self.settings.entryLimit) else { return }
        let first = try await self.head(connection).first.id
        guard first <= id || first == known else { throw StreamChanged() }
    }

    private func head(_ connection: RedisConnection) async throws -> StreamHead {
        let reply = try await connection.send(
            RedisCommand("EVAL", EventScripts.open.text, 2, self.keys[0], self.keys[1], Self.newGeneration()),
            within: Self.replyTime)
        guard let head = StreamHead(reply) else {
            throw RedisFailure.unintelligible("the stream of events has no entry")
        }
        return head
    }

    /// Applies all missed events; requests wait meanwhile.
    private func catchUp(_ head: StreamHead, _ connection: RedisConnection, asOf moment: UInt64) async throws {
        let position = self.state.withLock { $0.position }
        if let position, position.generation == head.generation, position.id == head.last.id {
            try await self.scan(head, from: position.id, connection)
        } else {
            // Requests wait from here on.
            self.watch.move(to: .catchingUp)
            if let position, position.generation == head.generation, position.id >= head.first.id {
                guard try await self.contains(position.id, connection) else {
                    // Redis has lost its latest entries: a new generation informs the other nodes.
                    let (former, new) = (head.generation, Self.newGeneration())
                    _ = try await connection.send(
                        RedisCommand("EVAL", EventScripts.renew.text, 2, self.keys[0], self.keys[1], former, new),
                        within: Self.replyTime)
                    throw StreamChanged()
                }
                try await self.scan(head, from: position.id, connection)
            } else {
                if position == nil && (head.isWhole || !self.settings.mayHoldOriginals) {
                    self.state.withLock { state in
                        let start = head.isWhole && self.settings.mayHoldOriginals ? StreamID.zero : head.last.id
                        state.position = EventPosition(generation: head.generation, entry: start.description)
                    }
                } else {
                    self.logger.warning(
                        "Events of other nodes were lost: all variants are dropped, and originals revalidated",
                        metadata: ["events.position": "\(position?.entry ?? "")", "events.first": "\(head.first.id)"])
                    await self.distrust(head)
                }
                try await self.scan(head, from: try self.knownPosition().id, connection)
            }
        }
        try await self.advance(to: head.last.id, isDurable: true)
        self.watch.move(to: .current, asOf: moment)
    }

    private func knownPosition() throws -> EventPosition {
        guard let position = self.state.withLock({ $0.position }) else { throw StreamChanged() }
        return position
    }

    private func contains(_ id: StreamID, _ connection: RedisConnection) async throws -> Bool {
        let reply = try await connection.send(
            RedisCommand("XRANGE", self.keys[0], id.description, id.description), within: Self.replyTime)
        return reply.elements?.isEmpty == false
    }

    /// Reads the entries up to the last one. Applies those after `position`; notes those before it, once after a start.
    private func scan(_ head: StreamHead, from position: StreamID, _ connection: RedisConnection) async throws {
        let notes = self.settings.isStoreShared && !self.state.withLock { $0.hasNoted }
        var read = notes ? StreamID.zero : position
        while read < head.last.id {
            let reply = try await connection.send(
                RedisCommand("XRANGE", self.keys[0], "(\(read)", head.last.id.description, "COUNT", Self.pageLimit),
                within: Self.replyTime)
            let entries = StreamEntry.list(reply)
            guard let last = entries.last else { break }
            if last.id > position {
                let start = max(read, position)
                try await self.checkForLoss(before: entries, after: start, known: head.first.id, connection)
            }
            for entry in entries where entry.id <= position {
                if let record = entry.record { self.subscriber.note(record.event, at: record.moment) }
            }
            let missed = entries.filter { $0.id > position }
            if !missed.isEmpty {
                try await self.apply(missed)
                try await self.advance(to: last.id, isDurable: false)
            }
            read = last.id
        }
        self.state.withLock { $0.hasNoted = true }
    }

    private func distrust(_ head: StreamHead?) async {
        let moment = self.secondsSince1970()
        self.state.withLock { state in
            state.counters.resyncs += 1
            if let head {
                state.position = EventPosition(generation: head.generation, entry: head.last.id.description)
                // Note earlier entries again: other nodes may still share purged originals.
                state.hasNoted = false
            }
            state.position?.distrustedUntil = moment
        }
        await self.subscriber.distrust(until: moment)
    }

    private func advance(to id: StreamID, isDurable: Bool) async throws {
        let position = self.state.withLock { state in
            state.position?.entry = id.description
            return state.position
        }
        guard let position else { return }
        do {
            try await self.threads.runStep { try self.file.write(position, isDurable: isDurable) }
        } catch let error as CancellationError {
            throw error
        } catch {
            // After a restart events are applied again, or originals are revalidated.
            self.faults.begin(error)
        }
    }

    // MARK: Applying

    private func apply(_ entries: [StreamEntry]) async throws {
        // By poster, in the order of the stream.
        var events: [PosterID: [EventRecord]] = [:]
        for record in entries.compactMap(\.record) where record.instance != self.settings.instance {
            events[record.event.id, default: []].append(record)
        }
        for attempt in 1... {
            do {
                try await self.apply(Array(events.values))
                return
            } catch let error as CancellationError {
                throw error
            } catch {
                self.logger.error("An event of another node cannot be applied", metadata: ["error.message": "\(error)"])
                self.state.withLock { $0.counters.failures += 1 }
                guard attempt >= Self.attemptLimit else { continue }
                // Originals that could not be removed must be revalidated before use.
                await self.distrust(nil)
                return
            }
        }
    }

    private func apply(_ groups: [[EventRecord]]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, records) in groups.enumerated() {
                if index >= Self.width { try await group.next() }
                group.addTask {
                    for record in records { try await self.subscriber.apply(record.event, at: record.moment) }
                    self.state.withLock { $0.counters.applied += records.count }
                }
            }
            try await group.waitForAll()
        }
    }
}
