import FoundationEssentials
import MovieDomain
import MovieSources
import MovieTesting
import PosterTesting
import Testing

/// Recorded responses of KOBIS, over HTTP.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"))
struct KOBISSampleTests {
    /// A recorded box office and its period.
    struct Recorded: Sendable, CustomTestStringConvertible {
        let file: String
        let period: BoxOfficePeriod?
        let query: [String: String]
        let count: Int

        var testDescription: String { self.file }
    }

    /// A row in the recorded files: all members are present and texts.
    private struct Row: Decodable {
        let rank, rankInten, rankOldAndNew, movieCd, movieNm, openDt: String
        let salesAmt, salesShare, salesInten, salesChange, salesAcc: String
        let audiCnt, audiInten, audiChange, audiAcc, scrnCnt, showCnt: String
    }

    private struct Answer: Decodable {
        struct Result: Decodable {
            let dailyBoxOfficeList, weeklyBoxOfficeList: [Row]?
        }

        let boxOfficeResult: Result
    }

    private static func day(_ text: String) -> BoxOfficePeriod? { CalendarDate(text).map { BoxOfficePeriod(day: $0) } }

    private static func days(_ span: BoxOfficePeriod.Span, _ text: String) -> BoxOfficePeriod? {
        CalendarDate(text).map { BoxOfficePeriod(span, around: $0) }
    }

    private static let daily = "/boxoffice/searchDailyBoxOfficeList.json"
    private static let weekly = "/boxoffice/searchWeeklyBoxOfficeList.json"

    @Test(
        "every row of a recorded box office is there with all its figures",
        arguments: [
            Recorded(
                file: "daily_20120101", period: Self.day("2012-01-01"), query: ["targetDt": "20120101"], count: 10),
            Recorded(
                file: "daily_20220105", period: Self.day("2022-01-05"), query: ["targetDt": "20220105"], count: 10),
            Recorded(
                file: "daily_20220315", period: Self.day("2022-03-15"), query: ["targetDt": "20220315"], count: 10),
            Recorded(
                file: "daily_20221221", period: Self.day("2022-12-21"), query: ["targetDt": "20221221"], count: 10),
            Recorded(
                file: "weekend_20120101", period: Self.days(.weekend, "2012-01-01"),
                query: ["targetDt": "20111230", "weekGb": "1"], count: 10),
            Recorded(
                file: "weekly_20150104_first4", period: Self.days(.week, "2015-01-04"),
                query: ["targetDt": "20141229", "weekGb": "0"], count: 4),
        ])
    func boxOffice(_ recorded: Recorded) async throws {
        let bytes = try Samples.bytes("kobis/\(recorded.file).json")
        let result = try JSONDecoder().decode(Answer.self, from: Data(bytes)).boxOfficeResult
        let rows = result.dailyBoxOfficeList ?? result.weeklyBoxOfficeList ?? []
        let period = try #require(recorded.period)
        try await withAdapters { fixture in
            let query = recorded.query.merging(["key": "key-of-kobis", "itemPerPage": "10"]) { first, _ in first }
            fixture.upstream.on("GET", period.span == nil ? Self.daily : Self.weekly, query: query, .json(bytes))
            let found = try await KOBISBoxOffice(fixture.kobis).boxOffice(of: period, language: .korean)
            #expect(found.period == period && found.source == .kobis)
            #expect(found.entries.count == recorded.count && rows.count == recorded.count)
            for (entry, row) in zip(found.entries, rows) {
                #expect("\(entry.rank)" == row.rank && "\(entry.movieID)" == "kobis:\(row.movieCd)")
                #expect(entry.rankChange == Int(row.rankInten) && entry.isNew == (row.rankOldAndNew == "NEW"))
                #expect(entry.title == row.movieNm.trimmingPrefix(" ").description.trimmedEnd)
                #expect(entry.releaseDate?.description == row.openDt)
                #expect("\(entry.audience.value)" == row.audiCnt && "\(entry.audience.total)" == row.audiAcc)
                #expect(entry.audience.change == Int(row.audiInten))
                #expect(entry.audience.changePercent == Double(row.audiChange))
                #expect("\(entry.sales.value)" == row.salesAmt && "\(entry.sales.total)" == row.salesAcc)
                #expect(entry.sales.change == Int(row.salesInten))
                #expect(entry.sales.changePercent == Double(row.salesChange))
                #expect(entry.salesShare == Double(row.salesShare))
                #expect("\(entry.screens)" == row.scrnCnt && "\(entry.showings)" == row.showCnt)
            }
        }
    }

