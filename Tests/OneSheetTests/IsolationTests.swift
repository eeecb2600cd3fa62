import Foundation
import PictureTesting
import PosterTesting
import Testing

/// The program with worker processes for decoding.
@Suite(.timeLimit(.hang))
struct IsolationTests {
    private let folder = TemporaryFolder()

    /// The child processes of a server, which are its workers.
    private func children(of server: Int32) throws -> [Int32] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        return names.compactMap(Int32.init).filter { process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
                return false
            }
            return text.split(separator: "\n").contains("PPid:\t\(server)")
        }
    }

    /// The id of the server process that uses a data folder.
    private func process(with dataDirectory: String) throws -> Int32 {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        let found = names.compactMap(Int32.init).first { process in
            guard let line = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")) else { return false }
            let parts = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return parts.first?.hasSuffix("onesheet") == true && parts.contains(dataDirectory)
        }
        return try #require(found)
    }

    @Test func aServerDecodesInConfinedWorkersThatEndWithIt() async throws {
        let data = self.folder.path + "/data"
        // Re-encoding would add a worker of the lowest priority.
        let server = try await RunningServer(
            dataDirectory: data, ["--isolation", "required", "--codec-threads", "2", "--reencode", "off"])
        let picture = try await server.get("/poster/nosferatu-1922?w=200&format=jpeg")
        #expect(picture.status == 200 && picture.body.starts(with: [0xFF, 0xD8]))
        let ready = try JSON(try await server.get("/readyz").body)
        #expect(ready.isolation.mode.text == "process")
        #expect(ready.isolation.missing.list.isEmpty)
        #expect(ready.isolation.workers.int == 3)
        let workers = try self.children(of: try self.process(with: data))
        #expect(workers.count == 3)
        for worker in workers {
            // The spare worker may not have confined itself yet.
            try await eventually {
                let status = try String(contentsOfFile: "/proc/\(worker)/status", encoding: .utf8)
                return status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1")
                    && status.contains("Threads:\t1")
            }
        }
        #expect(await server.stop() == 0)
        for worker in workers { #expect(kill(worker, 0) == -1) }
    }

    @Test func aWorkerMakesTheSameFilesAsAThread() async throws {
        let input = self.folder.path + "/in.jpg"
        try Data(TestPicture.jpeg(width: 400, height: 600)).write(to: URL(filePath: input))
        for (options, names) in [
            (["--width", "100"], ["out-100.jpeg"]),
            (["--width", "100,150", "--format", "jpeg,webp,avif"], ["out-100.jpeg", "out-150.webp", "out-150.avif"]),
        ] {
            var files: [[Data]] = []
            for isolation in ["thread", "process", "required"] {
                let pattern = "\(self.folder.path)/\(isolation)-out-{width}.{format}"
                let outcome = try await Program.run(["render", input, pattern, "--isolation", isolation] + options)
                #expect(outcome.status == 0, "\(outcome.errors)")
                files.append(
                    try names.map { try Data(contentsOf: URL(filePath: "\(self.folder.path)/\(isolation)-\($0)")) })
            }
            #expect(files[0] == files[1] && files[0] == files[2])
        }
    }

    @Test func refusedOriginalsAreListed() async throws {
        let data = self.folder.path + "/data"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let digest = String(repeating: "ab", count: 32)
        try Data("\(digest) 99999999999 the decoder trapped\n\(digest) 5 old\n".utf8)
            .write(to: URL(filePath: data + "/quarantine"))
        let outcome = try await Program.run(["quarantine", "--data-dir", data, "--json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(digest) && outcome.output.contains("trapped"))
        #expect(!outcome.output.contains("old"))
    }

    @Test func withoutRefusedOriginalsTheListSaysSo() async throws {
        let text = try await Program.run(["quarantine", "--data-dir", self.folder.path])
        #expect(text.status == 0 && text.output.isEmpty)
        #expect(text.errors == "onesheet: no original is refused in \(self.folder.path)\n", "\(text.errors)")
        let json = try await Program.run(["quarantine", "--data-dir", self.folder.path, "--json"])
        #expect(json.output == "[]\n" && json.errors.isEmpty, "\(json)")
    }

    @Test func anUnknownIsolationIsRefused() throws {
        let reason = try #require(try ServeArguments.refusal(["--isolation", "container"]))
        #expect(reason.contains("process, thread, required"))
    }
}
