import Flights
import MovieDomain
import MovieTesting
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Ratings of many films at TMDB", .timeLimit(.hang))
struct TMDBRatedFilmsTests {
    private static let path = "/3/account/548/rated/movies"
    private let session = UpstreamSession(source: .tmdb, secret: "5e55", accountID: "548")
    private let ids = [1, 21, 41, 99].map { MovieID(source: .tmdb, key: String($0))! }

    /// Serves pages of 20 films each, all rated 8; page 1 contains films 1 to 20.
    private func serve(_ upstream: ReplayingUpstream, pages: Int = 3, held gate: Gate? = nil) {
        upstream.on("GET", Self.path) { request in
            let page = Int(request.query["page"] ?? "") ?? 0
            let rows = (20 * page - 19...20 * page).map { TMDBFixtures.row($0, more: #","rating":8"#) }
            let body = OriginScript.json(TMDBFixtures.page(rows, totalPages: pages, totalResults: 20 * pages))
            return gate.map { .held($0, body) } ?? body
        }
    }

    private func isRated(_ ratings: [MovieID: Rating]?) -> [Bool]? {
        ratings.map { all in self.ids.map { all[$0] != nil } }
    }

    @Test func theListIsReadOnceAndUsedForHalfAnHour() async throws {
        try await withUpstream { upstream in
            self.serve(upstream)
            let fixture = try AdapterFixture(upstream)
            let accounts = fixture.tmdb().accounts
            for _ in 1...2 {
                let ratings = try await accounts.ratings(of: self.ids, with: self.session)
                #expect(self.isRated(ratings) == [true, true, true, false])
                #expect(ratings?[self.ids[0]] == Rating(8))
            }
            #expect(try await accounts.ratings(of: [self.ids[3]], with: self.session) == [:])
            #expect(upstream.requests.count == 3)
            #expect(Set(upstream.requests.map { $0.query["page"] }) == ["1", "2", "3"])
            #expect(upstream.requests.allSatisfy { $0.query["session_id"] == "5e55" })
            fixture.time.advance(by: TMDBAccountFilms<Rating>.lifetime)
            _ = try await accounts.ratings(of: self.ids, with: self.session)
            #expect(upstream.requests.count == 6)
        }
    }

    @Test func ratingsThatAreGivenAndRemovedHereAreKnownAtOnce() async throws {
        try await withUpstream { upstream in
            self.serve(upstream)
            upstream.on("POST", "/3/movie/99/rating", .json(TMDBFixtures.status(1), status: 201))
            upstream.on("DELETE", "/3/movie/1/rating", .json(TMDBFixtures.status(13)))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            _ = try await accounts.ratings(of: self.ids, with: self.session)
            let rating = try #require(Rating(2.5))
            #expect(try await accounts.rate(self.ids[3], rating, with: self.session))
            #expect(try await accounts.unrate(self.ids[0], with: self.session))
            let ratings = try await accounts.ratings(of: self.ids, with: self.session)
            #expect(self.isRated(ratings) == [false, true, true, true] && ratings?[self.ids[3]] == rating)
            #expect(upstream.requestCount(to: Self.path) == 3)
        }
    }

    @Test func aRatingThatIsGivenWhileTheListIsReadIsNotLost() async throws {
        try await withUpstream { upstream in
            let gate = Gate()
            self.serve(upstream, pages: 1, held: gate)
            upstream.on("POST", "/3/movie/99/rating", .json(TMDBFixtures.status(1), status: 201))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            async let ratings = accounts.ratings(of: self.ids, with: self.session)
            try await upstream.requestsArrived(at: Self.path)
            #expect(try await accounts.rate(self.ids[3], try #require(Rating(5)), with: self.session))
            gate.open()
            #expect(self.isRated(try await ratings) == [true, false, false, true])
        }
    }

    @Test func aRatingThatTheListDoesNotHaveYetIsNotLost() async throws {
        try await withUpstream { upstream in
            self.serve(upstream, pages: 1)
            upstream.on("POST", "/3/movie/99/rating", .json(TMDBFixtures.status(1), status: 201))
            upstream.on("DELETE", "/3/movie/1/rating", .json(TMDBFixtures.status(13)))
            let fixture = try AdapterFixture(upstream)
            let accounts = fixture.tmdb().accounts
            #expect(try await accounts.rate(self.ids[3], try #require(Rating(5)), with: self.session))
            #expect(try await accounts.unrate(self.ids[0], with: self.session))
            fixture.time.advance(by: TMDBAccountFilms<Rating>.lag - .seconds(1))
            let ratings = try await accounts.ratings(of: self.ids, with: self.session)
            #expect(self.isRated(ratings) == [false, false, false, true] && ratings?[self.ids[3]] == Rating(5))
            fixture.time.advance(by: TMDBAccountFilms<Rating>.lifetime)
            let later = try await accounts.ratings(of: self.ids, with: self.session)
            #expect(self.isRated(later) == [true, false, false, false], "what TMDB has by now is right")
        }
    }

    @Test func theLatestChangesAreRemembered() async throws {
        try await withUpstream { upstream in
            self.serve(upstream, pages: 1)
            let tmdb = try AdapterFixture(upstream).tmdb()
            let count = TMDBAccountFilms<Rating>.changeLimit + 1
            let films = (1000..<1000 + count).map { MovieID(source: .tmdb, key: String($0))! }
            for film in films { tmdb.ratedFilms.note(Rating(5), of: film, by: self.session.accountID) }
            let ratings = try await tmdb.accounts.ratings(of: films, with: self.session)
            #expect(ratings?.count == count - 1 && ratings?[films[0]] == nil)
        }
    }

    @Test func aLateListIsUnknownAndIsNotWaitedForAgain() async throws {
        try await withUpstream { upstream in
            let (gate, late) = (Gate(), Gate())
            self.serve(upstream, pages: 1, held: gate)
            let tmdb = try AdapterFixture(upstream) { _ in try await late.wait() }.tmdb()
            async let first = tmdb.accounts.ratings(of: self.ids, with: self.session)
            try await upstream.requestsArrived(at: Self.path)
            late.open()
            #expect(try await first == nil)
            #expect(try await tmdb.accounts.ratings(of: self.ids, with: self.session) == nil)
            gate.open()
            try await eventually { tmdb.ratedFilms.readingCount == 0 }
            let ratings = try await tmdb.accounts.ratings(of: self.ids, with: self.session)
            #expect(self.isRated(ratings) == [true, false, false, false])
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func aFailureIsNotRepeatedForAWhile() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .status(500))
            let fixture = try AdapterFixture(upstream)
            let accounts = fixture.tmdb().accounts
            for _ in 1...2 { #expect(try await accounts.ratings(of: self.ids, with: self.session) == nil) }
            #expect(upstream.requests.count == 1)
            self.serve(upstream, pages: 1)
            fixture.time.advance(by: TMDBAccountFilms<Rating>.retryInterval)
            #expect(try await accounts.ratings(of: self.ids, with: self.session) != nil)
        }
    }

    @Test func filmsBehindTheEndOfALongListAreAskedForOneByOne() async throws {
        try await withUpstream { upstream in
            self.serve(upstream, pages: TMDBAccountFilms<Rating>.pageLimit + 1)
            upstream.on("GET", "/3/movie/2000/account_states", .json(#"{"rated":{"value":3}}"#))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let far = try #require(MovieID(source: .tmdb, key: "2000"))
            #expect(try await accounts.ratings(of: [self.ids[0], far], with: self.session) == nil)
            #expect(upstream.requests.count == TMDBAccountFilms<Rating>.pageLimit)
            #expect(try await accounts.ratings(of: [self.ids[0]], with: self.session) == [self.ids[0]: Rating(8)!])
            #expect(try await accounts.ratings(of: [far], with: self.session) == [far: Rating(3)!])
            #expect(upstream.requests.count == TMDBAccountFilms<Rating>.pageLimit + 1)
        }
    }

    @Test func aSessionThatIsOverLeavesNoList() async throws {
        try await withUpstream { upstream in
            self.serve(upstream, pages: 1)
            upstream.on("DELETE", "/3/authentication/session", .json(#"{"success":true}"#))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            _ = try await accounts.ratings(of: self.ids, with: self.session)
            try await accounts.end(self.session)
            upstream.on("GET", Self.path, .json(TMDBFixtures.status(3), status: 401))
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.ratings(of: self.ids, with: self.session)
            }
            #expect(upstream.requestCount(to: Self.path) == 2)
        }
    }

    @Test func anAccountWhoseIDIsNoNumberIsNotAskedFor() async throws {
        try await withUpstream { upstream in
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let odd = UpstreamSession(source: .tmdb, secret: "5e55", accountID: "1/../2")
            await #expect(throws: SessionExpired()) { _ = try await accounts.ratings(of: self.ids, with: odd) }
            #expect(upstream.requests.isEmpty)
        }
    }
}
