import FoundationEssentials
import Glibc
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

/// Changed files, and disks with errors.
@Suite(.timeLimit(.hang))
struct VariantDamageTests {
    private let fixture = VariantFixture()

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout [UInt8]) -> Void
    }

    static let damages: [Damage] =
        [0, 8, 9, 11, 13, 14, 300, 400].map { place in Damage(testDescription: "bit \(place)") { $0[place] ^= 4 } } + [
            Damage(testDescription: "a bit of the picture") { $0[$0.count - 500] ^= 1 },
            Damage(testDescription: "a bit of the digest") { $0[$0.count - 1] ^= 1 },
            Damage(testDescription: "nothing in it") { $0 = [] },
            Damage(testDescription: "its last byte missing") { $0.removeLast() },
            Damage(testDescription: "half of it missing") { $0.removeLast($0.count / 2) },
            Damage(testDescription: "zeros to its end, as after a power failure") { bytes in
                for index in 512..<bytes.count { bytes[index] = 0 }
            },
            Damage(testDescription: "a byte too many") { $0.append(0) },
            Damage(testDescription: "a long text") { $0[10...13] = [255, 255, 255, 255] },
            Damage(testDescription: "zeros only") { $0 = [UInt8](repeating: 0, count: $0.count) },
        ]

    @Test("a damaged file is never served, and goes", arguments: damages)
    func damaged(damage: Damage) async throws {
        let variant = try TestVariant()
        try await self.fixture.withStore { $0.store(variant) }
        try self.fixture.disk.edit(try #require(self.fixture.files.first), damage.change)
        try await self.fixture.withStore { store in
            let isOutdated = damage.testDescription == "bit 8" || damage.testDescription == "bit 9"
            let report = try await store.verify(repairing: false)
            #expect(report.damaged + report.outdated == 1 && report.sound == 0 && self.fixture.files.count == 1)
            #expect(await store.poster(for: variant.key) == nil)
            try await store.settle()
            #expect(self.fixture.files == [] && store.counters.count == 0)
            #expect(store.counters.damaged == (isOutdated ? 0 : 1))
            store.store(variant)
            try await store.settle()
            #expect(await store.has(variant), "it is stored again")
        }
    }

    @Test func aFileOfAnotherVariantUnderThisOnesNameIsNotServed() async throws {
        let (variant, other) = (try TestVariant(), try TestVariant("mine:ronin"))
        try await self.fixture.withStore { store in
            store.store(variant)
            try await store.settle()
        }
        let path = try #require(self.fixture.files.first)
        try await self.fixture.withStore { $0.store(other) }
        let otherPath = try #require(self.fixture.files.first { $0 != path })
        try Data(contentsOf: URL(filePath: otherPath)).write(to: URL(filePath: path))
        try await self.fixture.withStore { store in
            let report = try await store.verify(repairing: false)
            #expect(report.damaged == 1 && report.sound == 1)
            #expect(await store.poster(for: variant.key) == nil)
            #expect(await store.has(other))
        }
    }

    @Test func aVariantWithTheFingerprintOfAnotherIsNotServedInItsPlaceAndReplacesIt() async throws {
        let variant = try TestVariant()
        try await self.fixture.withStore { $0.store(variant) }
        let path = try #require(self.fixture.files.first)
        var header = VariantFileHeader(variant.poster, for: variant.key, cpuNanoseconds: 30_000_000, encoding: .first)
        header.name = String(header.name.reversed())
        let descriptor = open(path, O_WRONLY | O_TRUNC)
        try VariantFile.write(
            head: try VariantFile.head(header), variant.poster.bytes, to: descriptor, path: path, calls: .system)
        close(descriptor)
        try await self.fixture.withStore { store in
            #expect(await store.poster(for: variant.key) == nil)
            #expect(store.counters.damaged == 0)
            store.store(variant)
            try await store.settle()
            #expect(await store.has(variant))
            #expect(self.fixture.files.count == 1 && store.counters.count == 1)
        }
    }

    @Test func aFolderThatCannotBeListedIsAnErrorAtTheStart() async throws {
        try await self.fixture.withStore { _ in }
        let path = self.fixture.folder + "/3f"
        try Data([1]).write(to: URL(filePath: path))
        do {
            try await self.fixture.withStore { _ in }
            Issue.record("no error")
        } catch let error as DataDirectory.Failure {
            #expect(error.description.contains("cannot list \(path): Not a directory;"), "\(error)")
        }
        try FileManager.default.removeItem(atPath: path)
        try await self.fixture.withStore { _ in }
    }

    @Test func aFolderThatCannotBeListedLaterIsNotTakenForEmpty() async throws {
        let (variant, other) = (try TestVariant(), try TestVariant(width: 41))
        try await self.fixture.withStore { $0.store(variant) }
        let path = try #require(self.fixture.files.first)
        let folder = String(path.prefix(upTo: try #require(path.lastIndex(of: "/"))))
        try await self.fixture.withStore { store in
            try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
            try Data([1]).write(to: URL(filePath: folder))
            #expect(await store.poster(for: variant.key) == nil)
            store.store(variant)
            try await store.settle()
            #expect(store.mayContain(variant.key), "nothing is known of it")
            #expect(store.counters.writes == 0 && store.counters.failures >= 2 && store.counters.count == 0)
            let warning = "Stored variants cannot be read; they are rendered again"
            #expect(self.fixture.disk.log.warnings().contains(warning))
            store.store(other)
            try await store.settle()
            #expect(await store.has(other), "other folders are used")
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
            #expect(await store.has(variant))
            #expect(store.counters.count == 2 && store.counters.bytes == self.fixture.space)
        }
    }

    @Test func aFileThatIsGoneIsForgotten() async throws {
        let variant = try TestVariant()
        try await self.fixture.withStore { store in
            store.store(variant)
            try await store.settle()
            try FileManager.default.removeItem(atPath: try #require(self.fixture.files.first))
            #expect(await store.poster(for: variant.key) == nil)
            try await store.settle()
            #expect(!store.mayContain(variant.key) && store.counters.damaged == 0 && store.counters.bytes == 0)
        }
    }

    @Test(
        "what a disk does not take is in memory only, with one warning",
        arguments: [ENOSPC, EDQUOT, EIO, EROFS, EMFILE], ["create", "write"])
    func refused(code: Int32, action: String) async throws {
        try await self.fixture.withStore { store in
            self.fixture.disk.refuse(with: code, to: action)
            for width in [40, 41] {
                store.store(try TestVariant(width: width))
                try await store.settle()
            }
            let counters = store.counters
            #expect(counters.failures == 2 && counters.count == 0 && counters.bytes == 0 && counters.writes == 0)
            #expect(self.fixture.files == [] && self.fixture.incoming == [])
            #expect(self.fixture.disk.log.warnings() == ["Variants cannot be stored; they are in memory only"])
            self.fixture.disk.refuse(with: nil)
            let variant = try TestVariant()
            store.store(variant)
            try await store.settle()
            #expect(await store.has(variant))
            #expect(store.counters.writes == 1)
        }
    }

    @Test(.enabled(if: TemporaryFileSystem.isPossible, "only root mounts a file system"))
    func aFileSystemThatIsReallyFullIsSurvived() async throws {
        let fileSystem = try TemporaryFileSystem(kibibytes: 512)
        let fixture = VariantFixture(DiskFixture(path: fileSystem.path))
        let variants = try (0..<60).map { try TestVariant("mine:film-\($0)", byteCount: 20_000) }
        try await fixture.withStore { store in
            for variant in variants {
                store.store(variant)
                try await store.settle()
            }
            let counters = store.counters
            #expect(counters.writes > 0 && counters.failures > 0 && counters.writes + counters.failures == 60)
            #expect(counters.count == counters.writes && fixture.incoming == [])
        }
        try await fixture.withStore { store in
            var found = 0
            for variant in variants {
                if await store.poster(for: variant.key) != nil {
                    found += 1
                    #expect(await store.has(variant))
                }
            }
            #expect(found > 0 && store.counters.damaged == 0)
            let report = try await store.verify(repairing: false)
            #expect(report.isFlawless && report.sound == found)
        }
    }

    @Test func nothingIsWrittenWhileFilesCannotBeDeletedToMakeRoom() async throws {
        let (variant, other) = (try TestVariant(), try TestVariant("mine:ronin"))
        try await self.fixture.withStore { store in
            store.store(variant)
            try await store.settle()
            let path = try #require(self.fixture.files.first)
            try FileManager.default.removeItem(atPath: path)
            // A folder in the file's place cannot be removed as a file.
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            await store.removeAll(of: variant.key.id)
            store.store(other)
            try await store.settle()
            #expect(store.counters.writes == 1 && store.counters.failures >= 2 && store.counters.count == 0)
            try FileManager.default.removeItem(atPath: path)
            store.store(other)
            try await store.settle()
            #expect(await store.has(other))
        }
    }

    @Test func aCheckRepairsWhatItFinds() async throws {
        let variants = try (40..<50).map { try TestVariant("mine:film-\($0)", width: $0) }
        try await self.fixture.withStore { store in for variant in variants { store.store(variant) } }
        try self.fixture.disk.edit(self.fixture.files[3]) { $0[$0.count - 40] ^= 1 }
        try Data([1]).write(to: URL(filePath: self.fixture.folder + "/incoming/0123-1"))
        try await self.fixture.withStore { store in
            let found = try await store.verify(repairing: false)
            #expect(found.checked == 10 && found.sound == 9 && found.damaged == 1 && found.leftovers == 1)
            #expect(found.reasons.first?.hasSuffix("the bytes do not match the digest") == true && !found.isFlawless)
            #expect(self.fixture.files.count == 10)
            let repaired = try await store.verify()
            #expect(repaired.damaged == 1 && self.fixture.files.count == 9 && self.fixture.incoming == [])
            let after = try await store.verify()
            #expect(after.isFlawless && after.sound == 9 && after.bytes == self.fixture.space)
        }
    }
}
