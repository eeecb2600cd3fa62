import FoundationEssentials
import Glibc
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

@Suite(.timeLimit(.hang))
struct DiskVariantStoreTests {
    private let fixture = VariantFixture()

    @Test func keepsTheContractAlsoWhenVariantsAreOnDisk() async throws {
        try await self.fixture.withStore { store in
            let broken = try await checkContract(of: store)
            #expect(broken == [])
        }
        try await VariantFixture().withStore { store in
            store.prepare()
            try await store.settle()
            let broken = try await checkContract(of: SettlingVariantStore(store: store))
            #expect(broken == [])
        }
    }

    @Test func aStoredVariantIsThereAfterAStartBeforeFoldersAreListed() async throws {
        let variant = try TestVariant()
        // An absent variant in the same folder: all other folders are listed in the background.
        var other = variant
        var number = 0
        repeat {
            number += 1
            other = try TestVariant("mine:film\(number)")
        } while VariantID(other.key).folder != VariantID(variant.key).folder
        let absent = other.key
        try await self.fixture.withStore { $0.store(variant, encoding: .refined) }
        #expect(self.fixture.files.count == 1 && self.fixture.incoming == [])
        try await self.fixture.withStore { store in
            #expect(store.mayContain(variant.key) && store.mayContain(absent), "nothing was listed")
            #expect(await store.has(variant))
            #expect(await store.poster(for: variant.key)?.encoding == .refined)
            #expect(!store.mayContain(absent), "its folder is listed")
            #expect(store.counters.count == 1 && store.counters.bytes == self.fixture.space)
        }
    }

    @Test func whatWaitsToBeWrittenIsServedFromMemory() async throws {
        let variant = try TestVariant()
        try await self.fixture.withStore { store in
            let hold = self.fixture.disk.holdCreation()
            store.store(variant)
            #expect(await store.has(variant))
            #expect(store.counters.pending == 1 && self.fixture.files == [])
            try await hold.arrivals.reached(1)
            hold.release()
            try await store.settle()
            #expect(store.counters.pending == 0 && store.counters.writes == 1)
            #expect(await store.has(variant))
        }
    }

    @Test func moreThanTheQueueTakesIsRefused() async throws {
        var configuration = DiskVariantStore.Configuration()
        configuration.queueLimit = 3
        try await self.fixture.withStore(configuration) { store in
            let hold = self.fixture.disk.holdCreation()
            for width in 40..<46 { store.store(try TestVariant(width: width)) }
            #expect(store.counters.refusals == 3 && store.counters.pending == 3)
            hold.release()
            try await store.settle()
            #expect(self.fixture.files.count == 3)
        }
        configuration.queueByteLimit = 5000
        try await VariantFixture().withStore(configuration) { store in
            store.store(try TestVariant(byteCount: 6000))
            #expect(store.counters.refusals == 1)
        }
    }

