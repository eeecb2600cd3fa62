import FoundationEssentials
import PosterOrigins
import PosterPipeline
import PosterTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FileTests {
    private let folder = TemporaryFolder()

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
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        #expect(bytes == [4, 5])
        let error = #expect(throws: FileError.self) { try AtomicFile.write([1], to: self.folder.path + "/no/such/out") }
        #expect(error.map { "\($0)".contains("No such file or directory") } == true)
        #expect(self.folder.files == ["out.jpg"])
    }
}
