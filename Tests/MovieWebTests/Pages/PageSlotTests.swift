import MovieDomain
import Testing

@testable import MovieWeb

struct PageSlotTests {
    @Test(arguments: ["mark.favourite.tmdb:603", "mark.watchlist.nosferatu-1922", "rating.kobis:20228555"])
    func namesAreReadBack(name: String) throws {
        let slot = try #require(PageSlot(name))
        #expect(slot.name == name)
        #expect(name.hasSuffix(slot.film.description))
    }

    @Test(arguments: [
        "", "mark", "mark.favourite", "mark.other.tmdb:603", "rating.", "rating.x y", "account", "mark.favourite.",
    ])
    func otherNamesAreNone(name: String) {
        #expect(PageSlot(name) == nil)
    }
}
