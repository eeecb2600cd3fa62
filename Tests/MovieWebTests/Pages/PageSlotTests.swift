import MovieDomain
import Testing

@testable import MovieWeb

struct PageSlotTests {
    @Test(arguments: [
        "mark.favourite.tmdb:603", "mark.watchlist.nosferatu-1922", "state.favourite.tmdb:603", "rating.kobis:20228555",
    ])
    func namesAreReadBack(name: String) throws {
        let slot = try #require(PageSlot(name))
        #expect(slot.name == name)
        #expect(name.hasSuffix(try #require(slot.film).description))
    }

    @Test func theFormOfCardsIsAboutNoFilm() throws {
        let slot = try #require(PageSlot("card-form"))
        #expect(slot == .cardForm && slot.name == "card-form" && slot.film == nil)
    }

    @Test(arguments: [
        "", "mark", "mark.favourite", "mark.other.tmdb:603", "rating.", "rating.x y", "account", "mark.favourite.",
        "state.other.tmdb:603",
        "other.favourite.tmdb:603", "card-form.",
    ])
    func otherNamesAreNone(name: String) {
        #expect(PageSlot(name) == nil)
    }
}
