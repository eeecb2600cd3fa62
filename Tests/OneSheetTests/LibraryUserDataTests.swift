import Foundation
import PosterTesting
import Testing

/// `onesheet library export` and `erase` on a server's library.
@Suite(.timeLimit(.hang))
struct LibraryUserDataTests {
    private let folder = TemporaryFolder()

    @Test func aUserIsExportedAndErasedWithoutTheServer() async throws {
        let data = self.folder.path + "/data"
        let place = ["--library", data + "/library.sqlite"]
        var client = AppClient(server: try await InProcessServer(dataDirectory: data), language: "en")
        let token = try #require(try await client.send("POST", "/auth/device").body.token.text)
        client.token = token
        #expect(try await client.send("PUT", "/favourites/metropolis-1927").status == 201)
        let served = try await client.get("/account/export")
        let owner = try #require(served.owner.text)
        #expect(owner.hasPrefix("device:") && served.favourites.list.compactMap(\.title.text) == ["Metropolis"])

        let link = self.folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: data + "/library.sqlite")
        for path in [data + "/library.sqlite", link] {
            let refused = try await Program.run(["library", "erase", owner, "--library", path])
            #expect(refused.status == 1 && refused.errors.contains("a running onesheet uses"), "\(refused)")
        }
        let meanwhile = try await Program.run(["library", "export", owner] + place)
        #expect(meanwhile.status == 0, "\(meanwhile)")
        #expect(await client.server.stop() == 0)

        let exported = try await Program.run(["library", "export", owner] + place)
        let document = try JSON(Array(exported.output.utf8))
        #expect(document.version.int == 1 && document.owner.text == owner)
        #expect(document.favourites.list.compactMap(\.id.text) == ["metropolis-1927"])
        let erased = try await Program.run(["library", "erase", owner, "--json"] + place)
        let counts = try JSON(Array(erased.output.utf8))
        #expect(erased.status == 0 && counts.favourites.int == 1 && counts.sessions.int == 1, "\(erased)")
        let again = try await Program.run(["library", "erase", owner] + place)
        #expect(again.status == 0 && again.output.contains("nothing is stored about \(owner)"), "\(again)")
        let gone = try await Program.run(["library", "export", owner] + place)
        #expect(gone.status == 1 && gone.errors.contains("nothing is stored about \(owner)"), "\(gone)")

        let restarted = try await InProcessServer(dataDirectory: data)
        client = AppClient(server: restarted, language: "en", token: client.token)
        #expect(try await client.send("GET", "/favourites").status == 401)
        #expect(await restarted.stop() == 0)
    }

    @Test func whatNamesNoUserAndWhatIsNoLibraryIsRefused() async throws {
        let missing = self.folder.path + "/none.sqlite"
        for command in ["export", "erase"] {
            let unknown = try await Program.run(["library", command, "somebody", "--library", missing])
            #expect(unknown.status != 0 && unknown.errors.contains("'somebody' is not a user"), "\(unknown)")
            let absent = try await Program.run(["library", command, "tmdb:548", "--library", missing])
            #expect(absent.status == 1 && absent.errors.contains("there is no library at"), "\(absent)")
        }
    }
}
