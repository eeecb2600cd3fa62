import Foundation

@testable import ClusterState
@testable import PosterPipeline
@testable import RedisClient

extension FuzzTarget {
    /// Texts of other nodes in Redis; the first byte chooses the kind.
    static let events = FuzzTarget(
        "events",
        words: [
            "*2\r\n", "$2\r\n", "\r\n", "kind", "purged", "replaced", "withdrawn", "id", "node", "instance", "at",
            "old", "new",
            "tmdb:603", "1700000000000-0", "-9223372036854775808", "failed ",
            "{\"kind\":\"busy\",\"retryAfter\":1,\"reason\":\"\"}",
            "[\"kind\",\"purged\"]", digest, "{", "}", ",", ":", "\"", "null", "1e99",
        ],
        seeds: {
            let record = EventRecord(.purged(try PosterID("tmdb:603")), node: "a", instance: "1", moment: 1_700_000_000)
            guard let old = Digest(hexadecimal: digest) else { return [] }
            let other = EventRecord(
                .replaced(try PosterID("a"), old: old, new: old), node: "a", instance: "1", moment: 1_700_000_000)
            let node = NodeRecord(
                name: "a", instance: "1", address: "http://a", version: "1", startedAt: 1, seenAt: 2, isReady: true,
                reasons: ["x"],
                events: .init(phase: "current", lagSeconds: 1.5, position: "1-0", pending: 0),
                counters: .init(hits: 1, renders: 2, originals: 3, variants: 4),
                faults: [.init(engine: "redis", since: 1, cause: "x")])
            let position = EventPosition(generation: "1", entry: "1-0", distrustedUntil: 5)
            let fields = RedisCommand("kind", arguments: record.fields.dropFirst().map { Array($0.utf8) }).encoded
            let entry = Array("*2\r\n$3\r\n1-0\r\n".utf8) + Array(fields.readableBytesView)
            return [
                [0] + (try record.json), [0] + (try other.json), [1] + entry,
                [1] + Array("*3\r\n$1\r\n1\r\n".utf8) + entry + entry,
                [1] + Array("*1\r\n*2\r\n$1\r\ns\r\n*1\r\n".utf8) + entry,
                [2] + Array(try JSONEncoder().encode(node)), [3] + Array(try JSONEncoder().encode(position)),
                [4] + Array("failed {\"kind\":\"unavailable\",\"reason\":\"x\",\"retryAfter\":5}".utf8),
                [5] + Array("1700000000000-12".utf8),
            ]
        }
    ) { bytes in
        var input = FuzzInput(bytes)
        switch input.number(below: 6) {
        case 0: EventRecord(json: input.rest()).map(copy)
        case 1: for reply in replies(to: [input.rest()]).replies { read(reply) }
        case 2:
            guard let record = NodeRegistry.decoded(input.rest()) else { return }
            guard let again = try? JSONEncoder().encode(record) else { return }
            check(NodeRegistry.decoded(Array(again)) != nil, "a node's record is not read back")
        case 3:
            // As long as its file may be.
            guard let position = try? JSONDecoder().decode(EventPosition.self, from: Data(input.take(4096))) else {
                return
            }
            _ = position.id
        case 4:
            guard let failure = SharedFetchFailure(input.text()), let id = try? PosterID("a") else { return }
            check(SharedFetchFailure(failure.text) == failure, "a failure is not read back")
            _ = failure.error(for: id)
        default:
            guard let id = StreamID(input.text()) else { return }
            check(StreamID(id.description) == id, "an id is not read back")
        }
    }

    private static let digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

    private static func read(_ reply: RedisReply) {
        for entry in StreamEntry.list(reply) + StreamEntry.read(reply) + [StreamEntry(reply)].compactMap(\.self) {
            entry.record.map(copy)
        }
        if let head = StreamHead(reply) { _ = (head.isWhole, head.first.record, head.last.record) }
    }

    /// An event is read back as it is written.
    private static func copy(_ record: EventRecord) {
        check(EventRecord(fields: record.fields) == record, "an event is not read back: \(record)")
        guard let json = try? record.json else { return check(false, "an event is not written") }
        check(EventRecord(json: json) == record, "an event's file is not read back: \(record)")
    }
}
