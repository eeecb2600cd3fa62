import MovieDomain
import MovieTesting
import Testing

struct LinkedFavouritesTests {
    private let owner = Owner.device(id: "a")
    private let kobis = MovieID("kobis:20228555")!
    private let kmdb = MovieID("kmdb:K12345")!
    private let tmdb = MovieID("tmdb:301")!
    private let other = MovieID("tmdb:302")!
    private let stored = MemoryFavourites()
    private let links = MemoryFilmLinks([
        Self.link("kobis:20228555", "tmdb:301"), Self.link("kmdb:K12345", "tmdb:301"),
    ])

    private static func link(_ film: String, _ counterpart: String) -> FilmLink {
        FilmLink(
            film: MovieID(film)!, counterpart: MovieID(counterpart)!, reason: "same title, 2022 in both",
            linkedAt: Instant(secondsSince1970: 1))
    }

    private var favourites: LinkedFavourites { LinkedFavourites(self.stored, links: self.links) }
    private var all: [MovieID] { [self.kobis, self.kmdb, self.tmdb, self.other] }

    private func put(_ id: MovieID) async throws -> Bool? {
        let favourite = Favourite(movie: .whole(id), addedAt: Instant(secondsSince1970: 100))
        return try await self.favourites.put(favourite, of: self.owner, limit: 2)
    }

    @Test func keepThePromisesOfFavourites() async throws {
        #expect(try await checkContract(of: self.favourites) == [])
    }

    @Test func aFilmIsAFavouriteUnderAllOfItsIDs() async throws {
        for id in [self.kobis, self.kmdb, self.tmdb] {
            #expect(try await self.put(id) == true)
            #expect(
                try await self.favourites.favouriteIDs(among: self.all, of: self.owner)
                    == [self.kobis, self.kmdb, self.tmdb])
            for asked in [self.kobis, self.kmdb, self.tmdb] {
                #expect(try await self.favourites.favouriteIDs(among: [asked], of: self.owner) == [asked])
                #expect(try await self.favourites.favourite(asked, of: self.owner)?.movie.id == id)
            }
            #expect(try await self.favourites.favourite(self.other, of: self.owner) == nil)
            #expect(try await self.favourites.favouriteIDs(among: self.all, of: .device(id: "b")).isEmpty)
            try await self.favourites.remove(self.kmdb, of: self.owner)
            #expect(try await self.favourites.favouriteIDs(among: self.all, of: self.owner).isEmpty)
        }
    }

    @Test func aFilmIsAddedOnce() async throws {
        #expect(try await self.put(self.tmdb) == true)
        for id in [self.kobis, self.kmdb, self.tmdb] { #expect(try await self.put(id) == false) }
        let page = try await self.favourites.favourites(of: self.owner, page: 1, size: 9)
        #expect(page.results.map(\.movie.id) == [self.tmdb])
        #expect(try await self.put(self.other) == true)
        #expect(try await self.put(self.kobis) == false, "it takes no place at the limit")
        #expect(try await self.put(#require(MovieID("tmdb:303"))) == nil)
    }

    @Test func entriesFromBeforeTheLinkAreBothRemoved() async throws {
        for id in [self.kobis, self.tmdb] {
            let favourite = Favourite(movie: .whole(id), addedAt: Instant(secondsSince1970: 100))
            _ = try await self.stored.put(favourite, of: self.owner, limit: 9)
        }
        #expect(try await self.favourites.favourite(self.kobis, of: self.owner)?.movie.id == self.kobis)
        try await self.favourites.remove(self.tmdb, of: self.owner)
        let page = try await self.favourites.favourites(of: self.owner, page: 1, size: 9)
        #expect(page.results.isEmpty)
    }

    @Test func whileLinksCannotBeReadIDsStandForThemselves() async throws {
        _ = try await self.put(self.tmdb)
        self.links.fail(with: StorageFailure(reason: "disk"))
        #expect(try await self.favourites.favouriteIDs(among: self.all, of: self.owner) == [self.tmdb])
        #expect(try await self.favourites.favourite(self.kobis, of: self.owner) == nil)
        #expect(try await self.favourites.favourite(self.tmdb, of: self.owner) != nil)
    }
}
