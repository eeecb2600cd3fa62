import Flights
import PosterPipeline
import PosterTesting
import RedisClient
import RedisTesting
import Testing

@testable import ClusterState

/// Events between nodes, through a real Redis.
@Suite(.enabled(if: RedisServer.isAvailable, Comment(rawValue: RedisServer.absence)), .timeLimit(.hang))
struct OriginalEventStreamTests {
    private let folder = TemporaryFolder()
    private let other = TemporaryFolder()

    private static func ids(_ count: Int) throws -> [PosterID] {
        try (0..<count).map { try PosterID(key: "film-\($0)") }
    }

    /// A server that loses no data in a restart.
    private static var lasting: RedisServer.Settings {
        var settings = RedisServer.Settings()
        settings.arguments = ["--appendonly", "yes", "--appendfsync", "always"]
        return settings
    }

    @Test func anEventReachesTheOtherNodesAndNotItsOwn() async throws {
        let redis = try await RedisServer()
        let id = try PosterID(key: "heat")
        try await EventNode("a", port: redis.port, folder: self.folder).run { [other] first in
            try await EventNode("b", port: redis.port, folder: other).run { second in
                try await first.current()
                try await second.current()
                #expect(try await first.stream.publish(.purged(id)) == .published)
                first.stream.publishLater(.withdrawn(id, Digest(of: "x")))
                try await second.subscriber.wait { $0.applied.count == 2 }
                #expect(second.subscriber.value.applied == [.purged(id), .withdrawn(id, Digest(of: "x"))])
                _ = try await second.stream.publish(.purged(id))
                try await first.subscriber.wait { !$0.applied.isEmpty }
                #expect(first.subscriber.value.applied == [.purged(id)])
            }
        }
    }

    @Test func aNodeThatWasStoppedAppliesAllThatItMissedBeforeItAnswers() async throws {
        let redis = try await RedisServer()
        let ids = try Self.ids(1200)
        try await EventNode("b", port: redis.port, folder: self.other).run { try await $0.current() }
        try await EventNode("a", port: redis.port, folder: self.folder).run { first in
            try await first.current()
            for id in ids { _ = try await first.stream.publish(.purged(id)) }
        }
        let held = Gate()
        try await EventNode("b", port: redis.port, folder: self.other, holding: held).run { second in
            try await eventually { second.stream.watch.phase == .catchingUp }
            #expect(second.stream.gate.position == .held)
            held.open()
            try await second.stream.gate.pass()
            #expect(Set(second.subscriber.value.applied) == Set(ids.map { .purged($0) }))
            #expect(second.subscriber.value.distrusted == 0)
        }
        // Events that were applied before are not applied again.
        try await EventNode("b", port: redis.port, folder: self.other).run { second in
            try await second.current()
            #expect(second.subscriber.value.applied.isEmpty)
        }
    }

    @Test func whileRedisIsAwayAPurgeWaitsAlsoOverARestart() async throws {
        let redis = try await RedisServer(Self.lasting)
        let id = try PosterID(key: "heat")
        try await EventNode("b", port: redis.port, folder: self.other).run { [folder] second in
            try await EventNode("a", port: redis.port, folder: folder).run { first in
                try await first.current()
                redis.kill()
                #expect(try await first.stream.publish(.purged(id)) == .waiting)
                #expect(first.stream.status.pending == 1)
            }
            try await redis.start(Self.lasting)
            try await EventNode("a", port: redis.port, folder: folder).run { first in
                try await second.subscriber.wait { !$0.applied.isEmpty }
                try await eventually { first.stream.status.pending == 0 }
                // The node may have stopped before it removed the poster.
                try await first.subscriber.wait { !$0.applied.isEmpty }
            }
            #expect(second.subscriber.value.distrusted == 0)
        }
    }

    @Test func aNodeThatIsCutOffAnswersAndAppliesWhatItMissedFirstWhenItIsBack() async throws {
        let redis = try await RedisServer()
        let relay = try await TCPRelay(to: redis.port)
        let ids = try Self.ids(3)
        try await EventNode("a", port: redis.port, folder: self.folder).run { [other] first in
            try await EventNode("b", port: relay.port, folder: other).run { second in
                try await first.current()
                try await second.current()
                relay.cut()
                try await eventually { second.stream.watch.phase == .cutOff }
                #expect(second.stream.gate.isOpen, "it answers with what it has")
                for id in ids { _ = try await first.stream.publish(.purged(id)) }
                let held = Gate()
                second.subscriber.hold(held)
                relay.restore()
                try await eventually { second.stream.watch.phase == .catchingUp }
                #expect(!second.stream.gate.isOpen)
                held.open()
                try await second.stream.gate.pass()
                #expect(Set(second.subscriber.value.applied) == Set(ids.map { .purged($0) }))
            }
        }
    }

    // MARK: Lost events

