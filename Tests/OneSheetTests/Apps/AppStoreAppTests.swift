import Foundation
import PosterTesting
import Testing

/// An app-store clone: today, paged search, details made of sections.
@Suite(.timeLimit(.hang))
struct AppStoreAppTests {
    private let folder = TemporaryFolder()

    private func app() async throws -> AppClient {
        AppClient(server: try await InProcessServer(dataDirectory: self.folder.path + "/data"))
    }

    @Test func todayShowsOneLargeAndSeveralSmall() async throws {
        let app = try await self.app()
        let today = try await app.get("/apps/today")
        #expect(today.featured.name.text?.isEmpty == false)
        #expect(today["list"].list.count == 5)
        let icon = try await app.picture(today.featured.icon.url.text)
        #expect(icon.status == 200)
        _ = await app.server.stop()
    }

    @Test func searchIsReadByOffsetsToItsEnd() async throws {
        let app = try await self.app()
        var ids: [String] = []
        var hasMore = true
        while hasMore {
            let page = try await app.get("/apps/search?term=a&offset=\(ids.count)&limit=5")
            #expect(page.offset.int == ids.count)
            ids += page.results.list.compactMap(\.id.text)
            hasMore = try #require(page.hasMore.bool as Bool?)
            try #require(ids.count <= 200)
        }
        #expect(ids.count > 5)
        #expect(Set(ids).count == ids.count)
        #expect(try await app.get("/apps/search?term=qqqqzzzz").results.list.isEmpty)
        _ = await app.server.stop()
    }

    @Test func detailsAreMadeOfSections() async throws {
        let app = try await self.app()
        let found = try await app.get("/apps/search?term=a&limit=50")
        var withNotes = 0
        for each in found.results.list {
            let detail = try await app.get("/apps/\(try #require(each.id.text))")
            let types = detail.sections.list.compactMap(\.type.text)
            let order = ["top", "summary", "gallery", "description", "releaseNotes", "information"]
            #expect(types == order.filter(types.contains))
            #expect(types.contains("top") && types.contains("information"))
            let notes = detail.sections.list.first { $0.type.text == "releaseNotes" }
            #expect(notes.map { $0.notes.text?.isEmpty == false } ?? true)
            withNotes += notes == nil ? 0 : 1
            let top = try #require(detail.sections.list.first)
            #expect(top.price.text?.isEmpty == false)
            let summary = detail.sections.list.first { $0.type.text == "summary" }
            #expect(summary?.items.list.count == 4)
        }
        #expect((1..<found.results.list.count).contains(withNotes))
        let first = try await app.get("/apps/\(try #require(found.results[0].id.text))")
        let gallery = try #require(first.sections.list.first { $0.type.text == "gallery" })
        let screenshot = try await app.picture(gallery.pictures[0].url.text)
        #expect(screenshot.status == 200)
        #expect(try await app.send("GET", "/apps/app-that-is-not-there").status == 404)
        _ = await app.server.stop()
    }
}
