import MovieDomain
import Testing

/// Which search results certainly match the film.
struct FilmMatchTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        var titles = ["브로커", "Broker"]
        var year: Int? = 2022
        let found: [FoundFilm]
        /// The counterpart's number; `nil` if there is none.
        var number: Int?
        var reason = ""
    }

    private static func film(
        _ number: Int, _ title: String = "브로커", original: String = "", year: Int? = 2022
    ) -> FoundFilm {
        FoundFilm(id: MovieID("tmdb:\(number)")!, title: title, originalTitle: original, year: year)
    }

    static let cases = [
        Case(testDescription: "the same title and year", found: [film(1)], number: 1, reason: "2022 in both"),
        Case(
            testDescription: "another spelling", titles: ["브로커 : 특별판"], found: [film(1, "브로커: 특별판")], number: 1,
            reason: "2022 in both"),
        Case(
            testDescription: "the same original title", found: [film(1, "ブローカー", original: "BROKER")], number: 1,
            reason: "2022 in both"),
        Case(
            testDescription: "a year between", found: [film(1, year: 2021)], number: 1, reason: "2022 and 2021"),
        Case(testDescription: "two years between", found: [film(1, year: 2024)]),
        Case(testDescription: "no year there", found: [film(1, year: nil)]),
        Case(testDescription: "no year here", year: nil, found: [film(1)]),
        Case(testDescription: "another title", found: [film(1, "브로커들")]),
        Case(testDescription: "two of the year", found: [film(1), film(2)]),
        Case(testDescription: "two of the years beside it", found: [film(1, year: 2021), film(2, year: 2023)]),
        Case(testDescription: "one film twice", found: [film(1), film(1)], number: 1, reason: "2022 in both"),
        Case(
            testDescription: "another of the year before", found: [film(1, year: 2021), film(2)], number: 2,
            reason: "2022 in both"),
        Case(
            testDescription: "a remake of another decade", found: [film(1, year: 1998), film(2)], number: 2,
            reason: "2022 in both"),
        Case(testDescription: "nothing found", found: []),
        Case(
            testDescription: "the same source",
            found: [FoundFilm(id: MovieID("kobis:1")!, title: "브로커", originalTitle: "", year: 2022)]),
    ]

    @Test(arguments: cases)
    func onlyAFilmThatIsCertainIsACounterpart(_ sample: Case) throws {
        let id = try #require(MovieID("kobis:20228555"))
        let terms = try #require(PosterSearchTerms(id: id, titles: sample.titles, year: sample.year))
        let now = Instant(secondsSince1970: 5)
        let expected = sample.number.map {
            FilmLink(
                film: id, counterpart: MovieID("tmdb:\($0)")!, reason: "same title, \(sample.reason)", linkedAt: now)
        }
        #expect(terms.counterpart(among: sample.found, at: now) == expected)
    }

    @Test func aListedFilmIsTheOnlyOneOfItsTitle() throws {
        let id = try #require(MovieID("kobis:20228555"))
        let opening = try #require(CalendarDate("2022-06-08"))
        let terms = try #require(PosterSearchTerms(listed: id, title: "브로커", opening: opening))
        let now = Instant(secondsSince1970: 5)
        let others = [Self.film(2, "브로커들"), Self.film(3, "브로커들", year: 1998)]
        for year in 2021...2023 {
            let link = terms.counterpart(among: [Self.film(1, year: year)] + others, at: now)
            #expect(link?.counterpart == MovieID("tmdb:1"))
        }
        // The result may be the older film's rerelease.
        #expect(terms.counterpart(among: [Self.film(1), Self.film(2, year: 1998)], at: now) == nil)
        #expect(terms.counterpart(among: [Self.film(1, year: 1998)], at: now) == nil)
        #expect(PosterSearchTerms(listed: id, title: "", opening: opening) == nil)
    }
}