    @Test func aPurgeDuringTheWriteLeavesNoFile() async throws {
        let (variant, other) = (try TestVariant(), try TestVariant("mine:ronin"))
        try await self.fixture.withStore { store in
            let hold = self.fixture.disk.holdCreation()
            store.store(variant)
            store.store(other)
            try await hold.arrivals.reached(1)
            let purge = Task { await store.removeAll(of: variant.key.id) }
            try await eventually { await store.poster(for: variant.key) == nil }
            hold.release()
            await purge.value
            try await store.settle()
            #expect(self.fixture.files.count == 1)
            #expect(await store.has(other))
        }
        try await self.fixture.withStore { #expect(await $0.poster(for: variant.key) == nil) }
    }

    @Test func aPurgedVariantIsGoneFromTheDiskWhenThePurgeReturnsAlsoRightAfterAStart() async throws {
        let variant = try TestVariant()
        try await self.fixture.withStore { $0.store(variant) }
        try await self.fixture.withStore { store in
            await store.removeAll(of: variant.key.id)
            #expect(self.fixture.files == [])
            #expect(await store.poster(for: variant.key) == nil)
        }
    }

    @Test func leftoversAndFilesOfOtherVersionsGoAndForeignFilesStay() async throws {
        try await self.fixture.withStore { $0.store(try TestVariant()) }
        let file = try #require(self.fixture.files.first)
        let folder = file.prefix(through: try #require(file.lastIndex(of: "/")))
        let name = try #require(VariantFileName(String(file.dropFirst(folder.count))))
        let parts = name.text.split(separator: "-")
        let old = (parts[..<4] + ["00000001"] + parts[5...]).joined(separator: "-")
        try FileManager.default.moveItem(atPath: file, toPath: folder + old)
        for path in ["incoming/0123-1", "notes.txt", "\(folder.dropFirst(self.fixture.folder.count + 1))x.variant"] {
            try Data([1]).write(to: URL(filePath: self.fixture.folder + "/" + path))
        }
        try await self.fixture.withStore { store in
            store.prepare()
            try await store.settle()
            #expect(self.fixture.files == [] && self.fixture.incoming == [])
            #expect(FileManager.default.fileExists(atPath: self.fixture.folder + "/notes.txt"))
            #expect(store.counters.count == 0 && store.counters.bytes == 0)
        }
    }

    @Test func aFileOfAnotherCodecUnderACurrentNameIsNotServed() async throws {
        let variant = try TestVariant()
        try await self.fixture.withStore { $0.store(variant) }
        let path = try #require(self.fixture.files.first)
        var header = VariantFileHeader(variant.poster, for: variant.key, cpuNanoseconds: 30_000_000, encoding: .first)
        header.codec = String(header.codec.reversed())
        let descriptor = open(path, O_WRONLY | O_TRUNC)
        try VariantFile.write(
            head: try VariantFile.head(header), variant.poster.bytes, to: descriptor, path: path, calls: .system)
        close(descriptor)
        try await self.fixture.withStore { store in
            #expect(await store.poster(for: variant.key) == nil)
            try await store.settle()
            #expect(self.fixture.files == [] && store.counters.damaged == 0)
        }
    }

    @Test func withoutABudgetNothingIsStoredAndWhatThereWasGoes() async throws {
        let variant = try TestVariant()
        try await self.fixture.withStore { $0.store(variant) }
        try await self.fixture.withStore(.init(byteBudget: 0)) { store in
            #expect(!store.mayContain(variant.key))
            store.prepare()
            store.store(variant)
            try await store.settle()
            #expect(self.fixture.files == [])
        }
    }

    @Test func manyStoresReadsAndPurgesAtOnceLeaveFilesAndIndexInAgreement() async throws {
        try await self.fixture.withStore(.init(byteBudget: 40 << 12)) { store in
            await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for step in 0..<60 {
                            let variant = try TestVariant("mine:film-\(step % 7)", width: 40 + (task + step) % 10)
                            switch (task + step) % 4 {
                            case 0: _ = await store.poster(for: variant.key)
                            case 1 where step % 5 == 0: await store.removeAll(of: variant.key.id)
                            case 2 where step % 9 == 0:
                                store.removeAll(of: variant.key.id, digest: variant.key.digest)
                            default: store.store(variant, milliseconds: UInt64(21 + step))
                            }
                        }
                    }
                }
            }
            try await store.settle()
            #expect(self.fixture.files.count == store.counters.count)
            #expect(self.fixture.space == store.counters.bytes && self.fixture.space <= 40 << 12)
            #expect(store.counters.failures == 0 && store.counters.damaged == 0)
            let report = try await store.verify(repairing: false)
            #expect(report.isFlawless && report.sound == store.counters.count)
        }
    }
}

/// A store that completes all writes before each read.
private struct SettlingVariantStore: VariantStore {
    let store: DiskVariantStore

    func mayContain(_ key: VariantKey) -> Bool { self.store.mayContain(key) }

    func poster(for key: VariantKey) async -> StoredVariant? {
        do { try await self.store.settle() } catch { return nil }
        return await self.store.poster(for: key)
    }

    func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        self.store.store(poster, for: key, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
    }

    func removeAll(of id: PosterID) async { await self.store.removeAll(of: id) }
    func removeAll(of id: PosterID, digest: Digest) { self.store.removeAll(of: id, digest: digest) }
    func removeAll(of sources: Set<String>) { self.store.removeAll(of: sources) }
    func removeAllHere() async { await self.store.removeAllHere() }
}
