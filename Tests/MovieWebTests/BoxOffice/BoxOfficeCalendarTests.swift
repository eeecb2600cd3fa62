import MovieDomain
import Testing

@testable import MovieWeb

/// The first day with figures is Tuesday, 11 November 2003; yesterday is Saturday, 4 May 2024.
struct BoxOfficeCalendarTests {
    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    private func calendar(
        _ span: BoxOfficePeriod.Span?, _ day: String, until last: String = "2024-05-04"
    ) throws -> BoxOfficeCalendar {
        let day = try self.day(day)
        return BoxOfficeCalendar(
            BoxOfficePeriod(span, around: day), day: day, days: try self.day("2003-11-11")...self.day(last))
    }

    @Test(
        "the days before and after lead to other periods, and end with the range",
        arguments: [
            (nil, "2024-05-03", "2024-05-02", "2024-05-04"), (nil, "2024-05-04", "2024-05-03", nil),
            (nil, "2003-11-11", nil, "2003-11-12"), (.week, "2024-04-24", "2024-04-17", "2024-05-01"),
            (.week, "2024-04-28", "2024-04-21", "2024-05-04"), (.week, "2024-05-01", "2024-04-24", nil),
            (.week, "2003-11-12", nil, "2003-11-19"), (.week, "2003-11-18", "2003-11-11", "2003-11-25"),
            (.weekend, "2024-04-28", "2024-04-21", "2024-05-04"), (.weekend, "2024-05-03", "2024-04-26", nil),
            (.weekdays, "2003-11-16", nil, "2003-11-23"),
        ] as [(BoxOfficePeriod.Span?, String, String?, String?)])
    func neighbours(span: BoxOfficePeriod.Span?, day: String, previous: String?, following: String?) throws {
        let calendar = try self.calendar(span, day)
        #expect(calendar.previous?.description == previous)
        #expect(calendar.following?.description == following)
    }

    @Test func everyPeriodIsReachedFromTheLastOne() throws {
        for span in [.week, .weekend, .weekdays] as [BoxOfficePeriod.Span] {
            var calendar = try self.calendar(span, "2024-05-04")
            var count = 1
            while let previous = calendar.previous {
                let period = BoxOfficePeriod(span, around: previous)
                #expect(period.from.dayNumber == calendar.period.from.dayNumber - 7)
                calendar = BoxOfficeCalendar(period, day: previous, days: calendar.days)
                count += 1
            }
            #expect(calendar.days.lowerBound <= calendar.day)
            // Mondays from 10 November 2003 to 29 April 2024.
            #expect(count == 1069)
        }
    }

    @Test func withoutADayItIsOneOfThePeriodWithFigures() throws {
        let days = try self.day("2003-11-11")...self.day("2024-05-04")
        let over = BoxOfficePeriod(.weekend, around: try self.day("2024-04-24"))
        #expect(BoxOfficeCalendar(over, day: nil, days: days).day.description == "2024-04-28")
        let running = BoxOfficePeriod(.week, around: try self.day("2024-05-04"))
        #expect(BoxOfficeCalendar(running, day: nil, days: days).day.description == "2024-05-04")
    }

    @Test(arguments: [("2024-05-05", "2024-05-04"), ("9999-12-31", "2024-05-04"), ("0000-01-01", "2003-11-11")])
    func ofADayWithoutFiguresTheNearestIsOffered(day: String, nearest: String) throws {
        let days = try self.day("2003-11-11")...self.day("2024-05-04")
        let calendar = BoxOfficeCalendar(.weekend, nearest: try self.day(day), days: days)
        #expect(calendar.day.description == nearest)
        #expect(calendar.period == BoxOfficePeriod(.weekend, around: try self.day(nearest)))
    }
}
