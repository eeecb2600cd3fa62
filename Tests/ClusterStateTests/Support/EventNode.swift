import Flights
import Logging
import PosterOrigins
import PosterPipeline
import PosterTesting
import RedisClient
import Synchronization

@testable import ClusterState

/// Records applied events; can delay them or fail.
final class RecordingSubscriber: OriginalEventSubscriber {
    struct State: Sendable {
        var applied: [OriginalEvent] = []
        var noted: [OriginalEvent] = []
        var distrusted = 0
        var required: [Int64] = []
        var hold: Gate?
        var failures = 0
    }

    private let state = AwaitedState(State())

    var value: State { self.state.value }

    func hold(_ gate: Gate) { self.state.change { $0.hold = gate } }

    /// Makes the next `count` events fail.
    func fail(_ count: Int) { self.state.change { $0.failures = count } }

    func wait(until condition: @escaping @Sendable (State) -> Bool) async throws {
        try await self.state.wait(until: condition)
    }

    func apply(_ event: OriginalEvent, at moment: Int64) async throws {
        try await self.state.value.hold?.wait()
        let fails = self.state.change { state in
            guard state.failures > 0 else {
                state.applied.append(event)
                return false
            }
            state.failures -= 1
            return true
        }
        if fails { throw PosterError.storageFailed(reason: "the disk is full") }
    }

    func note(_ event: OriginalEvent, at moment: Int64) { self.state.change { $0.noted.append(event) } }

    func distrust(until moment: Int64) async { self.state.change { $0.distrusted += 1 } }

    func requireValidation(since moment: Int64) { self.state.change { $0.required.append(moment) } }
}

/// A node's event stream with its own client.
final class EventNode: Sendable {
    let client: RedisClient
    let stream: OriginalEventStream
    let subscriber = RecordingSubscriber()
    let log = LogRecorder()
    private let data: DataDirectory
    private let threads = BoundedThreadPool(count: 2, queueLimit: 100)

    init(
        _ name: String, port: Int, folder: TemporaryFolder, holding gate: Gate? = nil,
        _ change: (inout OriginalEventStream.Settings) -> Void = { _ in }
    ) throws {
        self.client = try Self.client(port: port, self.log.logger())
        if let gate { self.subscriber.hold(gate) }
        self.data = try DataDirectory(path: folder.path + "/data")
        var settings = OriginalEventStream.Settings(node: name)
        settings.mayHoldOriginals = false
        change(&settings)
        self.stream = try OriginalEventStream(
            settings, client: self.client, in: self.data, threads: self.threads, logger: self.log.logger(),
            secondsSince1970: { 1_700_000_000 })
    }

    static func client(port: Int, _ logger: Logger) throws -> RedisClient {
        var configuration = RedisConfiguration(address: try RedisAddress("redis://127.0.0.1:\(port)"))
        configuration.backOff.first = .milliseconds(1)
        configuration.backOff.longest = .milliseconds(20)
        return RedisClient(configuration, logger: logger)
    }

    /// Runs the stream during `body`; requests wait until it has all events.
    func run<Value: Sendable>(_ body: @escaping @Sendable (EventNode) async throws -> Value) async throws -> Value {
        self.stream.prepare(self.subscriber)
        self.stream.begin()
        let value = try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.client.run()
                return nil
            }
            group.addTask {
                try await self.stream.run()
                return nil
            }
            group.addTask { try await body(self) }
            guard let value = try await group.next() ?? nil else { throw CancellationError() }
            return value
        }
        await self.stream.close()
        return value
    }

    /// Returns once the node has all events.
    func current() async throws {
        try await eventually { self.stream.watch.phase == .current }
    }
}
