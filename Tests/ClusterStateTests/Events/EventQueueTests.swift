import PosterPipeline
import PosterTesting
import Testing

@testable import ClusterState

struct EventQueueTests {
    private let folder = TemporaryFolder()

    private func queue(limit: Int = 10) throws -> EventQueue {
        try EventQueue(folder: self.folder.path + "/pending", limit: limit)
    }

    private static func record(_ key: String) throws -> EventRecord {
        EventRecord(.purged(try PosterID(key: key)), node: "a", instance: "1", moment: 5)
    }

    private static func all(_ queue: EventQueue) throws -> [String] {
        var keys: [String] = []
        while let entry = queue.next().entry {
            keys.append(entry.record.event.id.key)
            try queue.remove(entry)
        }
        return keys
    }

    @Test func eventsKeepTheirOrderOverARestart() throws {
        let queue = try self.queue()
        for key in ["a", "b"] { _ = try queue.store(try Self.record(key)) }
        queue.add(try Self.record("c"))
        try queue.storeAll()
        queue.add(try Self.record("lost"))
        _ = try queue.store(try Self.record("d"))
        let again = try self.queue()
        #expect(again.usage.count == 4)
        #expect(try Self.all(again) == ["a", "b", "c", "d"])
        #expect(self.folder.files.isEmpty && again.usage.count == 0)
        #expect(try Self.all(queue).contains("lost"))
    }

    @Test func thereIsALimit() throws {
        let queue = try self.queue(limit: 2)
        queue.add(try Self.record("a"))
        #expect(try queue.store(try Self.record("b")) != nil)
        #expect(try queue.store(try Self.record("c")) == nil, "a purge fails")
        queue.add(try Self.record("d"))
        #expect(queue.usage.count == 2 && queue.usage.dropped == 1)
        #expect(try Self.all(queue) == ["a", "b"])
    }
}
