import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer
@testable import MovieAPI
@testable import MovieHTTP

/// Box offices, over real sockets. The date is Sunday, 5 May 2024.
@Suite(.timeLimit(.hang))
struct BoxOfficeResponseTests {
    private static func entry() throws -> BoxOfficeEntry {
        let figure = BoxOfficeEntry.Figure(value: 353_274, change: -60_106, changePercent: -14.5, total: 5_328_435)
        let sales = BoxOfficeEntry.Figure(value: 2_776_060_500, change: nil, changePercent: nil, total: 40_541_108_500)
        let size = try #require(PictureSize(width: 1000, height: 1500))
        return BoxOfficeEntry(
            rank: 1, rankChange: -2, isNew: false, movieID: try #require(MovieID("kobis:2023C165")), title: "영화",
            releaseDate: CalendarDate("2024-05-01"), audience: figure, sales: sales, salesShare: 36.3, screens: 697,
            showings: 3223,
            poster: PosterReference(.tmdb(file: "x.jpg"), size: size))
    }

    private static func fixture() throws -> FilmFixture {
        FilmFixture(boxOffice: ScriptedBoxOffice(entries: [try Self.entry()]))
    }

    private static func boxOffice(of period: BoxOfficePeriod) throws -> BoxOffice {
        BoxOffice(source: .kobis, period: period, entries: [try Self.entry()])
    }

    @Test func whileYesterdayHasNoFiguresTheDayBeforeIsTheLatest() async throws {
        let yesterday = try #require(CalendarDate("2024-05-04"))
        let fixture = FilmFixture(
            boxOffice: ScriptedBoxOffice(entries: [try Self.entry()], emptyDays: [yesterday]))
        try await fixture.serve { server in
            let latest = try await server.get("/box-office/daily")
            #expect(latest.json["from"] as? String == "2024-05-03" && latest.json["latest"] as? String == "2024-05-03")
            #expect(latest.objects("results").count == 1)
            let dated = try await server.get("/box-office/daily?date=2024-05-04")
            #expect(dated.json["from"] as? String == "2024-05-04" && dated.json["latest"] as? String == "2024-05-04")
            #expect(dated.objects("results").isEmpty)
            for answer in [latest, dated] { #expect(answer.headers["cache-control"] == "public, max-age=300") }
        }
    }

    @Test func anOldDayWithoutFiguresIsCachedForFiveMinutes() throws {
        let day = BoxOfficePeriod(day: try #require(CalendarDate("2024-01-04")))
        let boxOffice = BoxOffice(source: .kobis, period: day, entries: [])
        let now = Instant(secondsSince1970: 1_714_900_000)
        #expect(CacheLifetime.boxOffice(boxOffice, isDated: true, now: now) == .shared(seconds: 300, stale: 0))
    }

    @Test func withoutADateItIsYesterdays() async throws {
        let fixture = try Self.fixture()
        try await fixture.serve { server in
            let answer = try await server.get("/box-office/daily")
            #expect(answer.status == 200)
            #expect(answer.json["from"] as? String == "2024-05-04" && answer.json["to"] as? String == "2024-05-04")
            #expect(answer.json["span"] == nil && answer.json["week"] == nil)
            #expect(answer.json["attribution"] as? [String] == [MovieSource.kobis.attribution ?? ""])
            #expect(answer.json["isComplete"] as? Bool == true)
            #expect(answer.headers["cache-control"] == "public, max-age=300, stale-while-revalidate=60")
            let entry = try #require(answer.objects("results").first)
            #expect(entry["id"] as? String == "kobis:2023C165" && entry["rankChange"] as? Int == -2)
            let sales = try #require(entry["sales"] as? [String: Any])
            #expect(sales["total"] as? Int == 40_541_108_500 && sales["change"] == nil)
            let poster = try #require(entry["poster"] as? [String: Any])
            #expect(poster["url"] as? String == "/poster/kobis%3A2023C165?w=500")
            #expect(poster["width"] as? Int == 1000 && poster["height"] as? Int == 1500)
            let weekly = try await server.get("/box-office/weekly")
            #expect(weekly.headers["cache-control"] == "public, max-age=300, stale-while-revalidate=60")
            let dated = try await server.get("/box-office/weekly?date=2024-04-22")
            #expect(dated.headers["cache-control"] == "public, max-age=3600, stale-while-revalidate=60")
        }
    }

    @Test(
        "weeks are those of the day, or the latest that is over",
        arguments: [
            ("/box-office/weekly", "2024-04-22", "2024-04-28", "week"),
            ("/box-office/weekly?span=weekend", "2024-04-26", "2024-04-28", "weekend"),
            ("/box-office/weekly?span=weekdays", "2024-04-29", "2024-05-02", "weekdays"),
            ("/box-office/weekly?date=2024-05-04", "2024-04-29", "2024-05-05", "week"),
            ("/box-office/weekly?date=2024-02-29&span=weekend", "2024-03-01", "2024-03-03", "weekend"),
        ])
    func weeks(target: String, from: String, to: String, span: String) async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get(target)
            #expect(answer.json["from"] as? String == from && answer.json["to"] as? String == to)
            #expect(answer.json["span"] as? String == span)
            #expect(answer.json["isComplete"] as? Bool == (to < "2024-05-05"))
            #expect((answer.json["week"] as? [String: Any])?["year"] as? Int == 2024)
        }
    }

