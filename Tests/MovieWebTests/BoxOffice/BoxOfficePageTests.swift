import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import Synchronization
import Testing

@testable import MovieWeb

/// The first figures are of Wednesday, 12 November 2003; the date is Sunday, 5 May 2024, in Seoul.
struct BoxOfficePageTests {
    private static let now = Instant(secondsSince1970: 1_714_910_400)  // 2024-05-05T12:00:00Z

    private static func fixture(_ boxOffice: ScriptedBoxOffice) throws -> WebFixture {
        var fixture = try WebFixture()
        fixture.services.boxOffice = boxOffice
        fixture.services.now = { Self.now }
        return fixture
    }

    private static func fixture() throws -> WebFixture {
        let entries = try (1...10).map { rank in
            try BoxOfficeEntry.sample(
                "kobis:2023\(rank)", rank: rank, title: "Film \(rank)", rankChange: rank == 2 ? 3 : 0,
                isNew: rank == 3)
        }
        return try Self.fixture(ScriptedBoxOffice(entries: entries))
    }

    @Test func aDayIsATableOfFilmsWithTheirFigures() async throws {
        let answer = try await Self.fixture().ask(.get, "/box-office?date=2024-05-03&language=en")
        #expect(answer.status == 200)
        let outline = HTMLOutline(answer.text)
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty && outline.danglingReferences.isEmpty)
        #expect(outline.headings.first?.text == "Box office")
        #expect(answer.text.contains("<title>Box office, Friday 3 May 2024 · OneSheet</title>"))
        #expect(answer.text.contains("<caption class=\"hidden\">Box office, Friday 3 May 2024</caption>"))
        #expect(outline.all("tr").count == 11)
        let films = outline.links.filter { $0.hasPrefix("/films/") }
        #expect(films == (1...10).map { "/films/kobis:2023\($0)?language=en" })
        for words in ["353,274", "Change </span>−15%", "5,328,435", "₩2,776,060,500", "36.3%", "697", "Up 3", "New"] {
            #expect(answer.text.contains(words), "\(words)")
        }
        let loading = outline.all("img").map { $0["loading"] }
        #expect(loading == [nil, nil, nil] + Array(repeating: "lazy", count: 7))
    }

    @Test func theCalendarKnowsTheRangeAndLeadsToTheDaysAround() async throws {
        let answer = try await Self.fixture().ask(.get, "/box-office?date=2024-05-03&language=ko&origin=korean")
        let outline = HTMLOutline(answer.text)
        let field = try #require(outline.all("input").first { $0["type"] == "date" })
        #expect(field["value"] == "2024-05-03" && field["min"] == "2003-11-12" && field["max"] == "2024-05-04")
        let hidden = outline.all("form").firstIndex { $0["action"] == "/box-office" }
        #expect(hidden != nil)
        #expect(answer.text.contains("<input type=\"hidden\" name=\"origin\" value=\"korean\">"))
        #expect(answer.text.contains("<input type=\"hidden\" name=\"language\" value=\"ko\">"))
        let steps = outline.all("a").filter { $0["rel"] == "prev" || $0["rel"] == "next" }.compactMap { $0["href"] }
        let day = { (day: String) in "/box-office?date=\(day)&amp;origin=korean&amp;language=ko" }
        #expect(steps == [day("2024-05-02"), day("2024-05-04")])
        #expect(answer.text.contains("2003년 11월 12일부터 2024년 5월 4일까지 볼 수 있습니다."))
        let last = HTMLOutline(try await Self.fixture().ask(.get, "/box-office").text)
        #expect(last.all("a").contains { $0["rel"] == "prev" } && !last.all("a").contains { $0["rel"] == "next" })
        let first = HTMLOutline(try await Self.fixture().ask(.get, "/box-office?date=2003-11-12").text)
        #expect(!first.all("a").contains { $0["rel"] == "prev" } && first.all("a").contains { $0["rel"] == "next" })
    }

    @Test func aChoiceKeepsTheOthers() async throws {
        let target = "/box-office?date=2024-04-30&span=weekend&origin=foreign&view=posters&utm_source=x"
        let answer = try await Self.fixture().ask(.get, target)
        let chips = HTMLOutline(answer.text).all("a").filter { $0["class"] == "chip" }
        let rest = "&amp;origin=foreign&amp;view=posters"
        #expect(
            chips.compactMap { $0["href"] } == [
                "/box-office?date=2024-04-30\(rest)", "/box-office?date=2024-04-30&amp;span=week\(rest)",
                "/box-office?date=2024-04-30&amp;span=weekend\(rest)",
                "/box-office?date=2024-04-30&amp;span=weekdays\(rest)",
                "/box-office?date=2024-04-30&amp;span=weekend&amp;view=posters",
                "/box-office?date=2024-04-30&amp;span=weekend&amp;origin=korean&amp;view=posters",
                "/box-office?date=2024-04-30&amp;span=weekend\(rest)",
                "/box-office?date=2024-04-30&amp;span=weekend&amp;origin=foreign",
                "/box-office?date=2024-04-30&amp;span=weekend\(rest)",
            ])
        #expect(
            chips.map { $0["aria-current"] != nil } == [false, false, true, false, false, false, true, false, true])
    }

    @Test func postersHaveTheirRanks() async throws {
        let answer = try await Self.fixture().ask(.get, "/box-office?span=weekend&view=posters&language=en")
        let outline = HTMLOutline(answer.text)
        #expect(outline.all("table").isEmpty && outline.all("li").count { $0["class"] == "card" } == 10)
        #expect(answer.text.contains("<p class=\"rank\">10</p>") && answer.text.contains("353,274 · −15%"))
        #expect(answer.text.contains("Week 17, 2024 · 26 April 2024 – 28 April 2024"))
        #expect(answer.text.contains("<p class=\"quiet\">Week 17, 2024<br>26 Apr 2024 – 28 Apr 2024</p>"))
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty)
    }

    @Test(
        "a day without figures is refused in words, with the same controls",
        arguments: [
            ("ko", "1999-01-01", "2003-11-12", "1999년 1월 1일의 기록은 없습니다. 2003년 11월 12일부터"),
            ("en", "2024-05-05", "2024-05-04", "There are no figures for 5 May 2024. From 12 November 2003"),
            ("ja", "9999-12-31", "2024-05-04", "9999年12月31日の記録はありません。 2003年11月12日から"),
        ])
    func outside(language: String, day: String, nearest: String, words: String) async throws {
        let fixture = try Self.fixture()
        for span in ["", "&span=weekend"] {
            let answer = try await fixture.ask(.get, "/box-office?date=\(day)&language=\(language)\(span)")
            #expect(answer.status == 400 && answer.headers[.cacheControl] == "no-store")
            #expect(answer.text.contains(words), "\(answer.text)")
            let outline = HTMLOutline(answer.text)
            #expect(outline.all("input").first { $0["type"] == "date" }?["value"] == nearest)
            #expect(outline.all("a").count { $0["class"] == "chip" } == 9 && outline.all("table").isEmpty)
        }
    }

    @Test(arguments: ["date=never", "date=2024-02-30", "span=month", "origin=japanese", "view=table"])
    func whatIsNotUnderstoodIsRefusedBeforeAnythingIsAsked(query: String) async throws {
        let boxOffice = ScriptedBoxOffice()
        let answer = try await Self.fixture(boxOffice).ask(.get, "/box-office?\(query)")
        #expect(answer.status == 400 && boxOffice.asked.isEmpty)
    }

    @Test func anOriginCanBeChosenWhereTheSourceKnowsIt() async throws {
        let other = ScriptedBoxOffice(filters: [])
        let answer = try await Self.fixture(other).ask(.get, "/box-office")
        #expect(HTMLOutline(answer.text).all("a").count { $0["class"] == "chip" } == 6)
        #expect(try await Self.fixture(other).ask(.get, "/box-office?origin=korean").status == 400)
        let boxOffice = ScriptedBoxOffice(entries: [try BoxOfficeEntry.sample(title: "Film")])
        _ = try await Self.fixture(boxOffice).ask(.get, "/box-office?origin=korean")
        #expect(boxOffice.askedFilters == [BoxOfficeFilter(origin: .korean)])
    }

    @Test func aPeriodThatIsNotOverSaysSo() async throws {
        let words = "This period is not over"
        let running = try await Self.fixture().ask(.get, "/box-office?date=2024-05-04&span=week&language=en")
        #expect(running.text.contains(words))
        let over = try await Self.fixture().ask(.get, "/box-office?span=week&language=en")
        #expect(!over.text.contains(words) && over.text.contains("22 April 2024 – 28 April 2024"))
    }

    @Test func cachesKeepItAsTheFiguresStay() async throws {
        let fixture = try Self.fixture()
        let caching = { (target: String) in try await fixture.ask(.get, target).headers[.cacheControl] }
        #expect(try await caching("/box-office") == "public, max-age=300, stale-while-revalidate=60")
        #expect(
            try await caching("/box-office?date=2024-04-01&span=week")
                == "public, max-age=3600, stale-while-revalidate=60")
    }

    @Test func withoutFilmsItSaysSo() async throws {
        let answer = try await Self.fixture(ScriptedBoxOffice()).ask(.get, "/box-office?language=en")
        #expect(answer.status == 200 && answer.text.contains("There are no figures for this period."))
        #expect(HTMLOutline(answer.text).all("table").isEmpty)
    }

    @Test(arguments: ["", "&view=posters"])
    func hostileTitlesAreText(view: String) async throws {
        let title = "\"\u{301} onload=x <script>alert(1)</script>{{t.skip}}"
        let entry = try BoxOfficeEntry.sample(title: title)
        let answer = try await Self.fixture(ScriptedBoxOffice(entries: [entry])).ask(
            .get, "/box-office?date=2024-05-01\(view)")
        #expect(answer.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;{{t.skip}}"))
        #expect(!answer.text.contains("<script>alert") && !answer.text.contains("\"\u{301}"))
    }

    @Test func postersOfTheFilmsAreRenderedAhead() async throws {
        let served = Mutex<[[MovieID]]>([])
        var fixture = try Self.fixture()
        fixture.services.listServed = { films, _, path, _ in
            if path == "/box-office" { served.withLock { $0.append(films) } }
        }
        _ = try await fixture.ask(.get, "/box-office")
        #expect(served.withLock { $0 }.map(\.count) == [10])
    }

    @Test func aSourceThatFailsIsAProblem() async throws {
        let boxOffice = ScriptedBoxOffice()
        boxOffice.fail(with: .unavailable(.kobis, reason: "down"))
        #expect(try await Self.fixture(boxOffice).ask(.get, "/box-office").status == 502)
    }
}
