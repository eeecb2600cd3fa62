import MovieDomain
import MovieSources
import MovieTesting
import PosterTesting
import Testing

struct KOBISTests {
    private static let daily = "/boxoffice/searchDailyBoxOfficeList.json"
    private static let weekly = "/boxoffice/searchWeeklyBoxOfficeList.json"
    private static let details = "/movie/searchMovieInfo.json"

    private static func row(rank: String, code: String, title: String, more: String = "") -> String {
        """
        {"rank": "\(rank)", "rankInten": "-2", "rankOldAndNew": "OLD", "movieCd": "\(code)", "movieNm": "\(title)", \
        "openDt": " ", "salesAmt": "1", "salesAcc": "40541108500", "audiCnt": "2", "audiInten": "", "audiAcc": "3"\(more)}
        """
    }

    private static func list(_ rows: [String], name: String = "dailyBoxOfficeList") -> OriginScript {
        .json("{\"boxOfficeResult\": {\"boxofficeType\": \"x\", \"\(name)\": [\(rows.joined(separator: ", "))]}}")
    }

    @Test func anEmptyDayIsAskedForAgainAfterFiveMinutes() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/boxoffice/searchDailyBoxOfficeList.json", Self.list([]))
            let boxOffice = KOBISBoxOffice(fixture.kobis)
            let long = try self.day("2022-01-07")
            for _ in 0..<2 {
                let answer = try await boxOffice.boxOffice(of: long, language: .korean)
                #expect(answer.entries.isEmpty)
            }
            fixture.time.advance(seconds: 299)
            _ = try await boxOffice.boxOffice(of: long, language: .korean)
            #expect(fixture.upstream.requests.count == 1)
            fixture.time.advance(seconds: 1)
            _ = try await boxOffice.boxOffice(of: long, language: .korean)
            #expect(fixture.upstream.requests.count == 2)
        }
    }

    private func day(_ text: String) throws -> BoxOfficePeriod {
        BoxOfficePeriod(day: try #require(CalendarDate(text)))
    }

    @Test func aBadRowDoesNotLoseTheOthersAndTheyAreInOrder() async throws {
        let day = try self.day("2022-01-05")
        try await withAdapters { fixture in
            let rows = [
                Self.row(rank: "2", code: "2023C165", title: "둘 "), "null", "7",
                Self.row(rank: "", code: "1", title: "x"),
                Self.row(rank: "1", code: "20124079", title: "하나"), Self.row(rank: "3", code: "../..", title: "x"),
            ]
            fixture.upstream.on("GET", Self.daily, Self.list(rows))
            let entries = try await KOBISBoxOffice(fixture.kobis).boxOffice(of: day, language: .english).entries
            #expect(entries.map(\.title) == ["하나", "둘"] && entries[1].movieID.key == "2023C165")
            #expect(entries[0].releaseDate == nil && entries[0].audience.change == nil && entries[0].rankChange == -2)
        }
    }

    @Test func everyFilmIsListedOnceAndAtMostTenAre() async throws {
        let day = try self.day("2022-01-05")
        try await withAdapters { fixture in
            let rows = (1...30).map { Self.row(rank: "\($0)", code: "\(($0 - 1) / 2)", title: "\($0)") }
            fixture.upstream.on("GET", Self.daily, Self.list(rows.reversed()))
            let entries = try await KOBISBoxOffice(fixture.kobis).boxOffice(of: day, language: .korean).entries
            #expect(entries.map(\.rank) == stride(from: 1, to: 20, by: 2).map { $0 }, "the better rank stays")
            #expect(Set(entries.map(\.movieID)).count == 10)
        }
    }

    @Test func anEmptyListIsAnAnswer() async throws {
        let day = try self.day("2022-01-05")
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.daily, Self.list([]))
            let found = try await KOBISBoxOffice(fixture.kobis).boxOffice(of: day, language: .korean)
            #expect(found.entries.isEmpty && found.period == day)
        }
    }

    @Test(
        "a span of days is asked for by its number, and an area by its code",
        arguments: [
            (BoxOfficePeriod.Span.week, "0", "20230102"), (.weekend, "1", "20230106"), (.weekdays, "2", "20230102"),
        ])
    func spans(span: BoxOfficePeriod.Span, number: String, day: String) async throws {
        let period = BoxOfficePeriod(span, around: try #require(CalendarDate("2023-01-04")))
        let seoul = try #require(BoxOfficeArea("0105001"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.weekly, Self.list([], name: "weeklyBoxOfficeList"))
            _ = try await KOBISBoxOffice(fixture.kobis, area: seoul).boxOffice(of: period, language: .korean)
            let query = try #require(fixture.upstream.requests.first).query
            #expect(query["weekGb"] == number && query["targetDt"] == day && query["wideAreaCd"] == "0105001")
        }
    }

    @Test func theFirstDay() async throws {
        try await withAdapters { fixture in
            #expect(KOBISBoxOffice(fixture.kobis).firstDay.description == "2003-11-11")
        }
    }

    @Test func whatABoxOfficeSaysOfAFilmIsRemembered() async throws {
        let day = try self.day("2022-01-05")
        let (opened, undated) = (try #require(MovieID("kobis:1")), try #require(MovieID("kobis:2")))
        try await withAdapters { fixture in
            let rows = [Self.row(rank: "1", code: "1", title: "하나"), Self.row(rank: "2", code: "2", title: "둘")]
            let dated = rows[0].replacing(#""openDt": " ""#, with: #""openDt": "2021-12-15""#)
            fixture.upstream.on("GET", Self.daily, Self.list([dated, rows[1]]))
            let listed = KOBISListedFilms()
            #expect(listed.terms(for: opened) == nil)
            _ = try await KOBISBoxOffice(fixture.kobis, listed: listed).boxOffice(of: day, language: .korean)
            let terms = try #require(listed.terms(for: opened))
            #expect(terms.titles == ["하나"] && terms.year == 2021 && terms.opening == CalendarDate("2021-12-15"))
            #expect(listed.terms(for: undated) == nil, "a title alone is not enough")
            let pictures = MoviePictureRepository(KOBISMovies(fixture.kobis), listed: { listed.terms(for: $0) })
            #expect(try await pictures.sourcePoster(of: opened) == .none)
            #expect(pictures.listedTerms(for: opened) == terms)
            #expect(fixture.upstream.requests.count == 1, "the film itself is not asked for")
        }
    }

    @Test func filtersAreParameters() async throws {
        let day = try self.day("2022-01-05")
        let (seoul, busan) = (try #require(BoxOfficeArea("0105001")), try #require(BoxOfficeArea("0105002")))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.daily, Self.list([Self.row(rank: "1", code: "1", title: "a")]))
            let boxOffice = KOBISBoxOffice(fixture.kobis, area: seoul)
            let cases: [(BoxOfficeFilter, applied: BoxOfficeFilter, area: String?, origin: String?, films: String?)] = [
                (BoxOfficeFilter(), BoxOfficeFilter(area: seoul), "0105001", nil, nil),
                (BoxOfficeFilter(area: busan), BoxOfficeFilter(area: busan), "0105002", nil, nil),
                (BoxOfficeFilter(area: .all), BoxOfficeFilter(), nil, nil, nil),
                (BoxOfficeFilter(area: .all, origin: .korean), BoxOfficeFilter(origin: .korean), nil, "K", nil),
                (BoxOfficeFilter(area: .all, origin: .foreign), BoxOfficeFilter(origin: .foreign), nil, "F", nil),
                (BoxOfficeFilter(area: .all, films: .diversity), BoxOfficeFilter(films: .diversity), nil, nil, "Y"),
                (BoxOfficeFilter(area: .all, films: .commercial), BoxOfficeFilter(films: .commercial), nil, nil, "N"),
            ]
            for (filter, applied, area, origin, films) in cases {
                let found = try await boxOffice.boxOffice(of: day, matching: filter, language: .korean)
                #expect(found.filter == applied)
                let query = try #require(fixture.upstream.requests.last).query
                #expect(query["wideAreaCd"] == area && query["repNationCd"] == origin && query["multiMovieYn"] == films)
            }
            // Each filter is stored separately.
            let count = fixture.upstream.requests.count
            #expect(count == cases.count)
            for (filter, applied, _, _, _) in cases {
                let found = try await boxOffice.boxOffice(of: day, matching: filter, language: .korean)
                #expect(found.filter == applied)
            }
            #expect(fixture.upstream.requests.count == count)
        }
    }

    @Test(
        "faults are distinguished",
        arguments: [
            ("320010", SourceFailure.keyRefused(.kobis)),
            ("320011", .busy(.kobis, retryAfterSeconds: AdapterFixture.secondsLeftInSeoul)),
            ("320099", .busy(.kobis, retryAfterSeconds: AdapterFixture.secondsLeftInSeoul)),
            ("320105", .badAnswer(.kobis, reason: "fault 320105")), ("x\\ny", .badAnswer(.kobis, reason: "fault ")),
        ])
    func faults(code: String, failure: SourceFailure) async throws {
        let day = try self.day("2022-01-05")
        try await withAdapters { fixture in
            fixture.upstream.on(
                "GET", Self.daily, .json("{\"faultInfo\": {\"message\": \"m\", \"errorCode\": \"\(code)\"}}"))
            let boxOffice = KOBISBoxOffice(fixture.kobis)
            await #expect(throws: failure) { try await boxOffice.boxOffice(of: day, language: .korean) }
            await #expect(throws: failure) { try await boxOffice.boxOffice(of: day, language: .korean) }
            let isBusy = if case .busy = failure { true } else { false }
            #expect(fixture.upstream.requests.count == (isBusy ? 1 : 2), "faults are not kept, but heeded")
            fixture.time.advance(seconds: Int64(AdapterFixture.secondsLeftInSeoul))
            await #expect(throws: SourceFailure.self) { try await boxOffice.boxOffice(of: day, language: .korean) }
            #expect(fixture.upstream.requests.count == (isBusy ? 2 : 3))
        }
    }

    @Test(
        "no such film, however it is said",
        arguments: [
            #"{"movieInfoResult": {"source": "영화진흥위원회"}}"#, #"{"movieInfoResult": {"movieInfo": {}, "source": "x"}}"#,
            #"{"movieInfoResult": {"movieInfo": null}}"#, #"{"movieInfoResult": {"movieInfo": {"movieCd": ""}}}"#,
        ])
    func unknown(body: String) async throws {
        let id = try #require(MovieID("kobis:99999999"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.details, .json(body))
            let answer = try await KOBISMovies(fixture.kobis).movie(id, language: .korean)
            #expect(answer == nil)
        }
    }

    @Test func aFilmWithoutAnythingButATitle() async throws {
        let id = try #require(MovieID("kobis:1"))
        try await withAdapters { fixture in
            fixture.upstream.on(
                "GET", Self.details, .json(#"{"movieInfoResult": {"movieInfo": {"movieCd": 1, "movieNm": "제목 "}}}"#))
            let movie = try #require(try await KOBISMovies(fixture.kobis).movie(id, language: .english))
            #expect(movie.summary.title == "제목" && movie.certificate == nil && movie.runtimeMinutes == nil)
            #expect(movie.summary.genres.isEmpty && movie.directors.isEmpty && movie.information.isEmpty)
            #expect(movie.releases.isEmpty)
        }
    }

    @Test func aForeignFilmThatIsShownAgainIsOfItsOwnYear() async throws {
        let id = try #require(MovieID("kobis:19940256"))
        let info = """
            {"movieInfoResult": {"movieInfo": {"movieCd": "19940256", "movieNm": "제칠의 봉인", "movieNmEn": "The Seventh Seal", \
            "movieNmOg": "Det sjunde inseglet", "prdtYear": "1957", "openDt": "20120105", \
            "nations": [{"nationNm": "스웨덴"}], "audits": [{"watchGradeNm": "12세이상관람가"}, {"watchGradeNm": "전체관람가"}]}}}
            """
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.details, .json(info))
            let movies = KOBISMovies(fixture.kobis)
            let korean = try #require(try await movies.movie(id, language: .korean))
            #expect(korean.summary.title == "제칠의 봉인" && korean.summary.originalTitle == "Det sjunde inseglet")
            #expect(korean.summary.year == 1957 && korean.summary.releaseDate?.description == "2012-01-05")
            #expect(
                korean.certificate == Certificate("12", in: .korea) && korean.countries.map(\.code) == ["SE"]
                    && korean.summary.originalLanguage == nil)
            #expect(
                korean.releases == [
                    Release(
                        country: .korea, date: CalendarDate("2012-01-05"), kind: .theatrical,
                        certificate: Certificate("12", in: .korea))
                ])
            #expect(korean.information.contains(.init(name: .certificates, value: "12세 이상, 전체 관람가")))
            let swedish = LanguagePreference([Language("sv")].compactMap { $0 })
            let answer = try await movies.movie(id, language: swedish)
            #expect(answer?.summary.title == "Det sjunde inseglet")
            #expect(fixture.upstream.requests.count == 1, "all languages are one answer")
        }
    }

    @Test func pastDaysAreAskedForOnce() async throws {
        let day = try self.day("2022-01-05")
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.daily, Self.list([Self.row(rank: "1", code: "1", title: "a")]))
            let boxOffice = KOBISBoxOffice(fixture.kobis)
            let first = try await boxOffice.boxOffice(of: day, language: .korean)
            let second = try await boxOffice.boxOffice(of: day, language: .english)
            #expect(first == second && fixture.upstream.requests.count == 1)
            let answer = try await KOBISBoxOffice(fixture.kobis).boxOffice(of: day, language: .korean)
            #expect(answer == first)
            #expect(fixture.upstream.requests.count == 1, "another client finds it in the store")
        }
    }

    @Test func figuresOfAPartOfAWeekAreNotThoseOfTheWeek() async throws {
        try await withAdapters { fixture in
            let part = Self.list([Self.row(rank: "1", code: "1", title: "a")], name: "weeklyBoxOfficeList")
            let whole = Self.list([Self.row(rank: "1", code: "2", title: "b")], name: "weeklyBoxOfficeList")
            fixture.upstream.on("GET", Self.weekly, inTurn: [part, whole])
            let boxOffice = KOBISBoxOffice(fixture.kobis)
            let today = fixture.time.now().dateInSeoul
            let week = BoxOfficePeriod(.week, around: today)
            let friday = try await boxOffice.boxOffice(of: week, language: .korean)
            #expect(friday.entries.map(\.title) == ["a"])
            fixture.time.advance(seconds: Int64(week.to.dayNumber - today.dayNumber + 1) * 86_400)
            let monday = try await boxOffice.boxOffice(of: week, language: .korean)
            #expect(monday.entries.map(\.title) == ["b"])
        }
    }

    @Test(
        "figures that are still revised are asked for again after an hour, others after a week",
        arguments: [("2023-01-14", 3600), ("2023-01-13", 7 * 86_400)] as [(String, Int64)])
    func freshness(text: String, seconds: Int64) async throws {
        let day = try self.day(text)
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.daily, Self.list([Self.row(rank: "1", code: "1", title: "a")]))
            let boxOffice = KOBISBoxOffice(fixture.kobis)
            _ = try await boxOffice.boxOffice(of: day, language: .korean)
            fixture.time.advance(seconds: seconds - 1)
            _ = try await boxOffice.boxOffice(of: day, language: .korean)
            #expect(fixture.upstream.requests.count == 1)
            fixture.time.advance(seconds: 2)
            _ = try await boxOffice.boxOffice(of: day, language: .korean)
            try await fixture.upstream.requestsArrived(at: Self.daily, count: 2)
        }
    }
}