    @Test func whatIsAskedForWithoutADayIsKeptUntilMidnightInSeoulAtMost() throws {
        let midnight: Int64 = 1_714_921_200  // 2024-05-05T15:00:00Z
        let day = BoxOfficePeriod(day: try #require(CalendarDate("2024-05-04")))
        let week = BoxOfficePeriod(.week, around: day.from)
        let settled = BoxOfficePeriod(.week, around: day.from.adding(days: -28))
        for (before, caching) in [
            (7200, EncodedResponse.CachePolicy.shared(seconds: 300, stale: 60)),
            (360, .shared(seconds: 300, stale: 60)),
            (330, .shared(seconds: 300, stale: 30)), (300, .shared(seconds: 300, stale: 0)),
            (9, .shared(seconds: 9, stale: 0)), (1, .shared(seconds: 1, stale: 0)),
            (0, .shared(seconds: 300, stale: 60)),
        ] as [(Int64, EncodedResponse.CachePolicy)] {
            let now = Instant(secondsSince1970: midnight - before)
            #expect(CacheLifetime.boxOffice(try Self.boxOffice(of: day), isDated: false, now: now) == caching)
            // The current week gets more data at midnight, after which it is complete.
            let whole = EncodedResponse.CachePolicy.shared(seconds: CacheLifetime.yesterday, stale: 60)
            let ofWeek = CacheLifetime.boxOffice(try Self.boxOffice(of: week), isDated: true, now: now)
            #expect(ofWeek == (before > 0 ? caching : whole))
            // The range in the response changes at midnight.
            let seconds = before == 0 ? 3600 : min(3600, before)
            let stale = before == 0 ? 60 : min(60, before - seconds)
            #expect(
                CacheLifetime.boxOffice(try Self.boxOffice(of: settled), isDated: true, now: now)
                    == .shared(seconds: Int(seconds), stale: Int(stale)))
        }
    }

    @Test(
        "days without figures are refused with the range",
        arguments: ["2024-05-05", "2999-01-01", "2003-11-11", "1900-01-01"])
    func refused(day: String) async throws {
        let fixture = try Self.fixture()
        try await fixture.serve { server in
            for target in ["/box-office/daily?date=\(day)", "/box-office/weekly?date=\(day)"] {
                let answer = try await server.get(target)
                #expect(answer.status == 400 && answer.problem == "invalid-parameter")
                #expect(answer.text.contains("from 2003-11-12 to 2024-05-04"), "\(answer.text)")
                #expect(answer.json["earliest"] as? String == "2003-11-12")
                #expect(answer.json["latest"] as? String == "2024-05-04")
            }
        }
        #expect(fixture.boxOffice.asked.isEmpty)
    }

