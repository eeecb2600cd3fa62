import Foundation
import Glibc
import PosterCodec
import Testing

@testable import CodecWorkers

/// The confinement of workers as reported by the kernel. These tests fail on machines without seccomp and Landlock.
@Suite(.ownThread) struct ConfinementTests {
    private let pool: CodecWorkerPool

    init() throws {
        self.pool = try WorkerFixture.pool(count: 2)
    }

    /// The idle processes, after one of them has rendered.
    private func processes() throws -> [Int32] {
        let bytes = try WorkerFixture.jpeg()
        _ = try WorkerFixture.files(self.pool, bytes, [RenderTarget(width: 100, format: .jpeg)])
        return self.pool.idleProcesses
    }

    private func field(_ name: String, of process: Int32) throws -> String {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }

    @Test func theKernelHasEverything() {
        #expect(self.pool.features.missing.isEmpty)
        #expect(self.pool.features.landlockVersion >= 1)
    }

    @Test func workersAreFilteredAndGainNoPrivileges() throws {
        let processes = try self.processes()
        #expect(processes.count == 3)
        // The process that has rendered is confined; the others may not be yet.
        let process = try #require(processes.last)
        #expect(try self.field("Seccomp", of: process) == "2")
        #expect(try self.field("NoNewPrivs", of: process) == "1")
        #expect(try self.field("Threads", of: process) == "1")
    }

    private func descriptors(of process: Int32) throws -> [String] {
        let folder = "/proc/\(process)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            // A descriptor that is closed meanwhile has no target.
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
    }

    @Test(.timeLimit(.minutes(10))) func workersHaveNoEnvironmentAndFewDescriptors() async throws {
        let process = try #require(try self.processes().last)
        #expect(try Data(contentsOf: URL(filePath: "/proc/\(process)/environ")).isEmpty)
        // The job's descriptors are closed after its reply, and no event reports that.
        while try self.descriptors(of: process).contains(where: { $0.hasPrefix("/memfd:") }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        let targets = try self.descriptors(of: process)
        #expect(targets.allSatisfy { $0 == "/dev/null" || $0.hasPrefix("socket:") }, "\(targets)")
        #expect(targets.count == 4)
    }

    @Test func workersHaveNoCoreFilesAndLimitedDescriptors() throws {
        let process = try #require(try self.processes().last)
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        func line(_ name: String) throws -> [Substring] {
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
            return line.dropFirst(name.count).split(separator: " ").prefix(2).map { $0 }
        }
        #expect(try line("Max core file size") == ["0", "0"])
        #expect(try line("Max open files") == ["16", "16"])
        #expect(try line("Max data size").allSatisfy { $0 != "unlimited" })
        #expect(try line("Max file size").allSatisfy { $0 != "unlimited" })
    }

    @Test func aWorkerEndsWithItsServer() throws {
        let pool = try WorkerFixture.pool()
        let processes = pool.idleProcesses
        pool.close()
        for process in processes { #expect(kill(process, 0) == -1 && errno == ESRCH) }
    }
}
