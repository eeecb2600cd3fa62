import Flights
import PosterPipeline
import PosterTesting
import RedisClient
import RedisTesting
import Testing

@testable import ClusterState

/// Events that are trimmed from the stream before a node has read them.
@Suite(.enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)), .timeLimit(.hang))
struct LostEventsTests {
    private let folder = TemporaryFolder()
    private let other = TemporaryFolder()

    private static func ids(_ count: Int) throws -> [PosterID] {
        try (0..<count).map { try PosterID(key: "film-\($0)") }
    }

    @Test func aNodeThatReadsMoreSlowlyThanEventsGiveWayTrustsNothing() async throws {
        let redis = try await RedisServer()
        let ids = try Self.ids(400)
        try await EventNode("a", port: redis.port, folder: self.folder, { $0.entryLimit = 10 }).run { [other] first in
            try await EventNode("b", port: redis.port, folder: other, { $0.entryLimit = 10 }).run { second in
                try await first.current()
                try await second.current()
                let held = Gate()
                second.subscriber.hold(held)
                _ = try await first.stream.publish(.purged(ids[0]))
                try await eventually { held.waiterCount == 1 }
                for id in ids.dropFirst() { _ = try await first.stream.publish(.purged(id)) }
                held.open()
                try await second.subscriber.wait { $0.distrusted == 1 }
                try await second.current()
                #expect(second.stream.status.resyncs == 1)
            }
        }
    }

    @Test func alsoWhileItAppliesWhatItMissed() async throws {
        let redis = try await RedisServer()
        let ids = try Self.ids(600)
        try await EventNode("b", port: redis.port, folder: self.other).run { try await $0.current() }
        try await EventNode("a", port: redis.port, folder: self.folder).run { [other] first in
            try await first.current()
            for id in ids { _ = try await first.stream.publish(.purged(id)) }
            let held = Gate()
            let second = try EventNode("b", port: redis.port, folder: other, holding: held) { $0.entryLimit = 10 }
            try await second.run { second in
                try await eventually { held.waiterCount > 0 }
                _ = try await first.client.send(RedisCommand("XTRIM", "onesheet:{events}", "MAXLEN", 10))
                held.open()
                try await second.current()
                #expect(second.subscriber.value.distrusted == 1)
            }
        }
    }
}