    @Test(
        "every response has the days that its date may be",
        arguments: [
            ("/box-office/daily", "2024-05-04"), ("/box-office/daily?date=2020-02-29", "2024-05-04"),
            ("/box-office/weekly", "2024-05-04"), ("/box-office/weekly?date=2020-02-29", "2024-05-04"),
            ("/box-office/weekly?span=weekend", "2024-05-04"), ("/box-office/weekly?span=weekdays", "2024-05-04"),
        ])
    func everyResponseHasTheRange(target: String, latest: String) async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get(target)
            #expect(answer.status == 200)
            #expect(answer.json["earliest"] as? String == "2003-11-12")
            #expect(answer.json["latest"] as? String == latest)
            // Both bounds are accepted.
            for day in ["2003-11-12", latest] {
                let path = target.split(separator: "?")[0]
                #expect(try await server.get("\(path)?date=\(day)").status == 200)
            }
        }
    }

    @Test(arguments: ["2024-02-30", "20240504", "yesterday", "", "2024-5-4"])
    func whatIsNoDayIsRefused(day: String) async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/box-office/daily?date=\(day)")
            #expect(answer.status == 400 && answer.text.contains("YYYY-MM-DD"))
            let span = try await server.get("/box-office/weekly?span=month")
            #expect(span.status == 400 && span.text.contains("week, weekend or weekdays"))
        }
    }

    @Test func whatFilmsAreChosenByIsRepeated() async throws {
        let fixture = try Self.fixture()
        try await fixture.serve { server in
            #expect(try await server.get("/box-office/daily").json["filter"] == nil)
            for path in ["/box-office/daily", "/box-office/weekly"] {
                let some = try await server.get("\(path)?area=0105001&origin=korean&films=diversity")
                let filter = some.json["filter"] as? [String: String]
                #expect(filter == ["area": "0105001", "origin": "korean", "films": "diversity"])
                let one = try await server.get("\(path)?origin=foreign").json["filter"] as? [String: String]
                #expect(one == ["origin": "foreign"])
            }
        }
        #expect(fixture.boxOffice.askedFilters[1].fields == BoxOfficeFilter.Field.allCases)
    }

    @Test(
        "a filter that is none, or that the source has not, is refused with a reason",
        arguments: [
            ("area=seoul", "area must be seven digits, such as 0105001, or all"),
            ("origin=japanese", "origin must be korean or foreign"),
            ("films=independent", "films must be diversity or commercial"),
            ("area=0105001", "area is not supported by the box office of OneSheet; --kobis-key enables KOBIS"),
            ("films=diversity", "films is not supported by the box office of OneSheet; --kobis-key enables KOBIS"),
        ])
    func refusedFilters(query: String, reason: String) async throws {
        let fixture = FilmFixture(boxOffice: ScriptedBoxOffice(source: .embedded, filters: [.origin]))
        try await fixture.serve { server in
            for path in ["/box-office/daily", "/box-office/weekly"] {
                let answer = try await server.get("\(path)?\(query)")
                #expect(answer.status == 400 && answer.problem == "invalid-parameter")
                #expect(answer.json["detail"] as? String == reason)
            }
            #expect(try await server.get("/box-office/daily?origin=korean").status == 200)
        }
    }

    @Test func aFilmIsFoundByItsCode() async throws {
        // The code of an entry, or its id.
        let fixture = FilmFixture(boxOffice: ScriptedBoxOffice(source: .embedded))
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-1")))
        try await fixture.serve { server in
            let byCode = try await server.get("/box-office/movies/film-1")
            let byID = try await server.get("/movies/film-1")
            #expect(byCode.status == 200 && byCode.body == byID.body)
            #expect(try await server.get("/box-office/movies/sample:film-1").body == byID.body)
            #expect(try await server.get("/box-office/movies/tmdb:1").problem == "invalid-id")
            #expect(try await server.get("/box-office/movies/nothing").problem == "unknown-movie")
        }
    }
}
