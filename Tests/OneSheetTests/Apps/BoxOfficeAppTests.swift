import Foundation
import PosterTesting
import Testing

/// Two box-office apps: one with days, weekdays, weekends and details; one with a calendar, as a list and as icons.
@Suite(.timeLimit(.hang))
struct BoxOfficeAppTests {
    private let folder = TemporaryFolder()

    private func app() async throws -> AppClient {
        AppClient(server: try await InProcessServer(dataDirectory: self.folder.path + "/data"))
    }

    /// The date `days` days ago in Seoul.
    private func day(ago days: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 9 * 3600)!
        let parts = calendar.dateComponents([.year, .month, .day], from: Date() - Double(days) * 86_400)
        return String(format: "%04d-%02d-%02d", parts.year!, parts.month!, parts.day!)
    }

    @Test(arguments: [
        "/box-office/daily", "/box-office/weekly?span=weekdays", "/box-office/weekly?span=weekend",
        "/box-office/weekly?span=week",
    ])
    func everyListHasWhatItsCellsShow(target: String) async throws {
        let app = try await self.app()
        let page = try await app.get(target)
        #expect(page.results.list.count == 10)
        #expect(page.results.list.compactMap(\.rank.int) == Array(1...10))
        for entry in page.results.list {
            #expect(entry.title.text?.isEmpty == false)
            #expect(entry.rankChange.int != nil && entry.isNew.bool != nil)
            #expect(entry.audience.value.int.map { $0 > 0 } == true)
            #expect(entry.audience.total.int ?? 0 >= entry.audience.value.int ?? 1)
            #expect(entry.sales.value.int.map { $0 > 0 } == true)
            #expect(entry.poster.url.text?.hasPrefix("/poster/") == true)
            #expect(entry.code.text?.isEmpty == false)
        }
        _ = await app.server.stop()
    }

    @Test func aCellLeadsToDetailsWithCastAndAgeLimit() async throws {
        let app = try await self.app()
        let entry = try await app.get("/box-office/daily").results[0]
        let film = try await app.get("/box-office/movies/\(try #require(entry.code.text))")
        #expect(film.title.text == entry.title.text)
        #expect(film.year.exists && film.runtimeMinutes.exists)
        #expect(film.sections.list.contains { $0.type.text == "cast" && !$0.members.list.isEmpty })
        #expect(!film.directors.list.isEmpty && !film.genres.list.isEmpty)
        let poster = try await app.picture(entry.poster.url.text)
        #expect(poster.status == 200)
        #expect(try await app.send("GET", "/box-office/movies/no-such-1900").status == 404)
        _ = await app.server.stop()
    }

    @Test func theCalendarShowsYesterdayFirstAndRefusesDaysThatHaveNoFigures() async throws {
        let app = try await self.app()
        let first = try await app.get("/box-office/daily")
        let yesterday = try await app.get("/box-office/daily?date=\(first.from.text ?? "")")
        #expect([self.day(ago: 1), self.day(ago: 2)].contains(first.from.text))
        #expect(yesterday.results.list.compactMap(\.code.text) == first.results.list.compactMap(\.code.text))
        let older = try await app.get("/box-office/daily?date=2020-02-29")
        #expect(older.results.list.compactMap(\.title.text) != [])
        #expect(older.from.text == "2020-02-29")
        for wrong in [self.day(ago: -2), "1999-01-01", "2023-02-29", "20230228"] {
            let answer = try await app.send("GET", "/box-office/daily?date=\(wrong)")
            #expect(answer.status == 400, "\(wrong)")
            #expect(answer.headers["content-type"] == "application/problem+json")
        }
        let tooEarly = try await app.send("GET", "/box-office/daily?date=1999-01-01")
        #expect(tooEarly.body.detail.text?.contains("2003-11-11") == true, "\(tooEarly.text)")
        #expect(tooEarly.body.earliest.text == "2003-11-11" && older.earliest.text == "2003-11-11")
        #expect(tooEarly.body.latest.text == older.latest.text && older.latest.text == first.latest.text)
        _ = await app.server.stop()
    }

    @Test func textComesBeforeAnyPoster() async throws {
        let app = try await self.app()
        _ = try await app.get("/box-office/daily")
        let metrics = try await app.server.get("/metrics").text
        let renders = metrics.split(separator: "\n").filter { $0.hasPrefix("onesheet_renders_total") }
        #expect(renders.allSatisfy { $0.hasSuffix(" 0") }, "\(renders)")
        _ = await app.server.stop()
    }
}
