import EmbeddedCatalogue
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

@testable import MovieLibraryPostgres

/// The contracts of the repositories that SQLite's adapters are also tested with.
@Suite(
    .timeLimit(.hang), .enabled(if: PostgresServer.isAvailable, "\(PostgresServer.absence)"))
struct PostgresContractTests {
    private let clock = ManualTimeOfDay()

    @Test("lists keep their promises", arguments: StoredList.allCases)
    func lists(_ list: StoredList) async throws {
        let fixture = try await PostgresFixture()
        #expect(try await checkContract(of: PostgresFavourites(fixture.node(), list: list)) == [])
    }

    @Test func sessionsKeepTheirPromises() async throws {
        let fixture = try await PostgresFixture()
        let sessions = PostgresSessions(fixture.node(), key: SecretKey(), now: self.clock.now)
        #expect(try await checkContract(of: sessions) == [])
    }

    @Test func filmLinksKeepTheirPromises() async throws {
        let fixture = try await PostgresFixture()
        #expect(try await checkContract(of: PostgresFilmLinks(fixture.node(), now: self.clock.now)) == [])
    }

    @Test func guestsKeepTheirPromises() async throws {
        let fixture = try await PostgresFixture()
        let database = try LibraryDatabase()
        let films = CatalogueDatabase(database)
        try films.importCatalogue(CatalogueResource())
        let guests = PostgresGuests(
            fixture.node(), publicBase: "", movies: EmbeddedMovies(films), now: self.clock.now)
        let known = ["metropolis-1927", "the-housemaid-1960", "nosferatu-1922"].compactMap { MovieID($0) }
        let unknown = try #require(MovieID("no-such-film-1000"))
        let broken = try await checkContract(of: guests, known: known, unknown: unknown) {
            _ = try await guests.decide($0, approves: $1)
        }
        #expect(broken == [])
    }

    @Test func userDataKeepsItsPromises() async throws {
        let node = try await PostgresFixture().node()
        let key = SecretKey()
        let stores = UserDataStores(
            userData: PostgresUserData(node, key: key, now: self.clock.now),
            sessions: PostgresSessions(node, key: key, now: self.clock.now),
            favourites: PostgresFavourites(node, now: self.clock.now),
            watchlist: PostgresFavourites(node, list: .watchlist, now: self.clock.now))
        #expect(try await checkContract(of: stores) == [])
    }

    @Test func ratingsOfTheGuestsOfADeviceAreExportedAndErasedTogether() async throws {
        let fixture = try await PostgresFixture()
        let userData = PostgresUserData(fixture.node(), key: nil, now: self.clock.now)
        let owner = Owner.account(.embedded, id: "g")
        #expect(try await userData.data(of: owner).isEmpty)
        for (id, device) in [("g", "d"), ("h", "d"), ("other", "e")] {
            try await fixture.execute(
                """
                INSERT INTO guest (id, username, secret_hash) VALUES ('\(id)', 'guest-\(id)', '\(id)');
                INSERT INTO guest_rating (account, movie, halves, rated_at, snapshot_format, snapshot)
                VALUES ('\(id)', 'heat-1995', 17, \(id == "h" ? 200 : 100), 1, '{"title":"Heat","year":1995}');
                INSERT INTO session (token_hash, owner, owner_source, owner_id, source, account_id, device, expires_at)
                VALUES ('\(id)', 'sample:\(id)', 'sample', '\(id)', 'sample', '\(id)', '\(device)', 2000)
                """)
        }
        let data = try await userData.data(of: owner)
        let heat = UserData.Film(id: try #require(MovieID("heat-1995")), title: "Heat", year: 1995)
        #expect(
            data.ratings
                == [200, 100].map {
                    UserData.RatedFilm(
                        film: heat, rating: Rating(8.5)!, ratedAt: Instant(secondsSince1970: $0))
                })
        #expect(Set(data.guests.map(\.username)) == ["guest-g", "guest-h"])
        let erased = try await userData.erase(owner)
        #expect(erased.ratings == 2 && erased.guests == 2 && erased.sessions == 2)
        for table in ["guest_rating", "guest", "session"] { #expect(try await fixture.count(table) == 1) }
    }

    @Test func decisionsAreKeptUntilTheyExpire() async throws {
        let fixture = try await PostgresFixture()
        let decisions = PostgresPosterDecisions(fixture.node())
        let (id, now) = (try #require(MovieID("kobis:1")), Instant(secondsSince1970: 1000))
        let later = Instant(secondsSince1970: 2000)
        let candidate = PosterCandidate(
            source: .kakao, location: .web(url: "https://a.test/1.jpg?b=1"), title: "영화", year: nil, size: nil)
        let decision = PosterDecision(
            poster: PosterReference(candidate.location), source: .kakao, candidates: [.init(candidate, .chosen)],
            failures: [.tooSlow(.kmdb)], decidedAt: now)
        #expect(try await decisions.decision(for: id, at: now) == nil)
        for _ in 0..<2 { try await decisions.keep(decision, for: id, until: later) }
        #expect(try await PostgresPosterDecisions(fixture.node()).decision(for: id, at: now) == decision)
        #expect(try await decisions.decision(for: id, at: later) == nil)
        try await decisions.forget(id)
        #expect(try await decisions.decision(for: id, at: now) == nil)
    }

    @Test func theOldestLinksAndDecisionsAreEvicted() async throws {
        let fixture = try await PostgresFixture()
        let ids = (1...5).compactMap { MovieID("kobis:\($0)") }
        let none = PosterDecision(poster: nil, source: nil, decidedAt: self.clock.now())
        for id in ids {
            // The first insertion counts the rows.
            try await PostgresPosterDecisions(fixture.node(), limit: 3).keep(
                none, for: id, until: Instant(secondsSince1970: 9999))
            try await PostgresFilmLinks(fixture.node(), limit: 3, now: self.clock.now).keep(
                FilmLink(film: id, counterpart: try #require(MovieID("tmdb:1")), reason: "", linkedAt: self.clock.now())
            )
        }
        #expect(try await fixture.count("film_link") == 3)
        #expect(try await fixture.count("poster_decision") == 3)
        let links = try await PostgresFilmLinks(fixture.node(), now: self.clock.now).links(of: ids)
        #expect(Set(links.map(\.film)) == Set(ids.suffix(3)))
    }
}
