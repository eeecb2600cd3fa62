import FoundationEssentials
import Glibc
import PictureTesting
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

@Suite(.timeLimit(.hang))
struct DiskMaintenanceTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 60, height: 90)

    private var space: Int { Int(OriginalRow.space(ofLength: Int64(self.picture.count))) }

    private func budget(_ count: Int) -> DiskOriginalStore.Configuration {
        var configuration = DiskOriginalStore.Configuration()
        configuration.byteBudget = count * self.space
        return configuration
    }

    private func stored(_ range: Range<Int>, in store: DiskOriginalStore) async throws -> [Int] {
        var stored: [Int] = []
        for number in range where try await store.get("film-\(number)") != nil { stored.append(number) }
        return stored
    }

    @Test func theLeastRecentlyUsedOriginalIsEvicted() async throws {
        try await self.fixture.withStore(self.budget(20)) { store in
            for number in 0..<20 { try await store.put(self.picture, as: "film-\(number)") }
            try await store.evict()
            #expect(store.counters.evicted == 0)
            for number in [3, 0] { _ = try await store.get("film-\(number)") }
            try await store.put(self.picture, as: "film-20")
            try await store.evict()
            // Evicts down to 95 %: 19 of 20.
            let counters = store.counters
            #expect(counters.evicted == 2)
            #expect(counters.evictedBytes == Int64(2 * self.space))
            #expect(counters.bytes == Int64(19 * self.space))
            let left = try await self.stored(0..<21, in: store)
            #expect(left == [0, 3] + Array(4..<21))
        }
    }

    @Test func lastUsesOutliveARestartAndAClockThatIsSetBack() async throws {
        try await self.fixture.withStore(self.budget(20)) { store in
            for number in 0..<20 { try await store.put(self.picture, as: "film-\(number)") }
            _ = try await store.get("film-0")
        }
        self.fixture.advance(by: -1_000_000)
        try await self.fixture.withStore(self.budget(20)) { store in
            _ = try await store.get("film-1")
            try await store.put(self.picture, as: "film-20")
            try await store.evict()
            let left = try await self.stored(0..<21, in: store)
            #expect(left == [0, 1] + Array(4..<21))
        }
    }

    @Test func bytesThatAreHeldOutliveTheirFile() async throws {
        try await self.fixture.withStore(self.budget(0)) { store in
            try await store.put(self.picture)
            let held = try await store.get()
            try await store.evict()
            #expect(self.fixture.files.isEmpty)
            #expect(try held?.array == self.picture)
        }
    }

    @Test func aSweepRepairsWhatACrashLeft() async throws {
        try await self.fixture.withStore { store in
            for key in ["heat", "ronin", "thief"] { try await store.put(self.picture, as: key) }
        }
        let manager = FileManager.default
        let path = { (key: String) throws in "\(self.fixture.originals)/\(try DiskFixture.path(of: key))" }
        // Stopped before the row was deleted.
        try manager.removeItem(atPath: path("heat"))
        // Stopped while it arrived.
        try Data([1, 2, 3]).write(to: URL(filePath: self.fixture.originals + "/incoming/0123-1"))
        // Stopped between the file's name and its row: the row is the previous file's.
        let newer = TestPicture.jpeg(width: 600, height: 90)
        let aside = self.fixture.folder.path + "/aside"
        try await self.fixture.withStore { store in
            try manager.copyItem(atPath: self.fixture.index, toPath: aside)
            try await store.put(newer, as: "ronin")
            try await store.put(newer, as: "collateral")
        }
        try self.fixture.removeIndex()
        try manager.moveItem(atPath: aside, toPath: self.fixture.index)
        // Without an entry in the index.
        let stranger = try path("stranger")
        try manager.createDirectory(
            atPath: String(stranger[..<stranger.lastIndex(of: "/")!]), withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: URL(filePath: stranger))

        try await self.fixture.withStore { store in
            try await store.sweep()
            let left = try ["ronin", "thief", "collateral"].map(path).sorted()
            #expect(self.fixture.files == left)
            #expect(self.fixture.folder.files.filter { $0.contains("incoming") } == [])
            var counters = store.counters
            #expect(counters.count == 3)
            #expect(counters.damaged == 1)
            #expect(counters.adopted == 1)
            let ronin = try await store.get("ronin")
            #expect(try ronin?.array == newer)
            counters = store.counters
            #expect(counters.adopted == 2, "a row of another file is noticed when the file is read")
        }
    }

    @Test func whatIsArrivingIsNotSweptAway() async throws {
        try await self.fixture.withStore { store in
            let draft = try await store.makeDraft(for: try DiskFixture.id("heat"), from: DiskFixture.location)
            _ = self.picture.withUnsafeBytes { draft.append($0) }
            try await store.sweep()
            let stored = try await draft.commit(
                validators: Validators(), freshness: DiskFixture.freshness, declaredLength: nil)
            #expect(stored.isStored)
        }
    }

    @Test func upkeepAndRequestsDoNotGetIntoEachOthersWay() async throws {
        try await self.fixture.withStore(self.budget(10)) { store in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        for round in 0..<25 {
                            let bytes = TestPicture.jpeg(width: 60 + round, height: 90, seed: UInt64(worker))
                            let stored = try await store.commit(bytes, as: "film-\((worker + round) % 12)")
                            #expect(try stored.array == bytes)
                            // It may be evicted already, or another worker's, but is always a whole picture.
                            let read = try await store.get("film-\(round % 12)")
                            #expect(read?.original.bytes.count != 0)
                        }
                    }
                }
                group.addTask { for _ in 0..<10 { try await store.sweep() } }
                group.addTask { for _ in 0..<40 { try await store.evict() } }
                group.addTask { for _ in 0..<5 { _ = try await store.verify() } }
                try await group.waitForAll()
            }
            try await store.settle()
            #expect(store.counters.damaged == 0)
            let report = try await store.verify()
            #expect(report.isFlawless)
            #expect(report.bytes == store.counters.bytes)
            #expect(report.sound == self.fixture.files.count)
        }
        #expect(self.fixture.log.warnings() == [])
    }

    @Test func upkeepRunsAtOnceAndWhenThereIsTooMuch() async throws {
        let opened = try self.fixture.open(self.budget(4))
        try Data([1]).write(to: URL(filePath: self.fixture.originals + "/incoming/0123-1"))
        let running = Task { try await opened.store.run() }
        try await eventually { self.fixture.folder.files.filter({ $0.contains("incoming") }).isEmpty }
        for number in 0..<6 { try await opened.store.put(self.picture, as: "film-\(number)") }
        try await eventually { opened.store.counters.bytes <= 4 * self.space }
        running.cancel()
        try await running.value
        #expect(opened.store.counters.evicted > 0)
        await opened.store.close()
    }

    @Test(
        "upkeep notices without requests that the disk takes originals again",
        arguments: ["create", "write", "synchronise"])
    func probe(action: String) async throws {
        let opened = try self.fixture.open()
        self.fixture.refuse(with: EMFILE, to: action)
        try await opened.store.put(self.picture)
        try await opened.store.settle()
        opened.store.fileStore.probeDisk()
        #expect(!opened.store.isWritable && self.fixture.incoming == [])
        self.fixture.refuse(with: nil)
        // The first round starts at once.
        let running = Task { try await opened.store.run() }
        try await eventually { opened.store.isWritable }
        #expect(self.fixture.incoming == [])
        running.cancel()
        try await running.value
        await opened.store.close()
    }
}
