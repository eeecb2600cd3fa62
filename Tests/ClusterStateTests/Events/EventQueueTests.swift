import FoundationEssentials
import PosterPipeline
import PosterTesting
import Testing

@testable import ClusterState

struct EventQueueTests {
    private let folder = TemporaryFolder()
    private let log = LogRecorder()

    private func queue(limit: Int = 10) throws -> EventQueue {
        try EventQueue(folder: self.folder.path + "/pending", limit: limit, logger: self.log.logger())
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

    @Test(
        "files that are no events are left out",
        arguments: [
            "18446744073709551615.event", "18446744073709551614.event", "04611686018427387904.event", "1.event",
            "-0000000000000000001.event", "+0000000000000000001.event", ".event", "00000000000000000001.event",
        ], ["", "[]", "[\"id\"]", "\u{0}\u{ff}", "{}", String(repeating: "[", count: 20_000)])
    func damaged(name: String, content: String) throws {
        let queue = try self.queue()
        for key in ["a", "b"] { _ = try queue.store(try Self.record(key)) }
        let path = self.folder.path + "/pending/" + name
        try Data(content.utf8).write(to: URL(filePath: path))
        let again = try self.queue()
        _ = try again.store(try Self.record("c"))
        let expected = name == "00000000000000000001.event" ? ["b", "c"] : ["a", "b", "c"]
        #expect(try Self.all(again) == expected)
        #expect(self.log.warnings().filter { $0.hasPrefix("Damaged records") }.count == 1)
    }

    @Test func unfinishedFilesOfAnEndedProcessAreRemovedAtAStart() throws {
        _ = try self.queue().store(try Self.record("a"))
        let folder = self.folder.path + "/pending/"
        try Data("[".utf8).write(to: URL(filePath: folder + "00000000000000000002.event.123.partial"))
        let again = try self.queue()
        #expect(self.folder.files == ["pending/00000000000000000001.event"])
        #expect(try Self.all(again) == ["a"])
        #expect(self.log.warnings().isEmpty)
    }

    @Test func theGapBetweenTwoFilesMayBeLarge() throws {
        let queue = try self.queue()
        for key in ["a", "b"] { _ = try queue.store(try Self.record(key)) }
        let folder = self.folder.path + "/pending/"
        try FileManager.default.moveItem(
            atPath: folder + "00000000000000000001.event", toPath: folder + "04611686018427387903.event")
        let again = try self.queue()
        _ = try again.store(try Self.record("c"))
        #expect(try Self.all(again).count == 3)
        #expect(self.log.warnings().isEmpty)
    }

    @Test func aFolderWithTheNameOfAnEventIsLeftOut() throws {
        let name = self.folder.path + "/pending/00000000000000000007.event"
        try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
        let queue = try self.queue()
        _ = try queue.store(try Self.record("a"))
        #expect(try Self.all(queue) == ["a"])
    }
}
