import FoundationEssentials
import GRDB
import PictureTesting
import PosterOrigins
import PosterPipeline
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct DataDirectoryTests {
    private let folder = TemporaryFolder()

    @Test func belongsToOneAtATime() throws {
        let path = self.folder.path + "/data"
        let first = try DataDirectory(path: path)
        let error = #expect(throws: DataDirectory.Failure.self) { try DataDirectory(path: path) }
        #expect(error.map { "\($0)".contains("in use by another onesheet") } == true)
        withExtendedLifetime(first) {}
    }

    @Test func thatIsAFileIsRefusedInWords() throws {
        let path = self.folder.path + "/file"
        try Data([1]).write(to: URL(filePath: path))
        let error = #expect(throws: DataDirectory.Failure.self) { try DataDirectory(path: path) }
        #expect(error.map { "\($0)".contains("--data-dir") } == true)
    }

    @Test(.enabled(if: TemporaryFileSystem.isPossible, "only root mounts a file system"))
    func thatCannotBeWrittenIsRefusedInWords() throws {
        let fileSystem = try TemporaryFileSystem(kibibytes: 1024)
        do {
            let data = try DataDirectory(path: fileSystem.path)
            withExtendedLifetime(data) {}
        }
        try fileSystem.makeReadOnly()
        let error = #expect(throws: DataDirectory.Failure.self) { try DataDirectory(path: fileSystem.path) }
        let sentence = error?.description ?? ""
        #expect(sentence.contains("Read-only file system"))
        #expect(sentence.contains("--data-dir"))
    }

    @Test func anIndexThatCannotBeOpenedIsRefusedInWords() async throws {
        let fixture = DiskFixture()
        try FileManager.default.createDirectory(atPath: fixture.index, withIntermediateDirectories: true)
        let error = #expect(throws: DataDirectory.Failure.self) { try fixture.open() }
        #expect(error?.description.contains("index.sqlite cannot be written") == true)
    }

    @Test func anIndexOfANewerVersionIsRefusedInWords() async throws {
        let fixture = DiskFixture()
        try await fixture.withStore { _ = try await $0.put(TestPicture.jpeg(width: 60, height: 90)) }
        do {
            let index = try DatabaseQueue(path: fixture.index)
            try await index.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA user_version = 9") }
            try index.close()
        }
        let error = #expect(throws: DataDirectory.Failure.self) { try fixture.open() }
        let sentence = error?.description ?? ""
        #expect(sentence.contains("made by a newer onesheet (its format is 9"))
        #expect(fixture.files.count == 1, "and nothing is touched")
    }
}
