import FoundationEssentials
import Glibc
import PictureTesting
import PosterOrigins
import PosterPipeline
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct DiskOriginalStoreTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 200, height: 300)

    @Test func keepsTheStoresPromises() async throws {
        let broken = try await self.fixture.withStore { try await checkContract(of: $0) }
        #expect(broken == [])
    }

    @Test func aFakeKeepsThemToo() async throws {
        let broken = try await checkContract(of: MemoryOriginalStore())
        #expect(broken == [])
    }

    @Test func whatWasStoredIsThereAfterARestart() async throws {
        try await self.fixture.withStore { _ = try await $0.put(self.picture) }
        let read = try await self.fixture.withStore { try await $0.get() }
        #expect(try read?.array == self.picture)
        #expect(read?.freshness == DiskFixture.freshness)
        #expect(read?.validators.etag == "\"v1\"")
    }

    @Test func aLargeOriginalIsReadBack() async throws {
        let large = TestPicture.jpeg(width: 4000, height: 4400)
        try #require(large.count > 4 << 20)
        try await self.fixture.withStore { _ = try await $0.put(large) }
        let read = try await self.fixture.withStore { try await $0.get() }
        #expect(try read?.array == large)
    }

    @Test func a304MovesFreshnessAndNothingElse() async throws {
        let later = Freshness(validatedAt: 1_700_000_000, lifetime: 5000)
        let before = try await self.fixture.withStore { store in
            let stored = try await store.put(self.picture)
            let file = try Data(contentsOf: URL(filePath: try #require(self.fixture.files.first)))
            await store.refresh(
                try DiskFixture.id("heat"), digest: stored.original.digest, validators: Validators(etag: "\"v2\""),
                freshness: later)
            return file
        }
        let read = try await self.fixture.withStore { try await $0.get() }
        #expect(read?.freshness == later)
        #expect(read?.validators == Validators(etag: "\"v2\""))
        let after = try Data(contentsOf: URL(filePath: try #require(self.fixture.files.first)))
        #expect(after == before)
    }

    @Test func eachFileBeginsWithACompleteHeader() async throws {
        try await self.fixture.withStore { _ = try await $0.put(self.picture) }
        let file = try [UInt8](Data(contentsOf: URL(filePath: try #require(self.fixture.files.first))))
        #expect(file.count == 4096 + self.picture.count)
        #expect(file.starts(with: Array("ONESHEET".utf8) + [1, 0]))
        let text = String(decoding: file[14..<4064].prefix { $0 != 0 }, as: UTF8.self)
        for part in [
            "\"mine:heat\"", "http://a.test/heat.jpg", "\\\"v1\\\"", "04 Mar 1922", "1700000000", "\"lifetime\":60",
            "\"JPEG\"", "\"width\":200",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test(
        "a file that was torn or changed is dropped, never served",
        arguments: [
            "shorter by one byte", "longer by one byte", "a byte of the picture changed",
            "a byte of the header changed", "empty", "another version", "only the header",
        ])
    func damaged(how: String) async throws {
        try await self.fixture.withStore { _ = try await $0.put(self.picture) }
        let path = try #require(self.fixture.files.first)
        try self.fixture.edit(path) { file in
            switch how {
            case "shorter by one byte": file.removeLast()
            case "longer by one byte": file.append(0)
            case "a byte of the picture changed": file[4096 + self.picture.count / 2] ^= 1
            case "a byte of the header changed": file[20] ^= 1
            case "empty": file = []
            case "another version": file[8] = 2
            default: file = Array(file.prefix(4096))
            }
        }
        try await self.fixture.withStore { store in
            let read = try await store.get()
            #expect(read == nil)
            #expect(self.fixture.files.isEmpty)
            let counters = store.counters
            #expect(counters.damaged == 1)
            #expect(counters.count == 0)
            #expect(counters.bytes == 0)
            try await store.put(self.picture)
            let again = try await store.get()
            #expect(again != nil, "and can be stored again")
        }
    }

    @Test func aFileThatIsChangedWhileItIsUsedIsCheckedAgain() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            let first = try await store.get()
            let path = try #require(self.fixture.files.first)
            try self.fixture.edit(path) { $0[4096 + self.picture.count / 2] ^= 1 }
            let second = try await store.get()
            #expect(second == nil)
            #expect(throws: OriginalBytes.Unreadable()) { try first?.array }
        }
    }

    @Test func aFileOfAnotherIdIsNotServed() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            let path = try #require(self.fixture.files.first)
            let target = "\(self.fixture.originals)/\(try DiskFixture.path(of: "ronin"))"
            let folder = String(target[..<target.lastIndex(of: "/")!])
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: path, toPath: target)
            let read = try await store.get("ronin")
            #expect(read == nil)
            #expect(self.fixture.files == [path])
        }
    }

    @Test func filesOfBeforeThereWasAnIndexAreReadAndAdopted() async throws {
        try await self.fixture.withStore { _ = try await $0.put(self.picture) }
        let path = try #require(self.fixture.files.first)
        // A header in the older format.
        let text = """
            {"digest":"\(Digest(hexadecimal: self.digest(of: self.picture))!)","etag":"\\"old\\"","fetchedAt":1600000000,\
            "id":"mine:heat","length":\(self.picture.count),"location":"http://a.test/heat.jpg"}
            """
        try self.fixture.edit(path) { file in
            var head =
                Array("ONESHEET".utf8) + [1, 0] + [UInt8(text.utf8.count & 255), UInt8(text.utf8.count >> 8), 0, 0]
            head += Array(text.utf8)
            head += [UInt8](repeating: 0, count: 4064 - head.count)
            head += head.withUnsafeBytes { Digest(of: $0).bytes }
            file.replaceSubrange(..<4096, with: head)
        }
        try self.fixture.removeIndex()
        try await self.fixture.withStore { store in
            let read = try await store.get()
            #expect(try read?.array == self.picture)
            #expect(read?.validators.etag == "\"old\"")
            #expect(read?.freshness == Freshness(validatedAt: 1_600_000_000, lifetime: 0))
            let counters = store.counters
            #expect(counters.adopted == 1)
            #expect(counters.count == 1)
        }
    }

    @Test func aClockThatWasSetBackNeitherExpiresNorKeepsForEver() async throws {
        try await self.fixture.withStore { _ = try await $0.put(self.picture) }
        self.fixture.advance(by: -1_000_000)
        try await self.fixture.withStore { store in
            let read = try await store.get()
            #expect(read?.freshness == Freshness(validatedAt: 1_699_000_000, lifetime: 60))
        }
        // The corrected date was recorded on use, so the lifetime counts from it.
        self.fixture.advance(by: 61)
        try await self.fixture.withStore { store in
            let read = try await store.get()
            #expect(read?.freshness.isFresh(at: 1_699_000_061) == false)
        }
    }

    @Test func purgingLeavesNothing() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            let wasThere = try await store.purge(try DiskFixture.id("heat"))
            #expect(wasThere)
            #expect(self.fixture.files.isEmpty)
            let counters = store.counters
            #expect(counters.count == 0)
        }
    }

    /// An eviction is not durable: without this, its file could return after a power failure.
    @Test func aPurgeOfAnEvictedOriginalIsDurable() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            for path in self.fixture.files { try FileManager.default.removeItem(atPath: path) }
            self.fixture.refuse(with: EIO, to: "synchronise")
            await #expect(throws: PosterError.storageFailed(reason: "an original could not be removed")) {
                try await store.purge(try DiskFixture.id("heat"))
            }
            self.fixture.refuse(with: nil)
            let wasThere = try await store.purge(try DiskFixture.id("heat"))
            #expect(!wasThere)
            // There is no folder, and nothing that could return.
            let neverStored = try await store.purge(try DiskFixture.id("jaws"))
            #expect(!neverStored)
        }
    }

    private func digest(of bytes: [UInt8]) -> String { bytes.withUnsafeBytes { Digest(of: $0).description } }
}

extension DiskFixture {
    func removeIndex() throws {
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: self.index + suffix) {
            try FileManager.default.removeItem(atPath: self.index + suffix)
        }
    }

    var index: String { self.originals + "/index.sqlite" }
}
