import FoundationEssentials
import Logging
import PosterOrigins
import PosterPipeline
import PosterTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DiskOriginalStoreTests {
    private let folder = TemporaryFolder()
    private let threads = WorkThreads(count: 2, queueLimit: 100)
    private let location = OriginalLocation.web(url: "http://a.test/heat.jpg")
    private let picture = TestPicture.jpeg(width: 200, height: 300)

    private func open() throws -> (DataDirectory, DiskOriginalStore) {
        let data = try DataDirectory(path: self.folder.path + "/data")
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let store = try DiskOriginalStore(
            in: data, verifier: OriginalVerifier(), threads: self.threads, logger: logger,
            secondsSince1970: { 1_700_000_000 })
        return (data, store)
    }

    private func store(_ bytes: [UInt8], as key: String = "heat", in store: DiskOriginalStore) async throws -> Original
    {
        let draft = try await store.makeDraft(for: try PosterID(source: "mine", key: key), from: self.location)
        _ = bytes.withUnsafeBytes { draft.append($0) }
        return try await draft.commit(OriginDescription(etag: "\"v1\"", lastModified: "Sat, 04 Mar 1922 20:00:00 GMT"))
    }

    private var originalFiles: [String] {
        self.folder.files.filter { $0.hasSuffix(".original") }.map { "\(self.folder.path)/\($0)" }
    }

    @Test func keepsTheStoresPromises() async throws {
        let (data, store) = try self.open()
        #expect(try await brokenPromises(of: store) == [])
        withExtendedLifetime(data) {}
    }

    @Test func aFakeKeepsThemToo() async throws {
        #expect(try await brokenPromises(of: MemoryOriginalStore()) == [])
    }

    @Test func whatWasStoredIsThereAfterARestart() async throws {
        do {
            let (data, store) = try self.open()
            _ = try await self.store(self.picture, in: store)
            withExtendedLifetime(data) {}
        }
        let (data, store) = try self.open()
        let read = try await store.original(try PosterID(source: "mine", key: "heat"), from: self.location)
        #expect(read?.bytes.withUnsafeBytes { Array($0) } == self.picture)
        withExtendedLifetime(data) {}
    }

    @Test func eachFileBeginsWithAHeaderThatTellsAll() async throws {
        let (data, store) = try self.open()
        _ = try await self.store(self.picture, in: store)
        let file = try [UInt8](Data(contentsOf: URL(filePath: try #require(self.originalFiles.first))))
        #expect(file.count == 4096 + self.picture.count)
        #expect(file.starts(with: Array("ONESHEET".utf8) + [1, 0]))
        let text = String(decoding: file[14..<4064].prefix { $0 != 0 }, as: UTF8.self)
        for part in ["\"mine:heat\"", "http://a.test/heat.jpg", "\\\"v1\\\"", "04 Mar 1922", "1700000000"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        withExtendedLifetime(data) {}
    }

    @Test(
        "a file that was torn or changed is dropped, never served",
        arguments: [
            "shorter by one byte", "longer by one byte", "a byte of the picture changed",
            "a byte of the header changed",
            "empty", "another version", "only the header",
        ])
    func damaged(how: String) async throws {
        do {
            let (data, store) = try self.open()
            _ = try await self.store(self.picture, in: store)
            withExtendedLifetime(data) {}
        }
        let path = try #require(self.originalFiles.first)
        var file = try [UInt8](Data(contentsOf: URL(filePath: path)))
        switch how {
        case "shorter by one byte": file.removeLast()
        case "longer by one byte": file.append(0)
        case "a byte of the picture changed": file[4096 + self.picture.count / 2] ^= 1
        case "a byte of the header changed": file[20] ^= 1
        case "empty": file = []
        case "another version": file[8] = 2
        default: file = Array(file.prefix(4096))
        }
        try Data(file).write(to: URL(filePath: path))

        let (data, store) = try self.open()
        let id = try PosterID(source: "mine", key: "heat")
        #expect(try await store.original(id, from: self.location) == nil)
        #expect(self.originalFiles.isEmpty)
        _ = try await self.store(self.picture, in: store)
        #expect(try await store.original(id, from: self.location) != nil, "and can be stored again")
        withExtendedLifetime(data) {}
    }

    @Test func whatACrashLeftHalfWrittenIsSweptAtTheStart() async throws {
        do {
            let (data, store) = try self.open()
            let draft = try await store.makeDraft(for: try PosterID(source: "mine", key: "heat"), from: self.location)
            _ = self.picture.withUnsafeBytes { draft.append($0) }
            // A crash keeps the file; here it is copied aside, because the draft cleans up after itself.
            let incoming = self.folder.path + "/data/originals/incoming"
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: incoming).first)
            try FileManager.default.copyItem(atPath: "\(incoming)/\(name)", toPath: "\(incoming)/left-behind")
            await draft.discard()
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming) == ["left-behind"])
            withExtendedLifetime(data) {}
        }
        let (data, _) = try self.open()
        #expect(self.folder.files == ["data/lock"])
        withExtendedLifetime(data) {}
    }

    @Test func aDataDirectoryBelongsToOneAtATime() throws {
        let path = self.folder.path + "/data"
        let first = try DataDirectory(path: path)
        let error = #expect(throws: DataDirectory.Failure.self) { try DataDirectory(path: path) }
        #expect(error.map { "\($0)".contains("in use by another onesheet") } == true)
        withExtendedLifetime(first) {}
    }

    @Test func aDataDirectoryThatIsAFileIsRefusedInWords() throws {
        let path = self.folder.path + "/file"
        try Data([1]).write(to: URL(filePath: path))
        let error = #expect(throws: DataDirectory.Failure.self) { try DataDirectory(path: path) }
        #expect(error.map { "\($0)".contains("--data-dir") } == true)
    }

    @Test func onlyRegularFilesAreMapped() throws {
        let error = #expect(throws: FileError.self) { try OriginalBytes.mapping(self.folder.path) }
        #expect(error?.path == self.folder.path)
        #expect(throws: FileError.self) { try OriginalBytes.mapping("/dev/zero") }
        #expect(throws: FileError.self) { try OriginalBytes.mapping(self.folder.path + "/nothing") }
    }

    @Test func aFileIsWrittenWholeOrNotAtAll() throws {
        let path = self.folder.path + "/out.jpg"
        try AtomicFile.write([1, 2, 3], to: path)
        try AtomicFile.write([4, 5], to: path)
        #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == [4, 5])
        let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: self.folder.path + "/no/such/out") }
        #expect(error.map { "\($0)".contains("No such file or directory") } == true)
        #expect(self.folder.files == ["out.jpg"])
    }
}
