import HTTPSemantics
import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// BoxOffice2 and BoxOffice-Upgrade.ver with a server without keys: each row of the box office has details and a
/// poster.
@Suite(.timeLimit(.hang))
struct KeylessBoxOfficeAppTests {
    private static func day(_ client: AppClient, _ day: String) async throws -> [OrderedJSON] {
        let parameters = [
            (name: "key", value: client.key), ("targetDt", day), ("itemPerPage", "10"), ("wideAreaCd", "0105001"),
        ]
        let list = try await client.json(.kobis, "/boxoffice/searchDailyBoxOfficeList.json", parameters)
        return list["boxOfficeResult"]?["dailyBoxOfficeList"]?.elements ?? []
    }

    private static func details(_ client: AppClient, _ code: String) async throws -> OrderedJSON {
        let result = try await client.json(
            .kobis, "/movie/searchMovieInfo.json", [("key", client.key), ("movieCd", code)])
        return try #require(result["movieInfoResult"]?["movieInfo"])
    }

    /// The first film found in Naver's format by a title and the year at the beginning of `openDt`.
    private static func found(_ client: AppClient, _ title: String, _ opening: String) async throws -> OrderedJSON? {
        let year = String(opening.prefix(4))
        let found = try await client.json(
            .naver, "/v1/search/movie.json",
            [("query", title), ("display", "1"), ("yearfrom", year), ("yearto", year)])
        return found["items"]?.elements.first
    }

    @Test(arguments: ["20260527", "20260101", "20250704", "20040102"])
    func everyRowHasItsPosterAndDetails(day: String) async throws {
        try await CatalogueFixture.common.serve { server in
            let client = AppClient(server: server, key: "any")
            let rows = try await Self.day(client, day)
            #expect(rows.count == 10)
            for row in rows {
                let (code, title) = (try #require(row["movieCd"]?.string), try #require(row["movieNm"]?.string))
                let opening = try #require(row["openDt"]?.string)
                let item = try #require(try await Self.found(client, title, opening), "\(title) \(opening)")
                #expect(item["link"]?.string?.hasSuffix("/films/\(code)") == true, "\(title)")
                #expect(item["image"]?.string?.hasPrefix("http://localhost/poster/") == true, "\(title)")
                let film = try await Self.details(client, code)
                #expect(film["openDt"]?.string == opening.filter { $0 != "-" }, "\(title)")
            }
        }
    }

    @Test func everyFilmHasTheElementsThatAppsReadFirst() async throws {
        let fixture = try CatalogueFixture.common
        let films = try await fixture.services.allFilms(language: LanguagePreference([.korean]), pageLimit: 50)
        try await fixture.serve { server in
            let client = AppClient(server: server, key: "any")
            for id in films.map(\.id.key) {
                let film = try await Self.details(client, id)
                let title = try #require(film["movieNm"]?.string)
                #expect(film["audits"]?.elements.first?["watchGradeNm"]?.string?.isEmpty == false, "\(id)")
                #expect(film["genres"]?.elements.first?["genreNm"]?.string?.isEmpty == false, "\(id)")
                #expect(film["directors"]?.elements.first?["peopleNm"]?.string?.isEmpty == false, "\(id)")
                let item = try await Self.found(client, title, try #require(film["openDt"]?.string))
                #expect(item?["link"]?.string?.hasSuffix("/films/\(id)") == true, "\(id)")
                let pictures = try await client.json(.kakao, "/v2/search/image", [("query", "\(title) 영화포스터")])
                #expect(
                    pictures["documents"]?.elements.first?["doc_url"]?.string?.hasSuffix("/films/\(id)") == true,
                    "\(id)")
            }
        }
    }

    @Test func aFilmWithoutRatingAndGenreHasOthers() {
        guard let id = MovieID("a"), let summary = MovieSummary(id: id, title: "b", year: 1968) else {
            Issue.record("no film")
            return
        }
        let movie = Movie(summary: summary)
        let film = KOBISFilmDocument(
            korean: movie, english: movie, koreanCredits: movie.credits, englishCredits: movie.credits)
        let info = KOBISFilmDocument.document(film, code: "a")["movieInfoResult"]?["movieInfo"]
        #expect(info?["audits"] == [["auditNo": "", "watchGradeNm": "등급미정"]])
        #expect(info?["genres"] == [["genreNm": "기타"]])
        #expect(info?["openDt"] == "19680101")
    }
}
