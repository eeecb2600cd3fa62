import Glibc
import PictureTesting
import PosterCodec
import PosterOrigins
import PosterPipeline
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct FullDiskTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 200, height: 300)

    @Test(
        "what a disk does not take is served from memory, with one warning",
        arguments: [ENOSPC, EDQUOT, EIO, EROFS, EMFILE])
    func refused(code: Int32) async throws {
        try await self.fixture.withStore { store in
            self.fixture.refuse(with: code)
            for key in ["heat", "ronin"] {
                let stored = try await store.put(self.picture, as: key)
                #expect(stored.isStored == false)
                #expect(try stored.array == self.picture)
                let read = try await store.get(key)
                #expect(read == nil)
            }
            let warnings = self.fixture.log.warnings()
            #expect(warnings == ["Originals cannot be stored; they are served from memory"])
            #expect(store.counters.unstored == 2)
            #expect(self.fixture.folder.files.filter { $0.contains("incoming") } == [])

            self.fixture.refuse(with: nil)
            let stored = try await store.put(self.picture)
            #expect(stored.isStored)
            #expect(store.counters.stored == 1)
        }
    }

    @Test func aDiskThatBecomesFullInTheMiddleLosesNothing() async throws {
        try await self.fixture.withStore { store in
            let draft = try await store.makeDraft(for: try DiskFixture.id("heat"), from: DiskFixture.location)
            for start in stride(from: 0, to: self.picture.count, by: 1000) {
                if start == 3000 { self.fixture.refuse(with: ENOSPC) }
                let part = self.picture[start..<min(start + 1000, self.picture.count)]
                let isKept = part.withUnsafeBytes { draft.append($0) }
                #expect(isKept)
            }
            let stored = try await draft.commit(
                validators: Validators(), freshness: DiskFixture.freshness, declaredLength: self.picture.count)
            #expect(stored.isStored == false)
            #expect(try stored.array == self.picture)
        }
    }

    @Test func aDiskThatIsFullAtTheCommitLosesNothing() async throws {
        try await self.fixture.withStore { store in
            try await store.put(TestPicture.jpeg(width: 60, height: 90))
            let draft = try await store.makeDraft(for: try DiskFixture.id("heat"), from: DiskFixture.location)
            _ = self.picture.withUnsafeBytes { draft.append($0) }
            self.fixture.refuse(with: ENOSPC)
            let stored = try await draft.commit(
                validators: Validators(), freshness: DiskFixture.freshness, declaredLength: nil)
            #expect(stored.isStored == false)
            #expect(try stored.array == self.picture)
            let read = try await store.get()
            #expect(read?.original.header.width == 60, "what was stored before is still there")
        }
    }

    @Test func whatIsHeldInMemoryIsLimited() async throws {
        var configuration = DiskOriginalStore.Configuration()
        configuration.unstoredLimit = 300 << 10
        try await self.fixture.withStore(configuration) { store in
            self.fixture.refuse(with: ENOSPC)
            var held: StoredOriginal? = try await store.put(self.picture)
            #expect(held?.isStored == false)
            let draft = try await store.makeDraft(for: try DiskFixture.id("ronin"), from: DiskFixture.location)
            let isKept = self.picture.withUnsafeBytes { draft.append($0) }
            #expect(!isKept)
            let error = await #expect(throws: PosterError.self) {
                try await draft.commit(
                    validators: Validators(), freshness: DiskFixture.freshness, declaredLength: nil)
            }
            #expect(error == .storageFailed(reason: "an original could not be stored"))
            await draft.discard()

            held = nil
            let again = try await store.put(self.picture, as: "ronin")
            #expect(try again.array == self.picture, "what nobody holds any more counts no more")
        }
    }

    @Test func aRefusalThatComesAndGoesIsNotLoggedEachTime() async throws {
        try await self.fixture.withStore { store in
            for _ in 0..<3 {
                self.fixture.refuse(with: ENOSPC)
                try await store.put(self.picture)
                self.fixture.refuse(with: nil)
                try await store.put(self.picture)
            }
            #expect(self.fixture.log.warnings().count == 2, "its beginning and its end")
            self.fixture.advance(by: 60)
            self.fixture.refuse(with: ENOSPC)
            try await store.put(self.picture)
            #expect(self.fixture.log.warnings().count == 3)
        }
    }

    @Test(.enabled(if: TemporaryFileSystem.isPossible, "only root mounts a file system"))
    func aFileSystemThatIsReallyFullIsSurvived() async throws {
        let fileSystem = try TemporaryFileSystem(kibibytes: 1024)
        let fixture = DiskFixture(path: fileSystem.path)
        try await fixture.withStore { store in
            var kept = 0
            for number in 0..<60 {
                let stored = try await store.put(self.picture, as: "film-\(number)")
                #expect(try stored.array == self.picture)
                if stored.isStored { kept += 1 }
            }
            #expect(kept > 0)
            #expect(kept < 60)
            #expect(store.counters.unstored == 60 - kept)
            for number in 0..<60 {
                let read = try await store.get("film-\(number)")
                #expect(try read.map { try $0.array == self.picture } ?? true)
            }
        }
        // A full disk does not prevent another start.
        try await fixture.withStore { store in
            let read = try await store.get("film-0")
            #expect(try read?.array == self.picture)
        }
    }
}
