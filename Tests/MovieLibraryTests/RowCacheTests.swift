import LibraryTesting
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieLibrary

/// Sessions and ids of lists are read once and cached until they change.
@Suite(.timeLimit(.hang))
struct RowCacheTests {
    private let library = LibraryFile()
    private let owner = Owner.device(id: "d")
    private let now = Instant(secondsSince1970: 1000)

    private func session(_ owner: Owner, until end: Int64 = 2000) -> Session {
        Session(owner: owner, upstream: nil, expiresAt: Instant(secondsSince1970: end))
    }

    private func film(_ number: Int) throws -> Favourite {
        Favourite(movie: .whole(try #require(MovieID("tmdb:\(number)"))), addedAt: self.now)
    }

    private func sessions(_ database: LibraryDatabase, _ limits: SQLiteSessions.Limits = .init()) -> SQLiteSessions {
        SQLiteSessions(database, key: SecretKey(), limits: limits, now: { self.now })
    }

    @Test func theyAreReadOnce() async throws {
        let database = try self.library.open()
        let (sessions, favourites) = (self.sessions(database), SQLiteFavourites(database))
        let token = AccessToken()
        let id = try self.film(1).movie.id
        try await sessions.keep(self.session(self.owner), under: token)
        _ = try await favourites.put(self.film(1), of: self.owner, limit: 9)
        for _ in 1...2 {
            #expect(try await sessions.session(under: token, at: self.now) == self.session(self.owner))
            #expect(try await favourites.favouriteIDs(among: [id], of: self.owner) == [id])
            // Deletes the rows behind this process, so that only the cache has them.
            try self.library.change("DELETE FROM session; DELETE FROM favourite")
        }
    }

    @Test func anExpiredSessionIsNotFound() async throws {
        let sessions = self.sessions(try self.library.open())
        let token = AccessToken()
        try await sessions.keep(self.session(self.owner), under: token)
        #expect(try await sessions.session(under: token, at: self.now) != nil)
        #expect(try await sessions.session(under: token, at: Instant(secondsSince1970: 2000)) == nil)
    }

    @Test func aSessionIsNewAfterEveryChangeOfIt() async throws {
        var limits = SQLiteSessions.Limits()
        limits.total = 1
        let sessions = self.sessions(try self.library.open(), limits)
        let (token, other) = (AccessToken(), AccessToken())
        #expect(try await sessions.session(under: token, at: self.now) == nil)
        try await sessions.keep(self.session(self.owner), under: token)
        #expect(try await sessions.session(under: token, at: self.now) == self.session(self.owner))
        let (end, late) = (Instant(secondsSince1970: 3000), Instant(secondsSince1970: 2500))
        try await sessions.renew(token, until: end, deviceUntil: end)
        #expect(try await sessions.session(under: token, at: late) == self.session(self.owner, until: 3000))
        try await sessions.keep(self.session(.device(id: "other")), under: other)
        #expect(try await sessions.session(under: token, at: self.now) == nil, "evicted")
        #expect(try await sessions.session(under: other, at: self.now) != nil)
        _ = try await sessions.end(other, at: self.now)
        #expect(try await sessions.session(under: other, at: self.now) == nil)
    }

    @Test(arguments: StoredList.allCases)
    func aListIsNewAfterEveryChangeOfIt(_ list: StoredList) async throws {
        let database = try self.library.open()
        let lists = SQLiteFavourites(database, list: list)
        let guest = Owner.account(.tmdb, id: "1")
        let films = try (1...2).map { try self.film($0) }
        let ids = films.map(\.movie.id)
        func found(_ owner: Owner) async throws -> Set<MovieID> { try await lists.favouriteIDs(among: ids, of: owner) }
        #expect(try await found(self.owner) == [])
        _ = try await lists.put(films[0], of: self.owner, limit: 9)
        #expect(try await found(self.owner) == [ids[0]])
        #expect(try await found(guest) == [])
        #expect(try await lists.move(from: self.owner, to: guest, limit: 9) == 1)
        #expect(try await found(self.owner) == [])
        #expect(try await found(guest) == [ids[0]])
        try await lists.remove(ids[0], of: guest)
        #expect(try await found(guest) == [])
        let token = AccessToken()
        let upstream = UpstreamSession(source: .embedded, secret: "s", accountID: "1")
        try await self.sessions(database).keep(
            Session(
                owner: .account(.embedded, id: "1"), upstream: upstream, device: "d",
                expiresAt: Instant(secondsSince1970: 2000)), under: token)
        _ = try await lists.put(films[1], of: self.owner, limit: 9)
        #expect(try await found(self.owner) == [ids[1]])
        _ = try await self.sessions(database).end(token, at: self.now)
        #expect(try await found(self.owner) == [], "with the last session that uses them")
    }

    @Test func manyFilmsOfAnOwnerAreLookedUp() async throws {
        let favourites = SQLiteFavourites(try self.library.open())
        let films = try (1...60).map { try self.film($0) }
        for (number, film) in films.enumerated() {
            _ = try await favourites.put(film, of: self.owner, limit: 100)
            let ids = films.map(\.movie.id)
            #expect(
                try await favourites.favouriteIDs(among: ids, of: self.owner) == Set(ids.prefix(number + 1)))
        }
    }

    @Test func whatIsReadDuringAChangeIsReadAgain() async throws {
        let database = try self.library.open()
        let known = RowCache<Int, Int>(of: "session", database.changes, limit: 1)
        let first = try await known.value(for: 1) {
            try await self.sessions(database).keep(self.session(self.owner), under: AccessToken())
            return 1
        }
        #expect(first == 1)
        #expect(try await known.value(for: 1) { 2 } == 2, "the first may be older than the change")
        #expect(try await known.value(for: 1) { 3 } == 2)
        _ = try await SQLiteFavourites(database).put(self.film(1), of: self.owner, limit: 1)
        #expect(try await known.value(for: 1) { 4 } == 2, "that was another table")
        #expect(try await known.value(for: 2) { nil } == nil)
        #expect(try await known.value(for: 2) { 5 } == 5, "nothing is kept for nothing")
        #expect(try await known.value(for: 1) { 6 } == 6, "one key is the limit")
    }
}
