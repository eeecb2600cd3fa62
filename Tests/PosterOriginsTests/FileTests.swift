import FoundationEssentials
import PosterCodec
import PosterOrigins
import PosterPipeline
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct FileTests {
    private let folder = TemporaryFolder()

    @Test func onlyRegularFilesOfLimitedLengthAreRead() throws {
        let error = #expect(throws: FileError.self) { try LoadedBytes.reading(self.folder.path, limit: 100) }
        #expect(error?.path == self.folder.path)
        #expect(throws: FileError.self) { try LoadedBytes.reading("/dev/zero", limit: 100) }
        #expect(throws: FileError.self) { try LoadedBytes.reading(self.folder.path + "/nothing", limit: 100) }
        let path = self.folder.path + "/file"
        try AtomicFile.write([1, 2, 3], to: path)
        #expect(try LoadedBytes.reading(path, limit: 3).count == 3)
        #expect(throws: CodecError.overLimit(.bytes, value: 3, limit: 2)) { try LoadedBytes.reading(path, limit: 2) }
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

    @Test func unfinishedFilesAreRemovedAndOthersAreNot() throws {
        let others = ["12.partial", "out", "out.12", "out.partial", "out.x.partial"]
        for name in others + ["out.12.partial", "out.jpg.3.partial"] {
            try Data().write(to: URL(filePath: "\(self.folder.path)/\(name)"))
        }
        AtomicFile.removePartialFiles(in: self.folder.path)
        #expect(self.folder.files == others)
        AtomicFile.removePartialFiles(in: self.folder.path + "/nothing")
    }
}
