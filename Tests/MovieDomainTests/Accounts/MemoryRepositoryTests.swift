import MovieDomain
import PosterTesting
import Testing

struct MemoryRepositoryTests {
    @Test func favouritesInMemoryKeepTheirPromises() async throws {
        #expect(try await checkContract(of: MemoryFavourites()) == [])
    }

    @Test func sessionsInMemoryKeepTheirPromises() async throws {
        #expect(try await checkContract(of: MemorySessions()) == [])
    }
}
