import Foundation
import PictureTesting
import PosterTesting
import Testing

/// Several nodes with one S3 server.
@Suite(.timeLimit(.hang))
struct SharedStoreTests {
    private let folder = TemporaryFolder()
    private let picture = TestPicture.jpeg(width: 120, height: 180)
    private static let target = "/poster/mine:film"
    private static let absence = S3Server.Kind.rclone.absence

    /// The part of `/readyz` about the store.
    private struct Health: Decodable {
        struct Store: Decodable {
            let name: String
            let breaker: String
            let waiting: Int
            let uploaded: Int
            let hits: Int
        }

        let objectStore: Store?
    }

    private func store(of server: RunningServer) async throws -> Health.Store {
        let health = try JSONDecoder().decode(Health.self, from: Data(try await server.get("/readyz").body))
        return try #require(health.objectStore)
    }

    private func options(_ store: S3Server, _ origin: OriginServer) throws -> [String] {
        let keys = self.folder.path + "/keys"
        try Data(
            """
            [default]
            aws_access_key_id = \(S3Server.accessKeyID)
            aws_secret_access_key = \(S3Server.secretAccessKey)
            """.utf8
        ).write(to: URL(filePath: keys))
        return [
            "--originals", "s3://\(S3Server.bucket)/originals", "--originals-endpoint", store.endpoint,
            "--originals-credentials", keys, "--allow-private-origins", "--origin",
            "mine=\(origin.baseURL)/{key}.jpg",
        ]
    }

    @Test(.enabled(if: S3Server.Kind.rclone.program != nil, "\(Self.absence)"))
    func aSecondNodeAsksNoOrigin() async throws {
        let store = try await S3Server(.rclone)
        try await withOrigin { origin in
            origin.on("/film.jpg", .image(self.picture))
            let options = try self.options(store, origin)
            let first = try await RunningServer(dataDirectory: self.folder.path + "/1", options)
            #expect(try await first.get(Self.target).body == self.picture)
            try await eventually { try await self.store(of: first).uploaded == 1 }
            let second = try await RunningServer(dataDirectory: self.folder.path + "/2", options)
            let answers = [try await first.get(Self.target), try await second.get(Self.target)]
            #expect(answers[1].body == self.picture)
            #expect(answers[0].headers["last-modified"] == answers[1].headers["last-modified"])
            #expect(origin.requestCount(to: "/film.jpg") == 1)
            let state = try await self.store(of: second)
            #expect(state.hits == 1 && state.breaker == "closed")
            #expect(state.name == "s3://\(S3Server.bucket)/originals/")
            #expect(try await second.metric("onesheet_object_store_hits_total") == 1)

            let verified = try await Program.run(
                ["verify", "--json", "--data-dir", self.folder.path + "/2"] + options)
            let summary = try JSONDecoder().decode([String: Int].self, from: Data(verified.output.utf8))
            #expect(verified.status == 0 && summary["shared"] == 1 && summary["sharedSound"] == 1, "\(summary)")

            #expect(await first.stop() == 0)
            // Without a running server, the command itself purges before it exits.
            let purge = try await Program.run(["purge", "mine:film", "--data-dir", self.folder.path + "/1"] + options)
            #expect(purge.status == 0, "\(purge.errors)")
            let empty = try await Program.run(
                ["verify", "--json", "--data-dir", self.folder.path + "/1"] + options)
            let rest = try JSONDecoder().decode([String: Int].self, from: Data(empty.output.utf8))
            #expect(rest["shared"] == 0 && rest["checked"] == 0, "\(rest)")
            #expect(await second.stop() == 0)
        }
    }

    @Test(.enabled(if: S3Server.Kind.rclone.program != nil, "\(Self.absence)"))
    func postersComeFromTheirOriginsWhileTheStoreHangs() async throws {
        let store = try await S3Server(.rclone)
        try await withOrigin { origin in
            for number in 0..<12 { origin.on("/\(number).jpg", .image(self.picture)) }
            let options = try self.options(store, origin)
            let server = try await RunningServer(
                dataDirectory: self.folder.path + "/1", options + ["--originals-timeout", "0.1", "--breaker-time", "1"])
            store.signal(SIGSTOP)
            for number in 0..<12 {
                let answer = try await server.get("/poster/mine:\(number)")
                #expect(answer.status == 200 && answer.body == self.picture)
            }
            let state = try await self.store(of: server)
            #expect(state.breaker != "closed" && state.waiting > 0, "\(state)")
            #expect(try await server.get("/readyz").status == 200, "that it fails is no reason")
            store.signal(SIGCONT)
            try await eventually { try await self.store(of: server).uploaded == 12 }
            #expect(try await self.store(of: server).waiting == 0)
            #expect(await server.stop() == 0)
        }
    }

    @Test func aStoreWithoutKeysIsAnErrorThatSaysSo() async throws {
        let outcome = try await Program.run([
            "serve", "--port", "0", "--data-dir", self.folder.path + "/1", "--originals", "s3://posters",
        ])
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("--originals-credentials") && outcome.errors.contains("AWS_ACCESS_KEY_ID"))
    }
}
