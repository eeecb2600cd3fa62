import Flights
import Glibc
import PosterPipeline
import PosterTesting
import RedisClient
import RedisTesting
import Testing

@testable import ClusterState

@Suite(.enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)), .timeLimit(.hang))
struct EventPublisherTests {
    @Test func anEventWhoseFileStaysIsPublishedOnce() async throws {
        try await RedisFixture.with { redis in
            try await redis.connected()
            let folder = TemporaryFolder()
            let threads = BoundedThreadPool(count: 1, queueLimit: 10)
            let queue = try EventQueue(folder: folder.path + "/pending", logger: LogRecorder().logger())
            let event = OriginalEvent.purged(try PosterID(key: "heat"))
            _ = try #require(try queue.store(EventRecord(event, node: "a", instance: "1", moment: 5)))
            // A directory, which cannot be deleted as a file.
            let path = try #require(folder.files.first { $0.hasSuffix(".event") }.map { "\(folder.path)/\($0)" })
            try #require(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            let (retries, end) = (Counter(), Gate())
            var settings = OriginalEventStream.Settings(node: "a")
            (settings.instance, settings.entryLimit) = ("1", 10)
            let environment = EventStreamEnvironment(
                client: redis.client, settings: settings, threads: threads, logger: redis.log.logger(),
                secondsSince1970: { 5 },
                sleep: { _ in
                    retries.increment()
                    if retries.value > 2 { try await end.wait() }
                })
            let publisher = EventPublisher(environment, queue: queue)
            let running = Task { try await publisher.run() }
            try await retries.reached(3)
            #expect(queue.usage.count == 1)
            try #require(rmdir(path) == 0)
            end.open()
            try await eventually { queue.usage.count == 0 }
            #expect(publisher.publishedCount == 1)
            let length = try await redis.client.send(RedisCommand("XLEN", "onesheet:{events}")).number
            #expect(length == 2, "the beginning and one event")
            running.cancel()
            _ = await running.result
            try await threads.shutDown()
        }
    }
}
