import Foundation
import HTTPTesting
import MovieCompatibility
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct KOBISHTTPTests {
    private static let base = "/compat/kobis/kobisopenapi/webservice/rest"
    private static let daily = base + "/boxoffice/searchDailyBoxOfficeList"
    private static let weekly = base + "/boxoffice/searchWeeklyBoxOfficeList"
    private static let film = base + "/movie/searchMovieInfo"
    private static let films = base + "/movie/searchMovieList"

    private static func entry(_ rank: Int) throws -> BoxOfficeEntry {
        BoxOfficeEntry(
            rank: rank, rankChange: -2, isNew: rank == 1, movieID: try #require(MovieID("film-\(rank)")),
            title: "영화 \(rank)", releaseDate: CalendarDate("2024-05-01"),
            audience: .init(value: 1000, change: -3, changePercent: -13, total: 2000),
            sales: .init(value: 9_000_000_000, change: 5, changePercent: 0.5, total: 40_541_108_500),
            salesShare: 36.3, screens: 697, showings: 3223)
    }

    private static func fixture() throws -> MovieServicesFixture {
        var fixture = try MovieServicesFixture()
        let entries = try (1...10).map { try Self.entry($0) }
        let now = Instant(secondsSince1970: 1_714_910_400)
        fixture.services.boxOffice = ScriptedBoxOffice(source: .embedded, filters: [.origin], entries: entries)
        fixture.services.now = { now }
        return fixture
    }

    private static func object(_ answer: HTTPConnection.Answer, _ name: String) -> [String: Any] {
        JSON.object(answer.body)[name] as? [String: Any] ?? [:]
    }

    @Test func aDayHasItsRowsAsTexts() async throws {
        try await Self.fixture().run(.compatible()) { server in
            let answer = try await server.get(Self.daily + ".json?key=any&targetDt=20240501&itemPerPage=3")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json;charset=utf-8")
            let result = Self.object(answer, "boxOfficeResult")
            #expect(result["boxofficeType"] as? String == "일별 박스오피스")
            #expect(result["showRange"] as? String == "20240501~20240501" && result["yearWeekTime"] == nil)
            let rows = try #require(result["dailyBoxOfficeList"] as? [[String: String]])
            #expect(rows.count == 3)
            let expected = [
                "rnum": "1", "rank": "1", "rankInten": "-2", "rankOldAndNew": "NEW", "movieCd": "film-1",
                "movieNm": "영화 1", "openDt": "2024-05-01", "salesAmt": "9000000000", "salesShare": "36.3",
                "salesInten": "5", "salesChange": "0.5", "salesAcc": "40541108500", "audiCnt": "1000",
                "audiInten": "-3", "audiChange": "-13", "audiAcc": "2000", "scrnCnt": "697", "showCnt": "3223",
            ]
            #expect(rows[0] == expected)
        }
    }

    @Test func equalRequestsShareAResponseForAMomentAndFaultsDoNot() async throws {
        var fixture = try Self.fixture()
        fixture.services.sharedResponseLifetime = .seconds(3600)
        let source = ScriptedBoxOffice(source: .embedded, filters: [.origin], entries: [try Self.entry(1)])
        fixture.services.boxOffice = source
        try await fixture.run(.compatible()) { server in
            let target = Self.daily + ".json?key=any&targetDt=20240501"
            let first = try await server.get(target)
            let second = try await server.get(target)
            #expect(first.status == 200 && second.body == first.body && second.headers["vary"] == first.headers["vary"])
            #expect(second.headers["content-type"] == first.headers["content-type"])
            #expect(source.asked.count == 1)
            let client = try server.connect()
            try client.send(raw: "GET \(target) HTTP/1.1\r\nHost: other.test\r\n\r\n")
            #expect(try await client.answer().status == 200)
            #expect(source.asked.count == 2, "its URLs would be another host's")
            for _ in 0..<2 {
                let fault = try await server.get(Self.daily + ".json?key=any&targetDt=x")
                #expect(fault.headers["cache-control"] == "no-store")
            }
        }
    }

    @Test func aWeekNamesItsDays() async throws {
        try await Self.fixture().run(.compatible()) { server in
            for (number, name, range) in [
                ("", "주말", "20240426~20240428"), ("0", "주간", "20240422~20240428"), ("2", "주중", "20240422~20240425"),
            ] {
                let span = number.isEmpty ? "" : "&weekGb=\(number)"
                let answer = try await server.get(Self.weekly + ".json?targetDt=20240424\(span)&repNationCd=K")
                let result = Self.object(answer, "boxOfficeResult")
                #expect(result["boxofficeType"] as? String == "\(name) 박스오피스")
                #expect(result["showRange"] as? String == range && result["yearWeekTime"] as? String == "202417")
                #expect((result["weeklyBoxOfficeList"] as? [[String: String]])?.count == 10)
            }
        }
    }

    @Test func faultsHaveStatus200AndKOBISCodes() async throws {
        let keys = try ClientKeys("kobis right")
        try await Self.fixture().run(.compatible(keys: keys)) { server in
            for (target, code) in [
                (Self.daily + ".json?key=wrong&targetDt=20240501", "320010"), (Self.daily + ".json", "320010"),
                (Self.daily + ".json?key=right", "320102"), (Self.daily + ".json?key=right&targetDt=2025", "320103"),
                (Self.daily + ".json?key=right&targetDt=20240231", "320103"),
                (Self.weekly + ".json?key=right&targetDt=20240501&weekGb=3", "320105"),
                (Self.film + ".json?key=right", "320102"),
                (Self.daily + ".json?key=right&targetDt=20240501&itemPerPage=0", "320104"),
            ] {
                let answer = try await server.get(target)
                let fault = Self.object(answer, "faultInfo")
                #expect(answer.status == 200 && fault["errorCode"] as? String == code, "\(target)")
                #expect(answer.headers["cache-control"] == "no-store")
            }
            #expect(try await server.get(Self.daily + ".json?key=right&targetDt=20240501").text.contains("영화 1"))
        }
    }

    @Test func aDayWithoutFiguresHasNoRows() async throws {
        try await Self.fixture().run(.compatible()) { server in
            let answer = try await server.get(Self.daily + ".json?targetDt=20990101")
            let result = Self.object(answer, "boxOfficeResult")
            #expect((result["dailyBoxOfficeList"] as? [Any])?.isEmpty == true)
        }
    }

    @Test func xmlHasTheSameFields() async throws {
        try await Self.fixture().run(.compatible()) { server in
            let answer = try await server.get(Self.daily + ".xml?targetDt=20240501&itemPerPage=1")
            #expect(answer.headers["content-type"] == "text/xml;charset=utf-8")
            #expect(answer.text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?><boxOfficeResult>"))
            let start = "<dailyBoxOfficeList><dailyBoxOffice><rnum>1</rnum><rank>1</rank>"
            #expect(answer.text.contains(start))
            let fault = try await server.get(Self.daily + ".xml")
            #expect(fault.text.contains("<faultInfo><message>"))
        }
    }

    @Test func aFilmHasItsFactsInBothLanguages() async throws {
        let fixture = try Self.fixture()
        let id = try #require(MovieID("parasite-2019"))
        let summary = try #require(
            MovieSummary(
                id: id, title: "기생충", originalTitle: "Parasite", originalLanguage: .korean,
                releaseDate: CalendarDate("2019-05-30"),
                genres: [GenreID.drama, .history].map { Genre($0, in: LanguagePreference([.korean])) },
                directors: ["봉준호"]))
        let credits = Credits(
            cast: [.init(name: "송강호", role: "기택")],
            crew: [.director("봉준호", sourceJob: "감독"), .init(name: "홍경표", sourceJob: "촬영")])
        fixture.movies.add(
            Movie(
                summary: summary, runtimeMinutes: 132, countries: [.korea],
                certificate: Certificate("15세 관람가", in: .korea), credits: credits))
        try await fixture.run(.compatible()) { server in
            let result = Self.object(try await server.get(Self.film + ".json?movieCd=\(id)"), "movieInfoResult")
            #expect(result["source"] as? String == "영화진흥위원회")
            let film = try #require(result["movieInfo"] as? [String: Any])
            #expect(film["movieCd"] as? String == "parasite-2019" && film["movieNm"] as? String == "기생충")
            #expect(film["showTm"] as? String == "132" && film["openDt"] as? String == "20190530")
            #expect(film["prdtYear"] as? String == "2019" && film["typeNm"] as? String == "장편")
            #expect((film["directors"] as? [[String: String]])?.first?["peopleNm"] == "봉준호")
            #expect((film["actors"] as? [[String: String]])?.first?["cast"] == "기택")
            #expect((film["staffs"] as? [[String: String]])?.first?["staffRoleNm"] == "촬영")
            // In KOBIS' words, which differ from the domain's.
            #expect(film["nations"] as? [[String: String]] == [["nationNm": "한국"]])
            #expect(film["genres"] as? [[String: String]] == [["genreNm": "드라마"], ["genreNm": "사극"]])
            #expect((film["audits"] as? [[String: String]])?.first?["watchGradeNm"] == "15세이상관람가")
            let unknown = Self.object(try await server.get(Self.film + ".json?movieCd=nothing"), "movieInfoResult")
            #expect((unknown["movieInfo"] as? [String: Any])?.isEmpty == true, "which is no fault")
        }
    }

    @Test func pagesOfKOBISHaveAtMostAHundredFilms() async throws {
        let documents = ScriptedDocuments()
        let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(kobis: documents))
        try await Self.fixture().run(settings) { server in
            _ = try await server.get(Self.films + ".json?itemPerPage=9999&movieNm=a")
            let query = documents.requests.first?.query ?? []
            #expect(query.map(\.name) == ["itemPerPage", "movieNm"] && query.first?.value == "100")
        }
    }

    @Test func aListCountsItsFilms() async throws {
        let fixture = try Self.fixture()
        let films = try (1...5).map { number in
            let id = try #require(MovieID("film-\(number)"))
            return try #require(MovieSummary(id: id, title: "영화 \(number)", year: 2000 + number))
        }
        for film in films { fixture.movies.add(Movie(summary: film)) }
        fixture.catalogue.set(films, for: .search(try #require(MovieQuery("영화"))))
        try await fixture.run(.compatible()) { server in
            let title = "movieNm=%EC%98%81%ED%99%94"
            let result = Self.object(
                try await server.get(Self.films + ".json?\(title)&itemPerPage=2&curPage=2"), "movieListResult")
            #expect(result["totCnt"] as? Int == 5)
            let rows = try #require(result["movieList"] as? [[String: Any]])
            #expect(rows.map { $0["movieCd"] as? String } == ["film-3", "film-4"])
            #expect(rows.first?["prdtYear"] as? String == "2003")
            let beyond = Self.object(
                try await server.get(Self.films + ".json?\(title)&itemPerPage=2&curPage=600"), "movieListResult")
            #expect(beyond["totCnt"] as? Int == 5 && (beyond["movieList"] as? [Any])?.isEmpty == true)
            let filtered = Self.object(
                try await server.get(Self.films + ".json?\(title)&prdtStartYear=2004"), "movieListResult")
            #expect(filtered["totCnt"] as? Int == 2)
        }
    }
}
