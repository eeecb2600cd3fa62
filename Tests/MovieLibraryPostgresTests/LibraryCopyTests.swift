import EmbeddedCatalogue
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

@testable import MovieLibraryPostgres

@Suite(
    .timeLimit(.hang), .enabled(if: PostgresServer.isAvailable, "\(PostgresServer.absence)"))
struct LibraryCopyTests {
    private let clock = ManualTimeOfDay()

    private func copy(from source: LibraryEnd, to destination: LibraryEnd) async throws -> [String: [Int]] {
        var counts: [String: [Int]] = [:]
        try await copyLibrary(from: source, to: destination) { counts[$0.table] = [$0.copied, $0.present] }
        return counts
    }

    @Test func whatUsersKeepGoesToTheServerAndBack() async throws {
        let fixture = try await PostgresFixture()
        let (first, second) = (try LibraryFile().open(), try LibraryFile().open())
        let (key, token) = (SecretKey(), AccessToken())
        let owner = Owner.account(.tmdb, id: "7")
        let session = Session(
            owner: owner, upstream: UpstreamSession(source: .tmdb, secret: "é", accountID: "7"),
            expiresAt: Instant(secondsSince1970: 9999))
        try await SQLiteSessions(first, key: key, now: self.clock.now).keep(session, under: token)
        let favourites = SQLiteFavourites(first)
        let count = LibraryEnd.batch + 3
        for number in 1...count {
            let favourite = Favourite(
                movie: .whole(MovieID("film-\(number)")!), addedAt: Instant(secondsSince1970: 1))
            _ = try await favourites.put(favourite, of: owner, limit: .max)
        }
        let link = FilmLink(
            film: try #require(MovieID("kobis:1")), counterpart: try #require(MovieID("tmdb:1")), reason: "r",
            linkedAt: self.clock.now())
        try await SQLiteFilmLinks(first).keep(link)

        let library = fixture.node()
        let there = try await self.copy(from: .file(first), to: .server(library))
        #expect(there["favourites"] == [count, 0] && there["sessions"] == [1, 0] && there["film links"] == [1, 0])
        let again = try await self.copy(from: .file(first), to: .server(library))
        #expect(again["favourites"] == [0, count] && again["sessions"] == [0, 1])
        let sessions = PostgresSessions(library, key: key, now: self.clock.now)
        #expect(try await sessions.session(under: token, at: self.clock.now()) == session)
        let wanted = try await favourites.favourites(of: owner, page: 1, size: count)
        #expect(try await PostgresFavourites(library).favourites(of: owner, page: 1, size: count) == wanted)

        let back = try await self.copy(from: .server(library), to: .file(second))
        #expect(back["favourites"] == [count, 0] && back["film links"] == [1, 0])
        #expect(try await SQLiteFavourites(second).favourites(of: owner, page: 1, size: count) == wanted)
        #expect(try await SQLiteFilmLinks(second).links(of: [link.film]) == [link])
        let returned = SQLiteSessions(second, key: key, now: self.clock.now)
        #expect(try await returned.session(under: token, at: self.clock.now()) == session)
    }

    @Test func guestsAndTheirRatingsAreCopied() async throws {
        let fixture = try await PostgresFixture()
        let file = LibraryFile()
        let database = try file.open()
        let films = CatalogueDatabase(database)
        try films.importCatalogue(CatalogueResource())
        let accounts = EmbeddedAccounts(
            database, publicBase: "", movies: EmbeddedMovies(films), now: self.clock.now)
        let token = try await accounts.requestAuthorization(returningTo: "app://done").token
        _ = try await accounts.decide(token, approves: true)
        let session = try await accounts.session(for: token)
        let open = try await accounts.requestAuthorization(returningTo: nil).token
        let (id, rating) = (try #require(MovieID("nosferatu-1922")), try #require(Rating(7.5)))
        #expect(try await accounts.rate(id, rating, with: session))
        let library = fixture.node()
        _ = try await self.copy(from: .file(database), to: .server(library))
        let guests = PostgresGuests(library, publicBase: "", movies: EmbeddedMovies(films), now: self.clock.now)
        #expect(try await guests.account(of: session) == accounts.account(of: session))
        #expect(try await guests.rating(of: id, with: session) == rating)
        #expect(try await guests.approval(of: open)?.state == .open)
    }
}
