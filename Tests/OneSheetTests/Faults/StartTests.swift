import Foundation
import PosterTesting
import Testing

extension FaultTests {
    @Suite struct StartTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        @Test func aDirectoryThatAnotherProcessHasLockedIsRefused() async throws {
            try FileManager.default.createDirectory(atPath: self.data, withIntermediateDirectories: true)
            let lock = open(self.data + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(lock) }
            #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
            for arguments in [["serve", "--port", "0"], ["verify"], ["purge", "mine:a"], ["warm", "nosferatu-1922"]] {
                let outcome = try await Program.run(arguments + ["--data-dir", self.data])
                #expect(outcome.status == 1)
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
                #expect(outcome.errors.contains("in use by another onesheet"), "\(outcome.errors)")
            }
        }

        @Test func tooFewDescriptorsAreRefused() async throws {
            let outcome = try await Program.run(["serve", "--port", "0", "--data-dir", self.data], descriptors: 440)
            #expect(outcome.status == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("may open 440 files"), "\(outcome.errors)")
        }

        @Test(
            .enabled(if: TemporaryFileSystem.isPossible, "mounting a file system needs root"), arguments: [true, false])
        func aDirectoryThatCannotBeWrittenIsRefused(wasUsed: Bool) async throws {
            let disk = try TemporaryFileSystem(kibibytes: 4096)
            let data = disk.path + "/data"
            if wasUsed {
                let server = try await RunningServer(dataDirectory: data)
                #expect(try await server.get("/poster/nosferatu-1922?w=92").status == 200)
                #expect(await server.stop() == 0)
            }
            try disk.makeReadOnly()
            for arguments in [["serve", "--port", "0"]] + (wasUsed ? [["verify"]] : []) {
                let outcome = try await Program.run(arguments + ["--data-dir", data])
                #expect(outcome.status == 1)
                #expect(outcome.output.isEmpty)
                #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
                #expect(outcome.errors.contains("Read-only file system"), "\(outcome.errors)")
                #expect(outcome.errors.contains("choose another with --data-dir"), "\(outcome.errors)")
            }
        }
    }
}
