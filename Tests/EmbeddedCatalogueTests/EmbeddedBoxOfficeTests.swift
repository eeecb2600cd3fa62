import EmbeddedCatalogue
import MovieDomain
import MovieTesting
import Testing

struct EmbeddedBoxOfficeTests {
    private let fixture: EmbeddedFixture

    init() throws {
        self.fixture = try EmbeddedFixture()
        self.fixture.clock.turn(to: try #require(CalendarDate("2026-06-10")))
    }

    private func day(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

    private func entries(_ period: BoxOfficePeriod) async throws -> [BoxOfficeEntry] {
        try await self.fixture.boxOffice.boxOffice(of: period, language: LanguagePreference([.korean])).entries
    }

    @Test func keepsTheBoxOfficesPromises() async throws {
        let days = try ["2003-11-11", "2003-11-12", "2012-02-29", "2019-12-31", "2026-06-09"].map(self.day)
        let spans = try BoxOfficePeriod.Span.allCases.flatMap { span in
            try ["2003-11-12", "2015-08-15", "2026-06-03", "2026-06-09"].map {
                BoxOfficePeriod(span, around: try self.day($0))
            }
        }
        // Tuesday is the last day, so the weekend of its week is in the future.
        let periods = days.map { BoxOfficePeriod(day: $0) } + spans.filter { $0.from < self.fixture.today }
        #expect(try await checkContract(of: self.fixture.boxOffice, periods: periods) == [])
    }

    @Test func postersAreThoseOfTheFilms() async throws {
        for entry in try await self.entries(BoxOfficePeriod(.week, around: try self.day("2026-05-20"))) {
            let film = try await self.fixture.movies.movie(entry.movieID, language: LanguagePreference([.korean]))
            #expect(entry.poster != nil && entry.poster == film?.summary.poster, "\(entry.movieID)")
        }
    }

    @Test func everyDayHasTenFilmsAndTheSameOnesAgain() async throws {
        let other = try EmbeddedFixture()
        other.clock.turn(to: try self.day("2026-06-10"))
        for offset in stride(from: 0, to: 8000, by: 397) {
            let period = BoxOfficePeriod(day: self.fixture.boxOffice.firstDay.adding(days: offset))
            let entries = try await self.entries(period)
            #expect(entries.count == 10, "\(period.from)")
            let again = try await other.boxOffice.boxOffice(of: period, language: LanguagePreference([.korean])).entries
            #expect(again == entries)
        }
    }

    @Test func changesAreAgainstTheDayBefore() async throws {
        let today = try await self.entries(BoxOfficePeriod(day: self.day("2026-05-20")))
        let yesterday = try await self.entries(BoxOfficePeriod(day: self.day("2026-05-19")))
        var compared = 0
        for entry in today {
            guard let before = yesterday.first(where: { $0.movieID == entry.movieID }) else {
                #expect(entry.isNew && entry.rankChange == 0)
                continue
            }
            compared += 1
            #expect(!entry.isNew && entry.rankChange == before.rank - entry.rank)
            #expect(entry.audience.change == entry.audience.value - before.audience.value)
            #expect(entry.sales.change == entry.sales.value - before.sales.value)
            #expect(entry.audience.total == before.audience.total + entry.audience.value)
            #expect(entry.sales.total == before.sales.total + entry.sales.value)
        }
        #expect(compared >= 8)
    }

    @Test func aSpanIsTheSumOfItsDays() async throws {
        for span in BoxOfficePeriod.Span.allCases {
            let period = BoxOfficePeriod(span, around: try self.day("2026-05-13"))
            for entry in try await self.entries(period) {
                var (audience, sales, showings, days) = (0, 0, 0, 0)
                for number in period.from.dayNumber...period.to.dayNumber {
                    let day = try await self.entries(BoxOfficePeriod(day: CalendarDate(dayNumber: number)))
                    guard let part = day.first(where: { $0.movieID == entry.movieID }) else { continue }
                    days += 1
                    (audience, sales) = (audience + part.audience.value, sales + part.sales.value)
                    showings += part.showings
                }
                // A film outside the top ten on some days has more than the sum of the other days.
                let isWhole = days == period.to.dayNumber - period.from.dayNumber + 1
                #expect(isWhole ? entry.audience.value == audience : entry.audience.value >= audience)
                #expect(isWhole ? entry.sales.value == sales : entry.sales.value >= sales)
                #expect(isWhole ? entry.showings == showings : entry.showings >= showings)
            }
        }
    }

    @Test func aTotalIsTheSumOfAllDaysSinceTheReopening() async throws {
        let entries = try await self.entries(BoxOfficePeriod(day: self.day("2026-05-20")))
        let entry = try #require(entries.first)
        let opening = try #require(entry.releaseDate)
        var sum = 0
        for number in opening.dayNumber...(try self.day("2026-05-20").dayNumber) {
            let day = try await self.entries(BoxOfficePeriod(day: CalendarDate(dayNumber: number)))
            sum += try #require(day.first { $0.movieID == entry.movieID }).audience.value
        }
        #expect(entry.audience.total == sum)
        #expect(opening.weekday == 4)
    }

    @Test func saturdaysAreFullerThanTuesdays() async throws {
        let tuesday = try await self.entries(BoxOfficePeriod(day: self.day("2026-05-19")))
        let saturday = try await self.entries(BoxOfficePeriod(day: self.day("2026-05-23")))
        let sum = { (entries: [BoxOfficeEntry]) in entries.reduce(0) { $0 + $1.audience.value } }
        #expect(sum(saturday) > 2 * sum(tuesday))
        #expect(saturday.map(\.audience.value) == saturday.map(\.audience.value).sorted(by: >))
    }

    @Test func aWeekThatIsNotOverCountsAsFarAsItHasCome() async throws {
        // The week includes Monday and Tuesday.
        let week = try await self.entries(BoxOfficePeriod(.week, around: self.day("2026-06-09")))
        let monday = try await self.entries(BoxOfficePeriod(day: self.day("2026-06-08")))
        let tuesday = try await self.entries(BoxOfficePeriod(day: self.day("2026-06-09")))
        let first = try #require(week.first)
        let days = try [monday, tuesday].map { day in try #require(day.first { $0.movieID == first.movieID }) }
        #expect(first.audience.value == days.reduce(0) { $0 + $1.audience.value })
    }

    @Test func thereIsNothingBeforeTheFirstDayNorAfterYesterday() async throws {
        #expect(self.fixture.boxOffice.firstDay.description == "2003-11-11")
        #expect(try await self.entries(BoxOfficePeriod(day: self.day("2003-11-10"))).isEmpty)
        #expect(try await self.entries(BoxOfficePeriod(day: self.day("2026-06-10"))).isEmpty)
        #expect(try await self.entries(BoxOfficePeriod(.weekend, around: self.day("2026-06-10"))).isEmpty)
        #expect(try await self.entries(BoxOfficePeriod(day: self.day("2026-06-09"))).count == 10)
    }

    @Test func koreanAndForeignFilmsAreRankedAmongThemselves() async throws {
        let korean = LanguagePreference([.korean])
        var count = 0
        for offset in stride(from: 0, to: 360, by: 24) {
            let period = BoxOfficePeriod(.week, around: try self.day("2024-02-01").adding(days: offset))
            for origin in BoxOfficeFilter.Origin.allCases {
                let filter = BoxOfficeFilter(origin: origin)
                let found = try await self.fixture.boxOffice.boxOffice(of: period, matching: filter, language: korean)
                #expect(
                    found.filter == filter && found.entries.map(\.rank) == Array(0..<found.entries.count).map { $0 + 1 }
                )
                for entry in found.entries {
                    let film = try #require(try await self.fixture.movies.movie(entry.movieID, language: korean))
                    #expect(film.countries.contains(.korea) == (origin == .korean), "\(entry.movieID)")
                }
                let all = try await self.entries(period)
                // Films have the same order and figures as in the unfiltered list.
                let common = all.filter { entry in found.entries.contains { $0.movieID == entry.movieID } }
                #expect(common.map(\.movieID) == found.entries.prefix(common.count).map(\.movieID))
                #expect(common.map(\.audience) == found.entries.prefix(common.count).map(\.audience))
                if origin == .korean { count += found.entries.count }
            }
        }
        #expect(count > 10)
        #expect(self.fixture.boxOffice.filters == [.origin])
    }

    @Test func titlesAreInTheLanguageAskedForAndFilmsAreThere() async throws {
        let period = BoxOfficePeriod(day: try self.day("2026-05-20"))
        let english = try await self.fixture.boxOffice.boxOffice(of: period, language: LanguagePreference([.english]))
        let korean = try await self.entries(period)
        #expect(english.entries.map(\.movieID) == korean.map(\.movieID))
        for (one, other) in zip(english.entries, korean) {
            let movie = try await self.fixture.movies.movie(one.movieID, language: LanguagePreference([.english]))
            #expect(movie?.summary.title == one.title)
            #expect(one.title != other.title || one.title == "M")
        }
    }
}
