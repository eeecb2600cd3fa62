import MovieDomain
import MovieTesting
import Testing

struct ShowBoxOfficeTests {
    /// Wednesday in Greenwich, ten minutes before Thursday in Seoul.
    private static let wednesday = Instant(secondsSince1970: 1_714_575_000)  // 2024-05-01T14:50:00Z
    private static let thursday = Instant(secondsSince1970: 1_714_575_600)  // 2024-05-01T15:00:00Z

    private static func entry() throws -> BoxOfficeEntry {
        let figure = BoxOfficeEntry.Figure(value: 1, change: nil, changePercent: nil, total: 1)
        return BoxOfficeEntry(
            rank: 1, rankChange: 0, isNew: false, movieID: try #require(MovieID("kobis:1")), title: "Film",
            releaseDate: nil, audience: figure, sales: figure, salesShare: nil, screens: 1, showings: 1)
    }

    @Test(
        "while the latest days have no figures, earlier ones are shown",
        arguments: [
            (nil, ["2024-04-30"], "2024-04-29"), (nil, ["2024-04-30", "2024-04-29", "2024-04-28"], "2024-04-27"),
            (.week, ["2024-04-22"], "2024-04-21"), (.weekend, ["2024-04-26"], "2024-04-21"),
        ] as [(BoxOfficePeriod.Span?, [String], String)])
    func earlierDays(span: BoxOfficePeriod.Span?, emptyDays: [String], latest: String) async throws {
        let empty = Set(try emptyDays.map { try #require(CalendarDate($0)) })
        let source = ScriptedBoxOffice(entries: [try Self.entry()], emptyDays: empty)
        let show = ShowBoxOffice(boxOffice: source) { Self.wednesday }
        let shown = try await show(span, date: nil, language: LanguagePreference())
        #expect(shown.period.to.description == latest && shown.latest == shown.period.to)
        #expect(shown.entries.count == 1 && source.asked.count == empty.count + 1)
        #expect(show.days(beside: shown).upperBound == shown.period.to)
        let day = try #require(empty.max())
        let named = try await show(span, date: day, language: LanguagePreference())
        #expect(named.entries.isEmpty && named.latest == nil, "a day that is named is not replaced")
        #expect(show.days(beside: named) == show.days(of: span))
    }

    @Test func onlyAFewEarlierDaysAreTried() async throws {
        for (span, count) in [(nil, 4), (.week, 2)] as [(BoxOfficePeriod.Span?, Int)] {
            let source = ScriptedBoxOffice()
            let show = ShowBoxOffice(boxOffice: source) { Self.wednesday }
            let shown = try await show(span, date: nil, language: LanguagePreference())
            #expect(source.asked.count == count && shown.period == source.asked.first && shown.latest == nil)
        }
    }

    @Test func yesterdayIsThatOfSeoul() async throws {
        for (now, day) in [(Self.wednesday, "2024-04-30"), (Self.thursday, "2024-05-01")] {
            let source = ScriptedBoxOffice(entries: [try Self.entry()])
            let show = ShowBoxOffice(boxOffice: source) { now }
            let answer = try await show(nil, date: nil, language: LanguagePreference())
            #expect(answer.period.from.description == day && source.asked == [answer.period])
        }
    }

    @Test func ofAWeekThatGoesOnThereIsWhatHasBegun() async throws {
        let show = ShowBoxOffice(boxOffice: ScriptedBoxOffice()) { Self.wednesday }
        let monday = try #require(CalendarDate("2024-04-29"))
        for (span, last) in [
            (BoxOfficePeriod.Span.week, "2024-04-30"), (.weekdays, "2024-04-30"), (.weekend, "2024-04-28"),
        ] {
            let first = try #require(CalendarDate("2003-11-12"))
            let known = first...(try #require(CalendarDate(last)))
            #expect(show.days(of: span) == known)
            let later = monday.adding(days: 5)
            await #expect(throws: ShowBoxOffice.Failure.noFigures(of: later, known: known)) {
                _ = try await show(span, date: later, language: LanguagePreference())
            }
            let answer = try await show(span, date: known.upperBound, language: LanguagePreference())
            #expect(answer.period.span == span)
        }
    }

    @Test func whatIsOverGoesFirst() async throws {
        let show = ShowBoxOffice(boxOffice: ScriptedBoxOffice()) { Self.wednesday }
        for span in BoxOfficePeriod.Span.allCases {
            let answer = try await show(span, date: nil, language: LanguagePreference())
            #expect(answer.period.to <= CalendarDate("2024-04-30")! && answer.period.week?.number == 17)
        }
    }

    @Test func aFilterThatTheSourceHasNotIsAFailure() async throws {
        let source = ScriptedBoxOffice(source: .embedded, filters: [.origin], entries: [try Self.entry()])
        let show = ShowBoxOffice(boxOffice: source) { Self.wednesday }
        for (filter, field) in [
            (BoxOfficeFilter(area: BoxOfficeArea("0105001"), origin: .korean), BoxOfficeFilter.Field.area),
            (BoxOfficeFilter(origin: .foreign, films: .diversity), .films),
        ] {
            await #expect(throws: ShowBoxOffice.Failure.noFilter(field, at: .embedded)) {
                _ = try await show(.week, date: nil, matching: filter, language: LanguagePreference())
            }
        }
        #expect(source.asked.isEmpty)
        let korean = try await show(nil, date: nil, matching: BoxOfficeFilter(origin: .korean), language: .init())
        #expect(korean.filter == BoxOfficeFilter(origin: .korean) && source.askedFilters == [korean.filter])
        _ = try await show(.week, date: nil, matching: BoxOfficeFilter(area: .all), language: LanguagePreference())
        #expect(source.asked.count == 2)
    }

    @Test func areasAreSevenDigitsOrAll() {
        #expect(BoxOfficeArea("0105001")?.description == "0105001" && BoxOfficeArea("0105001")?.code == "0105001")
        #expect(BoxOfficeArea("all") == .all && BoxOfficeArea.all.code == nil)
        for wrong in ["", "010500", "01050011", "01050-1", "０１０５００１", "All"] { #expect(BoxOfficeArea(wrong) == nil) }
    }

    @Test func failuresOfTheSourceAreItsOwn() async throws {
        let source = ScriptedBoxOffice()
        source.fail(with: .keyRefused(.kobis))
        let show = ShowBoxOffice(boxOffice: source) { Self.wednesday }
        await #expect(throws: SourceFailure.keyRefused(.kobis)) {
            _ = try await show(nil, date: nil, language: LanguagePreference())
        }
    }
}
