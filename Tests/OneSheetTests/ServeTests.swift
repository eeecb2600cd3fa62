import Foundation
import PictureTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct ServeTests {
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    @Test func servesTheEmbeddedCatalogueWithoutConfigurationAndStopsInOrder() async throws {
        let server = try await RunningServer(dataDirectory: self.data)
        let poster = try await server.get("/poster/nosferatu-1922?w=368")
        #expect(poster.status == 200)
        #expect(try await server.get("/").status == 200)

        let second = try await Program.run(["serve", "--port", "0", "--data-dir", self.data])
        #expect(second.status == 1)
        #expect(second.errors.contains("in use by another onesheet"))
        let third = try await Program.run(["serve", "--port", "\(server.port)", "--data-dir", self.data + "2"])
        #expect(third.status == 1)
        #expect(third.errors.contains("choose another with --port"), "\(third.errors)")

        #expect(await server.stop() == 0)
        let again = try await RunningServer(dataDirectory: self.data)
        let answer = try await again.get("/poster/nosferatu-1922?w=368")
        let source = try #require(answer.headers["cache-status"])
        // A variant on disk may be a re-encoded one, with fewer bytes and another tag.
        let isItself = answer.headers["etag"] == poster.headers["etag"]
        #expect(source.contains("-on-disk") && (isItself || source.contains("variant-on-disk")), "\(source)")
        _ = await again.stop()
    }

    @Test(
        "a wrong option stops the start with its name and what is allowed",
        arguments: [
            (["--port", "70000"], "--port (ONESHEET_PORT) is '70000'; allowed: a whole number from 0 to 65535"),
            (["--memory-budget", "lots"], "ONESHEET_MEMORY_BUDGET"),
            (["--origin", "tmdb=https://a.test/{key}"], "any NAME except"),
            (["--origin", "mine=https://a.test/"], "{key} or {+key}"), (["--origin", "mine"], "NAME=https://"),
            (["--origin", "a=http://a.test/{key}", "--origin", "a=http://b.test/{key}"], "each NAME once"),
            (["--log-level", "loud"], "trace, debug"), (["--codec-threads", "0"], "from 1 to 256"),
            (["--library", "mysql://db/one"], "postgres://user@host/database"),
            (["--log-format", "xml"], "text, json"), (["--access-log", "on"], "allowed: off, text, json"),
        ])
    func wrongOptions(arguments: [String], words: String) throws {
        let reason = try #require(try ServeArguments.refusal(arguments))
        #expect(reason.contains(words), "\(reason)")
    }

    @Test func aWrongOptionEndsTheProgramBeforeItHasMadeAnything() async throws {
        let outcome = try await Program.run(["serve", "--data-dir", self.data, "--port", "70000"])
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        let reason = try #require(try ServeArguments.refusal(["--port", "70000"]))
        #expect(outcome.errors == "onesheet: \(reason)\n")
        #expect(!FileManager.default.fileExists(atPath: self.data))
    }

    @Test func originsAtPrivateAddressesAreRefusedUnlessAllowed() async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            let mapping = ["--origin", "mine=\(origin.baseURL)/{key}.jpg"]
            let strict = try await InProcessServer(dataDirectory: self.data, mapping)
            let refused = try await strict.get("/poster/mine:a?w=46")
            #expect(refused.status == 502)
            #expect(refused.text.contains("--allow-private-origin"))
            #expect(origin.acceptedConnectionCount == 0)
            _ = await strict.stop()

            let open = try await InProcessServer(
                dataDirectory: self.data, mapping, environment: ["ONESHEET_ALLOW_PRIVATE_ORIGINS": "true"])
            #expect(try await open.get("/poster/mine:a?w=46").status == 200)
            for (target, status, words) in [
                ("/poster/mine:%2E%2E?w=46", 400, "path segments"), ("/poster/mine:x%2Fa?w=46", 400, "contain '/'"),
                ("/poster/other:a?w=46", 404, "configured sources: sample, mine"),
                ("/poster/mine:b?w=46", 404, "mine:b"),
            ] {
                let answer = try await open.get(target)
                #expect(answer.status == status, "\(target)")
                #expect(answer.text.contains(words), "\(answer.text)")
            }
            _ = await open.stop()
        }
    }

    @Test func aKillInTheMiddleOfFetchesNeverLeadsToATornPoster() async throws {
        let whole = TestPicture.jpeg(width: 900, height: 1350)
        try await withOrigin { origin in
            let mapping = ["--allow-private-origins", "--origin", "mine=\(origin.baseURL)/{key}.jpg"]
            for round in 0..<4 {
                // The process dies after a part was sent and its incoming file was created.
                let key = "film\(round)"
                origin.on(
                    "/\(key).jpg",
                    .hangInBody(after: Array(whole.prefix(whole.count * (round + 1) / 5)), declared: whole.count))
                let server = try await RunningServer(dataDirectory: self.data, mapping)
                let client = try HTTPConnection(port: server.port)
                try client.send("GET", "/poster/mine:\(key)")
                try await origin.requestsArrived(at: "/\(key).jpg")
                let incoming = self.data + "/originals/incoming"
                try await eventually {
                    (try? FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty) == false
                }
                await server.kill()

                origin.on("/\(key).jpg", .image(whole))
                let after = try await RunningServer(dataDirectory: self.data, mapping)
                try await eventually { try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty }
                let answer = try await after.get("/poster/mine:\(key)")
                #expect(answer.body == whole)
                try await eventually { try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty }
                await after.kill()
            }
            // Complete originals survive any number of kills, without another request to the origin.
            let last = try await RunningServer(dataDirectory: self.data, mapping)
            for round in 0..<4 {
                let before = origin.requestCount(to: "/film\(round).jpg")
                #expect(try await last.get("/poster/mine:film\(round)").body == whole)
                #expect(origin.requestCount(to: "/film\(round).jpg") == before)
            }
            _ = await last.stop()
        }
    }
}
