import PosterPipeline
import Testing

@testable import ClusterState

struct EventRecordTests {
    private static func record(_ event: OriginalEvent) -> EventRecord {
        EventRecord(event, node: "a:8080", instance: "1f", moment: 1_700_000_000)
    }

    private static let records: [EventRecord] = {
        guard let id = try? PosterID("url:https://a.test/ü?x=\"1\""), let film = try? PosterID(key: "heat") else {
            return []
        }
        let (old, new) = (Digest(of: "old"), Digest(of: "new"))
        return [.purged(id), .replaced(film, old: old, new: new), .withdrawn(film, old)].map(Self.record)
    }()

    @Test(arguments: Self.records)
    func anEventIsReadAsItWasWritten(_ record: EventRecord) throws {
        #expect(EventRecord(fields: record.fields) == record)
        #expect(EventRecord(json: try record.json) == record)
    }

    @Test func anEventOfALaterVersionCountsAsAPurge() throws {
        let id = try PosterID(key: "heat")
        var fields = Self.record(.purged(id)).fields
        fields[1] = "renamed"
        #expect(EventRecord(fields: fields + ["more", "x"]) == Self.record(.purged(id)))
        let longName = String(repeating: "\u{301}\u{316}", count: 4000)
        #expect(EventRecord(fields: fields + [longName, "x"]) == Self.record(.purged(id)))
        fields[1] = "replaced"
        #expect(EventRecord(fields: fields) == Self.record(.purged(id)), "without its digests")
    }

    @Test(arguments: [[], ["kind"], ["kind", "created"], ["id", "films:", "node", "a", "instance", "b", "at", "1"]])
    func whatIsNoEventIsNone(_ fields: [String]) {
        #expect(EventRecord(fields: fields) == nil)
    }

    @Test func idsOfEntriesAreOrderedByTheirNumbers() throws {
        let ids = ["9-1", "10-0", "10-2", "10-10"].compactMap(StreamID.init)
        #expect(ids.count == 4 && ids == ids.sorted() && ids.map(\.description) == ["9-1", "10-0", "10-2", "10-10"])
        #expect(StreamID("10") == nil && StreamID("a-b") == nil && StreamID("1-2-3") == nil)
    }
}
