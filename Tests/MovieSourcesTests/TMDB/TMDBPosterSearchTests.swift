import Foundation
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieSources

/// Searches at TMDB for films of other sources.
@Suite("Searches for posters at TMDB")
struct TMDBPosterSearchTests {
    private static let search = "/3/search/movie"
    private static let discover = "/3/discover/movie"

    private static func row(_ id: Int, title: String = "제목", date: String) -> String {
        TMDBFixtures.row(id, title: title).replacingOccurrences(of: "1999-10-15", with: date)
    }

    private func terms(_ title: String = "제목", year: Int) throws -> PosterSearchTerms {
        try #require(
            PosterSearchTerms(id: MovieID("kobis:20228555")!, titles: [title], year: year))
    }

    private func listed(_ number: Int = 1, _ title: String = "제목", opening: String) throws -> PosterSearchTerms {
        let day = try #require(CalendarDate(opening))
        return try #require(PosterSearchTerms(listed: MovieID("kobis:\(number)")!, title: title, opening: day))
    }

    @Test(
        arguments: [
            // The page contains all results, and none from the film's year.
            ("1985-01-01", 1, 1, ["tmdb:1"]),
            ("1985-01-01", 3, 2, ["tmdb:2"]),
            // A result from the film's year or the year before.
            ("2000-01-01", 3, 1, ["tmdb:1"]), ("1999-01-01", 3, 1, ["tmdb:1"]),
        ])
    func theYearIsAskedForOnlyBehindTheFirstPage(
        date: String, pages: Int, count: Int, ids: [String]
    ) async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", Self.search, .json(TMDBFixtures.page([Self.row(1, date: date)], totalPages: pages)))
            upstream.on(
                "GET", Self.search, query: ["primary_release_year": "2000"],
                .json(TMDBFixtures.page([Self.row(2, date: "2000-06-01")])))
            let posters = try AdapterFixture(upstream).tmdb().posters
            let film = try self.terms(year: 2000)
            #expect(try await posters.films(for: film).map(\.id.description) == ids)
            #expect(try await posters.posters(for: film).count == 1)
            #expect(upstream.requests.count == count)
            #expect(upstream.requests.first?.query["primary_release_year"] == nil)
        }
    }

    @Test func whenTheYearHasNoneTheOthersAreThere() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.search, .json(TMDBFixtures.page([Self.row(1, date: "1985-01-01")], totalPages: 2)))
            upstream.on("GET", Self.search, query: ["primary_release_year": "2000"], .json(TMDBFixtures.page([])))
            let posters = try AdapterFixture(upstream).tmdb().posters
            #expect(try await posters.posters(for: self.terms(year: 2000)).map(\.year) == [1985])
        }
    }

    @Test func filmsOfTheVeryYearComeFirstAndTheOthersStayInTheirPlaces() async throws {
        try await withUpstream { upstream in
            let rows = [
                Self.row(1, date: "1985-01-01"), Self.row(2, date: "1999-12-31"),
                Self.row(3, title: "다른", date: "2000"),
                Self.row(4, date: "2000-01-01"), Self.row(5, date: "2001-01-01"), Self.row(6, date: "2000-07-01"),
            ]
            upstream.on("GET", Self.search, .json(TMDBFixtures.page(rows)))
            let found = try await AdapterFixture(upstream).tmdb().posters.films(for: self.terms(year: 2000))
            #expect(found.map(\.id.key) == ["1", "4", "3", "6", "2", "5"])
        }
    }

    @Test func aMonthsFilmsAreAskedForOnce() async throws {
        try await withUpstream { upstream in
            let rows = (1...10).map { Self.row($0, title: "영화 \($0)", date: "2022-12-14") }
            upstream.on("GET", Self.discover, .json(TMDBFixtures.page(rows)))
            let posters = try AdapterFixture(upstream).tmdb().posters
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...10 {
                    let film = try self.listed(number, "영화 \(number)", opening: "2022-12-\(number + 10)")
                    group.addTask {
                        let poster = try await posters.posters(for: film).map(\.location)
                        let found = try await posters.films(for: film).map(\.id.key)
                        return poster == [.tmdb(file: "p\(number).jpg")] && found == ["\(number)"]
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect(upstream.requests.count == 1)
            let query = try #require(upstream.requests.first).query
            #expect(query["region"] == "KR" && query["with_release_type"] == "2|3" && query["language"] == "ko-KR")
            #expect(query["release_date.gte"] == "2022-11-24" && query["release_date.lte"] == "2023-01-07")
            #expect(query["sort_by"] == "popularity.desc" && query["include_adult"] == "false")
        }
    }

    @Test(arguments: [OriginScript.json(TMDBFixtures.page([])), .status(500)])
    func whatTheMonthDoesNotHaveIsSearchedFor(month: OriginScript) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.discover, month)
            upstream.on("GET", Self.search, .json(TMDBFixtures.page([Self.row(1, date: "2022-12-14")])))
            let tmdb = try AdapterFixture(upstream).tmdb()
            for number in 1...3 {
                let film = try self.listed(number, opening: "2023-01-04")
                #expect(try await tmdb.posters.posters(for: film).count == 1)
                #expect(try await tmdb.posters.films(for: film).count == 1)
            }
            #expect(upstream.requestCount(to: Self.discover) == 1 && upstream.requestCount(to: Self.search) == 1)
            tmdb.close()
        }
    }

    @Test func aFilmOfAnotherTitleOrYearIsNotTheListedOne() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", Self.discover,
                .json(
                    TMDBFixtures.page([Self.row(1, date: "1985-01-01"), Self.row(2, title: "다른", date: "2023-01-04")])))
            upstream.on("GET", Self.search, .json(TMDBFixtures.page([Self.row(3, date: "2023-01-01")])))
            let posters = try AdapterFixture(upstream).tmdb().posters
            #expect(try await posters.films(for: self.listed(opening: "2023-01-04")).map(\.id.key) == ["3"])
        }
    }

    @Test(
        "a month that is over for long is kept for a week, another for four hours",
        arguments: [("2022-10-05", 7 * 86_400), ("2022-12-05", 4 * 3600)] as [(String, Int64)])
    func freshness(opening: String, seconds: Int64) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.discover, .json(TMDBFixtures.page([Self.row(1, date: opening)])))
            let fixture = try AdapterFixture(upstream)
            let tmdb = fixture.tmdb()
            let film = try self.listed(opening: opening)
            _ = try await tmdb.posters.posters(for: film)
            fixture.time.advance(seconds: seconds - 1)
            #expect(try await tmdb.posters.posters(for: film).count == 1 && upstream.requests.count == 1)
            fixture.time.advance(seconds: 1)
            #expect(try await tmdb.posters.posters(for: film).count == 1)
            try await upstream.requestsArrived(at: Self.discover, count: 2)
            tmdb.close()
        }
    }
}
