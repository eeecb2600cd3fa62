import MovieDomain
import Testing

@testable import MovieWeb

struct PageFormatsTests {
    private let table: TranslatedTexts

    init() throws { self.table = try WebResources().texts }

    private func formats(_ code: String) throws -> PageFormats {
        PageFormats(table: self.table, language: try #require(Language(code)))
    }

    @Test(arguments: [
        ("ko", "2024년 5월 5일", "2024. 5. 5.", "2024년 5월 5일 일요일"),
        ("en", "5 May 2024", "5 May 2024", "Sunday 5 May 2024"), ("ja", "2024年5月5日", "2024/5/5", "2024年5月5日 日曜日"),
    ])
    func datesAreWrittenAsReadersDo(language: String, long: String, short: String, weekday: String) throws {
        let date = try #require(CalendarDate("2024-05-05"))
        let formats = try self.formats(language)
        #expect([formats.long(date), formats.short(date), formats.withWeekday(date)] == [long, short, weekday])
    }

    @Test func aRangeOfOneDayIsTheDay() throws {
        let formats = try self.formats("en")
        let (first, last) = (try #require(CalendarDate("2024-05-03")), try #require(CalendarDate("2024-05-05")))
        #expect(formats.range(first, last) == "3 May 2024 – 5 May 2024")
        #expect(formats.range(first, first) == "3 May 2024")
    }

    @Test func runtimesOfAnHourAreInHours() throws {
        #expect(try self.formats("en").runtime(minutes: 1) == "1 minute")
        #expect(try self.formats("en").runtime(minutes: 59) == "59 minutes")
        #expect(try self.formats("en").runtime(minutes: 135) == "2 h 15 min")
        #expect(try self.formats("ko").runtime(minutes: 60) == "1시간 0분")
    }

    @Test func scoresHaveOneDecimal() throws {
        let formats = try self.formats("en")
        #expect([8, 8.25, 7.96, 0, 10].map(formats.score) == ["8.0", "8.3", "8.0", "0.0", "10.0"])
    }

    @Test func countsAreGroupedAndShortened() throws {
        #expect(try self.formats("en").count(-1_234_567) == "−1,234,567")
        #expect(try self.formats("ko").compact("ratingCount", 402_800) == "평가 40.3만개")
        #expect(try self.formats("en").compact("ratingCount", 1) == "1 rating")
    }

    @Test func whatIsLongAgoIsInTheLargestUnit() throws {
        let formats = try self.formats("en")
        #expect(formats.ago(seconds: 5) == "1 minute ago")
        #expect(formats.ago(seconds: 59 * 60) == "59 minutes ago")
        #expect(formats.ago(seconds: 3600) == "1 hour ago")
        #expect(formats.ago(seconds: 49 * 3600) == "2 days ago")
    }

    @Test func namesAreJoinedAsTheLanguageDoes() throws {
        #expect(try self.formats("en").list(["A", "B"]) == "A, B")
        #expect(try self.formats("ja").list(["A", "B"]) == "A、B")
    }
}
