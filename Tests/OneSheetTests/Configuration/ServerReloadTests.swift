import Flights
import Foundation
import PictureTesting
import PosterTesting
import Testing

@Suite(.timeLimit(.hang))
struct ServerReloadTests {
    private let folder = TemporaryFolder()
    private var path: String { self.folder.path + "/onesheet.yaml" }

    private func write(_ lines: String...) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: self.path))
    }

    private func write(token: String) throws -> String {
        let path = self.folder.path + "/token"
        try Data(token.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Sends SIGHUP and waits until at least `count` log lines contain `words`.
    private func reload(_ server: RunningServer, until words: String, count: Int = 1) async throws {
        server.signal(SIGHUP)
        try await eventually { server.errors.split(separator: "\n").count(where: { $0.contains(words) }) >= count }
    }

    @Test func originsAndTheLogsLevelChangeWhileTheServerRuns() async throws {
        try await withOrigin { origin in
            let picture = TestPicture.jpeg(width: 60, height: 90)
            let door = Gate()
            for path in ["/one/a.jpg", "/two/b.jpg"] { origin.on(path, .image(picture)) }
            origin.on("/one/slow.jpg", OriginScript([.wait(door)] + OriginScript.image(picture).steps))
            try self.write("log-level: critical", "origin: first=\(origin.baseURL)/one/{key}.jpg")
            let server = try await RunningServer(
                dataDirectory: self.folder.path + "/data", ["--config", self.path, "--allow-private-origins"])
            #expect(try await server.get("/poster/first:a?w=46").status == 200)
            #expect(try await server.get("/poster/second:b?w=46").status == 404)
            let slow = try server.connect()
            try slow.send("GET", "/poster/first:slow?w=46")
            try await origin.requestsArrived(at: "/one/slow.jpg")

            try self.write(
                "log-level: info", "origin:", "  - second=\(origin.baseURL)/two/{key}.jpg",
                "origin-header: 'second:X-Key: hidden'", "max-age: 5")
            try await self.reload(server, until: "need a restart")
            #expect(server.errors.contains("options.changed=\"log-level, origin, origin-header\""), "\(server.errors)")
            #expect(server.errors.contains("options.changed=max-age"), "\(server.errors)")
            #expect(try await server.get("/poster/second:b?w=46").status == 200)
            #expect(origin.requests(to: "/two/b.jpg").first?.headers["x-key"] == "hidden")
            #expect(try await server.get("/poster/first:new?w=46").status == 404)
            #expect(try await server.get("/poster/first:a?w=46").status == 404, "not even from memory")
            // A fetch in progress keeps its origin.
            door.open()
            #expect(try await slow.answer().status == 200)
            #expect(try await server.get("/poster/first:slow?w=46").status == 404)

            // An error anywhere keeps the whole previous configuration.
            try self.write("log-level: debug", "origin: third=\(origin.baseURL)/two/{key}.jpg", "max_age: 5")
            try await self.reload(server, until: "nothing has changed")
            #expect(server.errors.contains("unknown key 'max_age'; did you mean 'max-age'?"))
            #expect(try await server.get("/poster/third:b?w=46").status == 404)
            #expect(try await server.get("/poster/second:c?w=46").status != 200)
            try self.write("origin: third=\(origin.baseURL)/x.jpg?key=hidden")
            try await self.reload(server, until: "nothing has changed", count: 2)
            #expect(!server.errors.contains("hidden"))
            #expect(await server.stop() == 0)
        }
    }

    @Test func theAdminTokenIsReadAgainAndABadOneChangesNothing() async throws {
        let (old, new) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
        let token = try self.write(token: old)
        let server = try await RunningServer(
            dataDirectory: self.folder.path + "/data", ["--admin-token-file", token])
        func status(_ token: String) async throws -> Int {
            try await server.get(
                "/poster/prefetch", headers: ["Authorization": "Bearer \(token)"], method: "DELETE"
            ).status
        }
        #expect(try await status(old) == 200)
        _ = try self.write(token: "short")
        try await self.reload(server, until: "nothing has changed")
        #expect(try await status(old) == 200)
        _ = try self.write(token: new)
        try await self.reload(server, until: "Configuration reloaded")
        #expect(try await status(old) == 401)
        #expect(try await status(new) == 200)
        #expect(await server.stop() == 0)
    }
}
