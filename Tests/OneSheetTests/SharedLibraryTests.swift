import Foundation
import PosterTesting
import Testing

/// Several nodes with one PostgreSQL database.
@Suite(.timeLimit(.hang), .enabled(if: PostgresServer.isAvailable, "\(PostgresServer.absence)"))
struct SharedLibraryTests {
    private static let film = "metropolis-1927"
    private let folder = TemporaryFolder()

    private func options(_ url: String) throws -> [String] {
        let key = self.folder.path + "/secret.key"
        try Data((String(repeating: "0123456789abcdef", count: 4) + "\n").utf8).write(to: URL(filePath: key))
        chmod(key, 0o600)
        return ["--library", url, "--secret-key-file", key]
    }

    private func node(_ name: String, _ url: String) async throws -> AppClient {
        AppClient(
            server: try await RunningServer(dataDirectory: "\(self.folder.path)/\(name)", self.options(url)),
            language: "en")
    }

    /// Starts three nodes at once with an empty database.
    private func nodes(_ url: String) async throws -> [AppClient] {
        try await withThrowingTaskGroup(of: AppClient.self) { group in
            for number in 1...3 { group.addTask { try await self.node("\(number)", url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// The library's state in `/readyz`.
    private func library(of node: AppClient) async throws -> (status: Int, warnings: [String], library: JSON) {
        let answer = try await node.send("GET", "/readyz")
        return (answer.status, answer.body.warnings.list.compactMap(\.text), answer.body.library)
    }

    private func isUsable(_ node: AppClient) async throws -> Bool {
        guard try await self.library(of: node).warnings.isEmpty else { return false }
        return try await node.send("GET", "/favourites").status == 200
    }

    @Test func aUserIsSignedInOnAllNodesUntilTheSessionEndsOnOne() async throws {
        let server = try await PostgresServer.common()
        var nodes = try await self.nodes(server.url(server.database()))
        for node in nodes { try await eventually { try await self.library(of: node).library.isReadable.bool == true } }
        nodes = nodes.map(\.patient)
        let request = try await nodes[0].send("POST", "/auth/token")
        let requestToken = try #require(request.body.requestToken.text, "\(request.text)")
        let page = try nodes[1].server.connect()
        try page.send(
            raw: """
                POST /auth/approve/\(requestToken) HTTP/1.1\r\nHost: app.test\r\n\
                Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\napprove=1
                """)
        #expect(try await page.answer().status < 400)
        let session = try await nodes[2].send(
            "POST", "/auth/session", body: #"{"requestToken":"\#(requestToken)"}"#)
        let token = try #require(session.body.token.text, "\(session.text)")
        for index in nodes.indices { nodes[index].token = token }
        #expect(try await nodes[1].send("PUT", "/favourites/\(Self.film)").status < 300)
        #expect(try await nodes[2].get("/favourites").results.list.compactMap(\.id.text) == [Self.film])
        #expect(
            try await nodes[1].send("PUT", "/movies/\(Self.film)/rating", body: #"{"value":9}"#).status == 200)
        for node in nodes {
            #expect(try await node.get("/movies/\(Self.film)/rating").value.double == 9)
            #expect(try await node.get("/account").source.text == "sample")
        }
        #expect(try await nodes[0].send("DELETE", "/auth/session").status == 204)
        // Takes effect at once: no node caches sessions.
        for node in nodes { #expect(try await node.send("GET", "/favourites").status == 401) }
        for node in nodes { #expect(await node.server.stop() == 0) }
    }

    enum Fault: CaseIterable {
        case killed
        case hanging
        case emptied
        case passwordChanged
    }

    @Test(arguments: Fault.allCases)
    func withoutTheDatabaseFilmsAndPostersGoOn(_ fault: Fault) async throws {
        let server = try await PostgresServer.make()
        let database = try await server.database()
        var node = try await self.node("1", server.url(database))
        let token = try #require(try await node.patient.send("POST", "/auth/device").body.token.text)
        node.token = token
        #expect(try await node.patient.send("PUT", "/favourites/\(Self.film)").status < 300)
        switch fault {
        case .killed, .emptied: server.crash()
        case .hanging: server.signal(SIGSTOP)
        case .passwordChanged:
            try server.requirePasswords(true)
            try await eventually { (try? await server.execute("SELECT 1", in: database)) == nil }
            server.crash()
            try server.start()
        }
        try await eventually { try await node.send("GET", "/favourites").status == 503 }
        let refused = try await node.send("PUT", "/favourites/nosferatu-1922")
        #expect(refused.status == 503 && refused.body.type.text?.hasSuffix("storage-failed") == true)
        #expect(refused.headers["retry-after"] != nil)
        let state = try await self.library(of: node)
        #expect(state.status == 200, "no other node would do better")
        #expect(state.warnings.contains("library-not-readable"))
        #expect(["unreachable", "slow"].contains(state.library.server.fault.text), "\(state.library)")
        #expect(try await node.send("GET", "/movies/\(Self.film)").status == 200)
        #expect(try await node.send("GET", "/movies/\(Self.film)?marks=true").status < 500)
        for number in 1...3 {
            #expect(try await node.server.get("/poster/\(Self.film)?w=\(number * 40)").status == 200)
        }
        #expect(try await node.server.metric("onesheet_library_readable") == 0)
        switch fault {
        case .killed: try server.start()
        case .hanging: server.signal(SIGCONT)
        case .passwordChanged: try server.requirePasswords(false)
        case .emptied:
            try await server.startEmpty()
            try await server.execute("CREATE DATABASE \(database)", in: "postgres")
            // The token was in the emptied database.
            try await eventually { try await node.send("GET", "/favourites").status == 401 }
            let token = try #require(try await node.patient.send("POST", "/auth/device").body.token.text)
            node.token = token
        }
        try await eventually { try await self.isUsable(node) }
        let kept = try await node.patient.get("/favourites").results.list.compactMap(\.id.text)
        #expect(kept == (fault == .emptied ? [] : [Self.film]))
        #expect(await node.server.stop() == 0)
    }

    @Test func aNodeStartsWithoutTheDatabase() async throws {
        let server = try await PostgresServer.make()
        let database = try await server.database()
        server.crash()
        let node = try await self.node("1", server.url(database))
        #expect(try await node.server.get("/poster/\(Self.film)?w=40").status == 200)
        #expect(try await node.send("POST", "/auth/device").status == 503)
        #expect(try await self.library(of: node).warnings == ["library-not-readable", "library-not-writable"])
        try server.start()
        // The node detects it without a request for data.
        try await eventually { try await self.library(of: node).library.isReadable.bool == true }
        #expect(try await node.patient.send("POST", "/auth/device").status == 200)
        #expect(await node.server.stop() == 0)
    }

    @Test func aLibraryIsCopiedToADatabaseAndBack() async throws {
        let server = try await PostgresServer.common()
        let url = try await server.url(server.database())
        let key = try self.options(url).suffix(2)
        let own = self.folder.path + "/own"
        var node = AppClient(server: try await RunningServer(dataDirectory: own, Array(key)), language: "en")
        let token = try #require(try await node.send("POST", "/auth/device").body.token.text)
        node.token = token
        #expect(try await node.send("PUT", "/favourites/\(Self.film)").status == 201)
        #expect(try await self.library(of: node).library.server.exists == false)
        #expect(await node.server.stop() == 0)

        let there = try await Program.run(["library", "copy", "--from", own + "/library.sqlite", "--to", url])
        #expect(there.status == 0 && there.output.contains("favourites: 1 copied, 0 already present"), "\(there)")
        var shared = try await self.node("shared", url).patient
        shared.token = token
        #expect(try await shared.get("/favourites").results.list.compactMap(\.id.text) == [Self.film])
        #expect(try await shared.send("PUT", "/favourites/nosferatu-1922").status < 300)
        #expect(await shared.server.stop() == 0)

        let back = try await Program.run(
            ["library", "copy", "--from", url, "--to", own + "/library.sqlite", "--json"])
        let counts = try JSON(Array(back.output.utf8))
        #expect(back.status == 0 && counts.favourites.copied.int == 1 && counts.favourites.present.int == 1, "\(back)")
        var again = AppClient(server: try await RunningServer(dataDirectory: own, Array(key)), language: "en")
        again.token = token
        #expect(try await again.get("/favourites").results.list.count == 2)
        #expect(await again.server.stop() == 0)

        let empty = try await Program.run([
            "library", "copy", "--from", server.url(server.database()), "--to", self.folder.path + "/new.sqlite",
        ])
        #expect(empty.status == 0 && empty.output.contains("There is nothing to copy"), "\(empty)")

        let missing = try await Program.run(["library", "copy", "--from", own + "/none.sqlite", "--to", url])
        #expect(missing.status != 0 && missing.errors.contains("there is no library at"))
        let wrong = try await Program.run([
            "library", "copy", "--from", own + "/library.sqlite", "--to",
            "postgres://u:secret@127.0.0.1:1/none?connect_timeout=1",
        ])
        #expect(wrong.status != 0 && wrong.errors.contains("cannot be reached") && !wrong.errors.contains("secret"))
    }
}