    @Test func whenRedisHasLostAllNothingOfBeforeIsTrusted() async throws {
        let redis = try await RedisServer()
        let id = try PosterID(key: "heat")
        try await EventNode("a", port: redis.port, folder: self.folder).run { [other] first in
            try await EventNode("b", port: redis.port, folder: other).run { second in
                try await first.current()
                try await second.current()
                _ = try await first.stream.publish(.purged(id))
                try await redis.start()
                for node in [first, second] { try await node.subscriber.wait { $0.distrusted == 1 } }
                try await first.current()
                _ = try await first.stream.publish(.withdrawn(id, Digest(of: "x")))
                try await second.subscriber.wait { $0.applied.last == .withdrawn(id, Digest(of: "x")) }
                #expect(second.stream.status.resyncs == 1)
            }
        }
        let again = try EventNode("b", port: redis.port, folder: self.other)
        try await again.run { try await $0.current() }
        #expect(again.subscriber.value.required == [1_700_000_000], "also after a restart")
        #expect(again.subscriber.value.distrusted == 0)
    }

    @Test func aNodeThatMissedMoreThanTheStreamRetainsTrustsNothing() async throws {
        let redis = try await RedisServer()
        let ids = try Self.ids(400)
        try await EventNode("b", port: redis.port, folder: self.other).run { try await $0.current() }
        try await EventNode("a", port: redis.port, folder: self.folder, { $0.entryLimit = 10 }).run { first in
            try await first.current()
            for id in ids { _ = try await first.stream.publish(.purged(id)) }
        }
        let second = try EventNode("b", port: redis.port, folder: self.other) { $0.isStoreShared = true }
        try await second.run { try await $0.current() }
        #expect(second.subscriber.value.distrusted == 1)
        let noted = second.subscriber.value.noted
        #expect(!noted.isEmpty && noted.count < 400 && noted.last == .purged(ids[399]), "what nodes may still share")
    }

    @Test func whenRedisHasLostItsLastEntriesAllNodesTrustNothing() async throws {
        let redis = try await RedisServer()
        let id = try PosterID(key: "heat")
        try await EventNode("a", port: redis.port, folder: self.folder).run { [other] first in
            try await EventNode("b", port: redis.port, folder: other).run { second in
                try await first.current()
                try await second.current()
                _ = try await first.stream.publish(.purged(id))
                let last = try await first.client.send(
                    RedisCommand("XREVRANGE", "onesheet:{events}", "+", "-", "COUNT", 1))
                let entry = try #require(StreamEntry.list(last).first).id.description
                // The file determines the position of a restarted node.
                let file = EventPositionFile(path: other.path + "/data/events/position.json")
                try await eventually { file.read()?.entry == entry }
            }
            try await first.current()
            let last = try await first.client.send(
                RedisCommand("XREVRANGE", "onesheet:{events}", "+", "-", "COUNT", 1))
            let lost = try #require(StreamEntry.list(last).first).id.description
            _ = try await first.client.send(RedisCommand("XDEL", "onesheet:{events}", lost))
            let second = try EventNode("b", port: redis.port, folder: other)
            try await second.run { try await $0.current() }
            #expect(second.subscriber.value.distrusted == 1)
            try await first.subscriber.wait { $0.distrusted == 1 }
        }
    }

    @Test func anEventThatCannotBeAppliedEndsTheTrustInAll() async throws {
        let redis = try await RedisServer()
        let ids = try Self.ids(2)
        try await EventNode("a", port: redis.port, folder: self.folder).run { [other] first in
            try await EventNode("b", port: redis.port, folder: other).run { second in
                try await first.current()
                try await second.current()
                second.subscriber.fail(2)
                _ = try await first.stream.publish(.purged(ids[0]))
                try await second.subscriber.wait { !$0.applied.isEmpty }
                #expect(second.subscriber.value.distrusted == 0, "it is tried again")
                second.subscriber.fail(3)
                _ = try await first.stream.publish(.purged(ids[1]))
                try await second.subscriber.wait { $0.distrusted == 1 }
            }
        }
    }

    // MARK: New nodes

    @Test func aNewNodeNotesWhatOthersPurgedAndTrustsWhatTheyShare() async throws {
        let redis = try await RedisServer()
        let ids = try Self.ids(700)
        try await EventNode("a", port: redis.port, folder: self.folder).run { first in
            try await first.current()
            for id in ids { _ = try await first.stream.publish(.purged(id)) }
            try await eventually { first.stream.status.pending == 0 }
        }
        let second = try EventNode("b", port: redis.port, folder: self.other) { $0.isStoreShared = true }
        try await second.run { try await $0.current() }
        let value = second.subscriber.value
        // An event without a confirmation in time is sent again.
        let noted = value.noted.reduce(into: [OriginalEvent]()) { if $0.last != $1 { $0.append($1) } }
        #expect(noted == ids.map { .purged($0) } && value.applied.isEmpty && value.distrusted == 0)
    }

    @Test func aNodeWithOriginalsOfBeforeAppliesAllEventsThereWere() async throws {
        let redis = try await RedisServer()
        let ids = try Self.ids(5)
        try await EventNode("a", port: redis.port, folder: self.folder).run { first in
            try await first.current()
            for id in ids { _ = try await first.stream.publish(.purged(id)) }
            try await eventually { first.stream.status.pending == 0 }
        }
        let second = try EventNode("b", port: redis.port, folder: self.other) { $0.mayHoldOriginals = true }
        try await second.run { try await $0.current() }
        #expect(Set(second.subscriber.value.applied) == Set(ids.map { .purged($0) }))
        #expect(second.subscriber.value.distrusted == 0)
    }
}
