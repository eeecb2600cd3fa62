import MovieDomain
import MovieTesting
import PosterTesting
import Testing

struct BoxOfficePeriodTests {
    @Test(arguments: [
        ("2012-01-01", BoxOfficePeriod.Span.weekend, "2011-12-30", "2012-01-01", 2011, 52),
        ("2015-01-04", .week, "2014-12-29", "2015-01-04", 2015, 1),
        ("2024-02-29", .weekdays, "2024-02-26", "2024-02-29", 2024, 9),
    ])
    func aWeekIsTheOneThatTheDayIsOf(
        day: String, span: BoxOfficePeriod.Span, from: String, to: String, year: Int, number: Int
    ) throws {
        let period = BoxOfficePeriod(span, around: try #require(CalendarDate(day)))
        #expect("\(period.from)" == from)
        #expect("\(period.to)" == to)
        #expect(try #require(period.week) == (year, number))
    }

    @Test(arguments: [
        (1_714_921_199 as Int64, false, 1 as Int64), (1_714_921_200, true, 86_400), (1_714_834_800, false, 86_400),
    ])
    func aPeriodIsOverAtMidnightInSeoul(seconds: Int64, isOver: Bool, left: Int64) throws {
        let period = BoxOfficePeriod(day: try #require(CalendarDate("2024-05-05")))
        let now = Instant(secondsSince1970: seconds)
        #expect(period.isOver(at: now) == isOver)
        #expect(now.secondsUntilMidnight() == left)
        #expect(Instant(secondsSince1970: -32_401).secondsUntilMidnight() == 1)
    }

    @Test func aDayHasNoWeek() throws {
        #expect(BoxOfficePeriod(day: try #require(CalendarDate("2024-02-29"))).week == nil)
    }

    @Test func daysCountBothWays() {
        for number in [-719_528, -1, 0, 1, 11_016, 19_782, 2_932_896] {
            #expect(CalendarDate(dayNumber: number).dayNumber == number)
        }
        #expect("\(CalendarDate(dayNumber: 0))" == "1970-01-01")
        #expect(CalendarDate(dayNumber: 0).weekday == 4)
        #expect("\(CalendarDate("2024-02-28")!.adding(days: 2))" == "2024-03-01")
    }

    @Test func momentsAreWrittenAsRFC3339AndKnowTheirDayElsewhere() {
        let moment = Instant(secondsSince1970: 1_000_000_000)
        #expect("\(moment)" == "2001-09-09T01:46:40Z")
        #expect("\(Instant(secondsSince1970: -1).date())" == "1969-12-31")
        #expect("\(Instant(secondsSince1970: 15 * 3600).date(secondsFromGreenwich: 9 * 3600))" == "1970-01-02")
    }
}
