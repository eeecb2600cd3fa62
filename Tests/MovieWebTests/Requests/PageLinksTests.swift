import MovieDomain
import Testing

@testable import MovieWeb

struct PageLinksTests {
    private let plain = PageLinks(language: nil)
    private let korean = PageLinks(language: .korean)

    @Test func theChosenLanguageIsCarriedAlong() throws {
        #expect(self.plain.home == "/" && self.korean.home == "/?language=ko")
        #expect(
            self.korean.url("/search", [("q", "a b&c"), ("page", nil), ("year", "")])
                == "/search?q=a%20b%26c&language=ko")
    }

    @Test func idsAreReadable() throws {
        #expect(self.plain.film(try #require(MovieID("tmdb:603"))) == "/films/tmdb:603")
        #expect(
            self.plain.film(try #require(MovieID("sample:heat-1995")), "reviews", page: 2)
                == "/films/heat-1995/reviews?page=2")
    }

    @Test(arguments: MovieList.allCases)
    func listsAreFoundByTheirAddress(list: MovieList) {
        #expect(FilmList(pathName: list.pathName) == .movies(list))
        #expect(!list.pathName.contains("_"))
    }

    @Test func whatOneReturnsToIsOneParameter() throws {
        let path = try #require(ReturnPath("/films/heat-1995?language=ko&x=1"))
        #expect(self.plain.signIn(returningTo: path) == "/sign-in?return=%2Ffilms%2Fheat-1995%3Flanguage%3Dko%26x%3D1")
    }
}