    @Test func whatTheAppsShowOfABoxOffice() async throws {
        let period = try #require(Self.day("2012-01-01"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.daily, .json(try Samples.bytes("kobis/daily_20120101.json")))
            let entries = try await KOBISBoxOffice(fixture.kobis).boxOffice(of: period, language: .korean).entries
            #expect(entries[0].title == "미션임파서블:고스트프로토콜" && entries[0].sales.total == 40_541_108_500)
            #expect(entries[0].audience.value == 353_274 && entries[0].audience.change == -60_106)
            #expect(entries[2].rankChange == -1 && entries[3].isNew && entries[3].title == "퍼펙트 게임")
            #expect(entries[4].title == "프렌즈: 몬스터섬의비밀", "without the space at the end")
            #expect(entries[5].releaseDate?.description == "1994-07-02", "a film shown again")
        }
    }

    private func movie(_ code: String, _ language: LanguagePreference) async throws -> (Movie?, Credits?) {
        var found: (Movie?, Credits?)
        try await withAdapters { fixture in
            fixture.upstream.on(
                "GET", "/movie/searchMovieInfo.json", query: ["movieCd": code],
                .json(try Samples.bytes("kobis/movie_info_\(code).json")))
            let (movies, id) = (KOBISMovies(fixture.kobis), try #require(MovieID("kobis:\(code)")))
            found.0 = try await movies.movie(id, language: language)
            found.1 = try await movies.credits(of: id, language: language)
            #expect(fixture.upstream.requests.count == 1, "facts and credits are one answer")
        }
        return found
    }

    @Test func factsAndAllCreditsOfAFilm() async throws {
        let found = try await self.movie("20124079", .korean)
        let (movie, credits) = (try #require(found.0), try #require(found.1))
        #expect(movie.summary.title == "광해, 왕이 된 남자" && movie.summary.originalTitle == "광해, 왕이 된 남자")
        #expect(movie.summary.originalLanguage == .korean)
        #expect(movie.summary.releaseDate?.description == "2012-09-13" && movie.summary.year == 2012)
        #expect(movie.runtimeMinutes == 131 && movie.status == .released)
        #expect(movie.certificate == Certificate("15", in: .korea))
        #expect(movie.summary.genres.map(\.id) == [.history, .drama] && movie.countries == [.korea])
        #expect(movie.directors == ["추창민"] && movie.summary.cast == ["이병헌", "류승룡", "한효주"])
        #expect(movie.credits.cast.count == 20 && credits.cast.count == 36 && credits.crew.count == 346)
        #expect(credits.cast[0] == .init(name: "이병헌", role: "광해/하선"))
        #expect(credits.cast[35] == .init(name: "이은정", role: "광해상궁"))
        #expect(credits.crew[0] == .director("추창민", sourceJob: "감독"))
        #expect(credits.crew[345] == .init(name: "백명기", sourceJob: "VFX 아티스트"))
        #expect(credits.crew[345].job == .visualEffects && credits.crew[345].department == .visualEffects)
        #expect(credits.crew.count { $0.job == .other } < 10)
        let information = Dictionary(movie.information.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(information[.productionYear] == "2012" && information[.type] == "장편")
        #expect(information[.distributors] == "(주)씨제이이엔엠" && information[.salesCompanies] == "CJ ENM")
        #expect(information[.productionCompanies] == "리얼라이즈픽쳐스(주), (주)씨제이이엔엠")
        #expect(information[.screeningTypes]?.hasPrefix("필름, 필름 청각장애인용 자막, 2D 디지털") == true)
    }

    @Test func aFilmInEnglish() async throws {
        let movie = try #require(try await self.movie("20199882", .english).0)
        #expect(movie.summary.title == "The Policeman’s Lineage" && movie.summary.originalTitle == "경관의 피")
        #expect(movie.directors == ["LEE Kyuman"])
        #expect(movie.credits.cast[0] == .init(name: "CHO Jin-woong", originalName: "조진웅", role: "박강윤"))
    }

    @Test func aFilmWithoutStaffAndWithUnnamedParts() async throws {
        let found = try await self.movie("20218541", .korean)
        let movie = try #require(found.0)
        #expect(movie.summary.title == "밀수" && movie.summary.year == 2023 && movie.runtimeMinutes == 129)
        #expect(found.1?.cast.map(\.role) == Array(repeating: "", count: 6) && found.1?.crew.count == 1)
    }

    @Test(
        "faults come with status 200",
        arguments: [
            ("fault_320010_invalid_key", SourceFailure.keyRefused(.kobis)),
            ("fault_320102_missing_date", .badAnswer(.kobis, reason: "fault 320102")),
            ("fault_320103_bad_date", .badAnswer(.kobis, reason: "fault 320103")),
        ])
    func faults(file: String, failure: SourceFailure) async throws {
        let period = try #require(Self.day("2022-01-05"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.daily, .json(try Samples.bytes("kobis/\(file).json")))
            let boxOffice = KOBISBoxOffice(fixture.kobis)
            await #expect(throws: failure) { try await boxOffice.boxOffice(of: period, language: .korean) }
        }
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
