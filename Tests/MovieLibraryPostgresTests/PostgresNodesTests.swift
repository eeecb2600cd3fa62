import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

@testable import MovieLibraryPostgres

/// Several nodes that share a database.
@Suite(
    .timeLimit(.hang), .enabled(if: PostgresServer.isAvailable, "\(PostgresServer.absence)"))
struct PostgresNodesTests {
    private let clock = ManualTimeOfDay()
    private let owner = Owner.device(id: "d")

    @Test func nodesThatStartAtOnceMakeTheTablesOnce() async throws {
        let fixture = try await PostgresFixture()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try await fixture.node().connect() } }
            try await group.waitForAll()
        }
        #expect(try await fixture.count("onesheet_migration") == PostgresSchema.migrations.count)
    }

    @Test func tablesOfALaterProgramAreUsed() async throws {
        let fixture = try await PostgresFixture()
        try await fixture.node().connect()
        try await fixture.execute(
            "INSERT INTO onesheet_migration (number) VALUES (99); ALTER TABLE favourite ADD COLUMN novelty text")
        let favourites = PostgresFavourites(fixture.node())
        #expect(try await favourites.put(.numbered(1), of: self.owner, limit: 9) == true)
    }

    @Test func whatOneNodeKeepsTheOthersHave() async throws {
        let fixture = try await PostgresFixture()
        let (key, token) = (SecretKey(), AccessToken())
        let nodes = (0..<3).map { _ in fixture.node() }
        let sessions = nodes.map { PostgresSessions($0, key: key, now: self.clock.now) }
        let session = Session(
            owner: .account(.tmdb, id: "7"), upstream: UpstreamSession(source: .tmdb, secret: "s", accountID: "7"),
            expiresAt: Instant(secondsSince1970: 9999))
        try await sessions[0].keep(session, under: token)
        #expect(try await sessions[1].session(under: token, at: self.clock.now()) == session)
        #expect(try await PostgresFavourites(nodes[1]).put(.numbered(1), of: session.owner, limit: 9) == true)
        let seen = try await PostgresFavourites(nodes[2]).favourites(of: session.owner, page: 1, size: 9)
        #expect(seen.results == [.numbered(1)])
        #expect(try await sessions[2].end(token, at: self.clock.now()) == session)
        for each in sessions { #expect(try await each.session(under: token, at: self.clock.now()) == nil) }
        let other = PostgresSessions(fixture.node(), key: SecretKey(), now: self.clock.now)
        try await sessions[0].keep(session, under: token)
        #expect(try await other.session(under: token, at: self.clock.now()) == nil, "with another key")
        #expect(fixture.log.warnings().count == 1)
    }

    @Test func putsOnSeveralNodesAtOnceStayWithinTheLimit() async throws {
        let fixture = try await PostgresFixture()
        let nodes = (0..<2).map { _ in PostgresFavourites(fixture.node()) }
        let answers = try await withThrowingTaskGroup(of: Bool?.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await nodes[number % 2].put(.numbered(number / 2), of: self.owner, limit: 7)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == true }.count == 7)
        #expect(try await fixture.count("favourite") == 7)
    }

    @Test func movesThatCrossDoNotWaitForEachOther() async throws {
        let fixture = try await PostgresFixture()
        let nodes = (0..<2).map { _ in PostgresFavourites(fixture.node()) }
        let other = Owner.account(.tmdb, id: "1")
        for number in 0..<6 {
            _ = try await nodes[0].put(.numbered(number), of: number % 2 == 0 ? self.owner : other, limit: 9)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let (from, to) = number % 2 == 0 ? (self.owner, other) : (other, self.owner)
                    _ = try await nodes[number % 2].move(from: from, to: to, limit: 9)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.count("favourite") == 6)
    }

    @Test func aRequestIsExchangedOnceByAllNodesTogether() async throws {
        let fixture = try await PostgresFixture()
        let guests = (0..<2).map { _ in
            PostgresGuests(fixture.node(), publicBase: "", movies: ScriptedMovies(), now: self.clock.now)
        }
        let token = try await guests[0].requestAuthorization(returningTo: nil).token
        #expect(try await guests[1].decide(token, approves: true)?.state == .approved)
        let count = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask { (try? await guests[number % 2].session(for: token)) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(count == 1)
        #expect(try await fixture.count("guest") == 1)
    }

    @Test func aListThatIsFullRefusesWhatIsNew() async throws {
        let fixture = try await PostgresFixture()
        let library = fixture.node()
        let elsewhere = Owner.account(.tmdb, id: "1")
        let all = PostgresFavourites(library)
        for owner in [elsewhere, .device(id: "lost")] { _ = try await all.put(.numbered(1), of: owner, limit: 9) }
        let full = PostgresFavourites(library, totalLimit: 2)
        #expect(try await full.put(.numbered(2), of: elsewhere, limit: 9) == true, "an unreachable one goes")
        #expect(try await all.favourite(Favourite.numbered(1).movie.id, of: .device(id: "lost")) == nil)
        let stillFull = PostgresFavourites(library, totalLimit: 2)
        await #expect(throws: StorageFailure.self) {
            try await stillFull.put(.numbered(3), of: elsewhere, limit: 9)
        }
        #expect(
            try await stillFull.put(.numbered(2), of: elsewhere, limit: 9) == false, "what is there is renewed")
    }

    @Test func twoFavouritesOfOneFilmBecomeOneWhenItIsLinked() async throws {
        let fixture = try await PostgresFixture()
        let library = fixture.node()
        let (film, counterpart) = (try #require(MovieID("kobis:1")), try #require(MovieID("tmdb:1")))
        let favourites = PostgresFavourites(library)
        for id in [film, counterpart] {
            _ = try await favourites.put(
                Favourite(movie: .whole(id), addedAt: self.clock.now()), of: self.owner, limit: 9)
        }
        try await PostgresFilmLinks(library, now: self.clock.now).keep(
            FilmLink(film: film, counterpart: counterpart, reason: "", linkedAt: self.clock.now()))
        #expect(try await favourites.favouriteIDs(among: [film, counterpart], of: self.owner) == [counterpart])
    }

    @Test func aLinkOfAnotherNodeIsKnownAMinuteLater() async throws {
        let fixture = try await PostgresFixture()
        let nodes = (0..<2).map { _ in PostgresFilmLinks(fixture.node(), now: self.clock.now) }
        let link = FilmLink(
            film: try #require(MovieID("kobis:1")), counterpart: try #require(MovieID("tmdb:1")), reason: "",
            linkedAt: self.clock.now())
        #expect(try await nodes[1].links(of: [link.film]) == [])
        try await nodes[0].keep(link)
        #expect(try await nodes[1].links(of: [link.film]) == [])
        self.clock.advance(seconds: PostgresFilmLinks.cacheSeconds)
        #expect(try await nodes[1].links(of: [link.film]) == [link])
    }
}
