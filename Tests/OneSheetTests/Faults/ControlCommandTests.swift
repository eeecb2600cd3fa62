import Foundation
import PictureTesting
import PosterTesting
import Testing

extension FaultTests {
    /// `verify`, `purge` and `warm`, with and without a running server.
    @Suite struct ControlCommandTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }
        private let picture = TestPicture.jpeg(width: 120, height: 180)

        init() throws {
            try FileManager.default.createDirectory(atPath: self.data, withIntermediateDirectories: true)
        }

        /// Runs a command and decodes its JSON output.
        private func result(
            _ arguments: [String], _ origin: OriginServer, fails: Bool = false
        ) async throws -> [String: Int] {
            let options = ["--json", "--data-dir", self.data] + FaultTests.patienceOfFetches
            let outcome = try await Program.run(arguments + options + FaultTests.mapping(origin))
            #expect(outcome.status == (fails ? 1 : 0), "\(arguments): \(outcome.errors)")
            #expect(outcome.output.split(separator: "\n").count == 1)
            return try JSONDecoder().decode([String: Int].self, from: Data(outcome.output.utf8))
        }

        /// Inverts a byte in the middle of the only stored original.
        private func damage() throws {
            let originals = URL(filePath: self.data + "/originals")
            let paths = try #require(FileManager.default.enumerator(at: originals, includingPropertiesForKeys: nil))
            let files = paths.compactMap { $0 as? URL }.filter { $0.pathExtension == "original" }
            #expect(files.count == 1)
            let file = try #require(files.first)
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count / 2] ^= 0xFF
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: bytes)
            try handle.close()
        }

        @Test("a damaged original is found, dropped and fetched again", arguments: [true, false])
        func repairs(hasServer: Bool) async throws {
            try await withOrigin { origin in
                origin.on("/film.jpg", .image(self.picture))
                #expect(try await self.result(["warm", "mine:film"], origin) == ["made": 1, "cached": 0, "failed": 0])
                let server = hasServer ? try await self.serve(origin) : nil
                let sound = try await self.result(["verify"], origin)
                #expect(sound["checked"] == 1 && sound["sound"] == 1 && sound["damaged"] == 0, "\(sound)")
                let words = try await Program.run(["verify", "--data-dir", self.data]).output
                #expect(words.hasPrefix("1 original read, 1 sound, "), "\(words)")

                try self.damage()
                let found = try await self.result(["verify", "--no-repair"], origin, fails: true)
                #expect(found["checked"] == 1 && found["sound"] == 0 && found["damaged"] == 1, "\(found)")
                let repaired = try await self.result(["verify"], origin, fails: true)
                #expect(repaired["damaged"] == 1, "\(repaired)")
                let after = try await self.result(["verify"], origin)
                #expect(after["checked"] == 0 && after["damaged"] == 0 && after["missing"] == 0, "\(after)")
                let nothing = try await Program.run(["verify", "--data-dir", self.data]).output
                #expect(nothing.hasPrefix("no original is stored"), "\(nothing)")

                let answering: InProcessServer
                if let server { answering = server } else { answering = try await self.serve(origin) }
                #expect(try await answering.get("/poster/mine:film").body == self.picture)
                #expect(origin.requestCount(to: "/film.jpg") == 2)
                #expect(await answering.stop() == 0)
            }
        }

        @Test func whatIsDamagedUnderARunningServerIsNeverServed() async throws {
            try await withOrigin { origin in
                origin.on("/film.jpg", .image(self.picture))
                let server = try await self.serve(origin)
                #expect(try await server.get("/poster/mine:film").body == self.picture)
                try await eventually { FaultTests.files(in: self.data + "/originals/incoming").isEmpty }
                try self.damage()
                #expect(try await server.get("/poster/mine:film").body == self.picture)
                #expect(try await server.get("/poster/mine:film?w=40").status == 200)
                #expect(origin.requestCount(to: "/film.jpg") == 2)
                #expect(try await server.metric("onesheet_originals_damaged_total") == 1)
                #expect(await server.stop() == 0)
            }
        }

        @Test func purgedPostersAreForgottenByAServerAndWithoutOne() async throws {
            try await withOrigin { origin in
                origin.on("/film.jpg", .image(self.picture))
                let server = try await self.serve(origin)
                for count in 1...2 {
                    #expect(try await server.get("/poster/mine:film?w=40").status == 200)
                    #expect(origin.requestCount(to: "/film.jpg") == count)
                    let purged = try await self.result(["purge", "mine:film", "mine:none"], origin)
                    #expect(purged == ["purged": 1, "unknown": 1])
                }
                #expect(try await server.get("/poster/mine:film?w=40").status == 200)
                #expect(await server.stop() == 0)

                #expect(try await self.result(["purge", "mine:film"], origin) == ["purged": 1, "unknown": 0])
                #expect(try await self.result(["purge", "mine:film"], origin) == ["purged": 0, "unknown": 1])
                let check = try await self.result(["verify"], origin)
                #expect(check["checked"] == 0 && check["missing"] == 0, "\(check)")
            }
        }

        @Test func warmedPostersAreHitsOfAServerAndOriginalsOnDiskWithoutOne() async throws {
            try await withOrigin { origin in
                origin.on("/film.jpg", .image(self.picture))
                origin.on("/other.jpg", .image(TestPicture.jpeg(width: 120, height: 180, seed: 2)))
                let alone = try await self.result(["warm", "mine:film", "--width", "92"], origin)
                #expect(alone == ["made": 1, "cached": 0, "failed": 0], "the original")
                let server = try await self.serve(origin)
                let ids = ["mine:film", "mine:other", "--width", "92"]
                let warmed = try await self.result(["warm"] + ids, origin)
                #expect(warmed == ["made": 6, "cached": 0, "failed": 0], "JPEG XL, WebP and JPEG of both")
                let lists = ["mine:film", "--width", "40,50", "--width", "60", "--format", "webp,jpeg"]
                #expect(try await self.result(["warm"] + lists, origin) == ["made": 6, "cached": 0, "failed": 0])
                for (name, accept) in [("film", "image/webp"), ("film", "image/jpeg"), ("other", "image/webp")] {
                    let answer = try await server.get("/poster/mine:\(name)?w=92", headers: ["Accept": accept])
                    #expect(answer.headers["cache-status"] == "OneSheet; hit")
                    #expect(answer.headers["content-type"] == accept)
                }
                #expect(origin.requestCount(to: "/film.jpg") == 1 && origin.requestCount(to: "/other.jpg") == 1)
                #expect(try await self.result(["warm"] + ids, origin) == ["made": 0, "cached": 6, "failed": 0])

                let missing = try await self.result(["warm", "mine:none", "--width", "92"], origin, fails: true)
                #expect(missing == ["made": 0, "cached": 0, "failed": 3])
                #expect(await server.stop() == 0)
            }
        }

        @Test(arguments: [true, false])
        func anUnknownSourceIsNotPurged(hasServer: Bool) async throws {
            try await withOrigin { origin in
                let server = hasServer ? try await self.serve(origin) : nil
                let failed = try await self.result(["purge", "foo:bar", "mine:film"], origin, fails: true)
                #expect(failed == ["purged": 0, "unknown": 1, "failed": 1])
                let outcome = try await Program.run(["purge", "foo:bar", "--data-dir", self.data])
                #expect(outcome.status == 1)
                #expect(
                    outcome.output.hasPrefix(
                        "nothing is purged; 1 failed\n  foo:bar: no source 'foo' is configured; configured sources: "),
                    "\(outcome)")
                if let server { #expect(await server.stop() == 0) }
            }
        }

        @Test(arguments: ["warm", "purge", "verify", "quarantine"])
        func aDirectoryThatIsNotThereIsNotMade(command: String) async throws {
            let none = self.folder.path + "/none"
            let ids = ["warm", "purge"].contains(command) ? ["nosferatu-1922"] : []
            let outcome = try await Program.run([command] + ids + ["--data-dir", none])
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(
                outcome.errors == "onesheet: there is no data directory at \(none); set --data-dir to the server's\n")
            #expect(!FileManager.default.fileExists(atPath: none))
        }

        @Test(arguments: [true, false])
        func whatCannotBeDoneIsSaidOnOneLine(hasServer: Bool) async throws {
            try await withOrigin { origin in
                let server = hasServer ? try await self.serve(origin) : nil
                for (arguments, words) in [
                    (["purge", ":"], "is not [source:]key"), (["warm", "mine:film", "--width", "5"], "widths must be"),
                    (["warm", "mine:film", "--format", "gif"], "formats must be"),
                ] {
                    let outcome = try await Program.run(arguments + ["--data-dir", self.data])
                    #expect(outcome.status == 1)
                    #expect(outcome.output.isEmpty)
                    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
                    #expect(outcome.errors.contains(words), "\(outcome.errors)")
                }
                if let server { #expect(await server.stop() == 0) }
            }
        }

        private func serve(_ origin: OriginServer) async throws -> InProcessServer {
            try await InProcessServer(dataDirectory: self.data, FaultTests.patience + FaultTests.mapping(origin))
        }
    }
}
