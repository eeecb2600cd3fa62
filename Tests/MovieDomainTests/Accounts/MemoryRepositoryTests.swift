import MovieDomain
import MovieTesting
import Testing

struct MemoryRepositoryTests {
    @Test func favouritesInMemoryKeepTheirPromises() async throws {
        #expect(try await checkContract(of: MemoryFavourites()) == [])
    }

    @Test func sessionsInMemoryKeepTheirPromises() async throws {
        #expect(try await checkContract(of: MemorySessions()) == [])
    }

    @Test func userDataInMemoryKeepsItsPromises() async throws {
        let (sessions, favourites, watchlist) = (MemorySessions(), MemoryFavourites(), MemoryFavourites())
        let userData = MemoryUserData(sessions: sessions, favourites: favourites, watchlist: watchlist)
        let broken = try await checkContract(
            of: UserDataStores(
                userData: userData, sessions: sessions, favourites: favourites, watchlist: watchlist))
        #expect(broken == [])
    }
}
