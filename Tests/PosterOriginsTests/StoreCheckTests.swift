import FoundationEssentials
import PictureTesting
import PosterOrigins
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@Suite(.timeLimit(.hang))
struct StoreCheckTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 60, height: 90)

    /// Stores twelve originals, and leaves one file each that is damaged, missing, unknown and half written.
    private func damage() async throws {
        try await self.fixture.withStore { store in
            for number in 0..<12 { try await store.put(self.picture, as: "film-\(number)") }
        }
        let path = { (key: String) throws in "\(self.fixture.originals)/\(try DiskFixture.path(of: key))" }
        try self.fixture.edit(path("film-3")) { $0[5000] ^= 1 }
        try FileManager.default.removeItem(atPath: path("film-4"))
        try Data([1]).write(to: URL(filePath: self.fixture.originals + "/incoming/0123-1"))
        try await self.fixture.withStore { store in
            let aside = self.fixture.folder.path + "/aside"
            try FileManager.default.copyItem(atPath: path("film-5"), toPath: aside)
            _ = try await store.purge(try DiskFixture.id("film-5"))
            try FileManager.default.moveItem(atPath: aside, toPath: path("film-5"))
        }
    }

    @Test func findsAndRepairsEverything() async throws {
        try await self.damage()
        let steps = Mutex<[StoreCheck.Progress]>([])
        try await self.fixture.withStore { store in
            let report = try await store.verify { step in steps.withLock { $0.append(step) } }
            #expect(report.checked == 11)
            #expect(report.sound == 10)
            #expect(report.damaged == 1)
            #expect(report.reasons.count == 1)
            #expect(report.reasons.first?.hasSuffix("the bytes do not match the digest") == true)
            #expect(report.unknown == 1)
            #expect(report.missing == 1)
            #expect(report.leftovers == 1)
            #expect(!report.isFlawless)
            let seen = steps.withLock { $0 }
            #expect(seen.map(\.checked) == Array(1...11))
            #expect(seen.allSatisfy { $0.total == 11 })
            #expect(report.bytes == store.counters.bytes)
            #expect(store.counters.count == 10)

            let second = try await store.verify()
            #expect(second.isFlawless)
            #expect(second.sound == 10)
        }
    }

    @Test func onlyLooksWhenItIsNotToRepair() async throws {
        try await self.damage()
        try await self.fixture.withStore { store in
            let files = self.fixture.folder.files.filter { !$0.contains("index") }
            let report = try await store.verify(repairing: false)
            #expect(!report.isFlawless)
            let again = try await store.verify(repairing: false)
            #expect(again == report)
            #expect(self.fixture.folder.files.filter { !$0.contains("index") } == files)
        }
    }

    @Test func endsWhenItIsCancelled() async throws {
        try await self.damage()
        try await self.fixture.withStore { store in
            let check = Task { try await store.verify { _ in withUnsafeCurrentTask { $0?.cancel() } } }
            await #expect(throws: CancellationError.self) { try await check.value }
        }
    }
}
