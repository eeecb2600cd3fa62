import HTTPSemantics
import MovieDomain
import Testing

@testable import MovieWeb

struct PageAddressTests {
    private let fixture: PageFixture

    init() throws { self.fixture = try PageFixture() }

    private func request(_ target: String, known: [String] = ["q", "page"]) throws -> PageRequest {
        try self.fixture.request(target, known: known, accept: "ko")
    }

    @Test func theAddressHasKnownParametersInTheirOrderAndNoOthers() throws {
        let request = try self.request("/search?page=2&utm_source=x&q=a+b&part=1")
        #expect(request.address() == "/search?q=a%20b&page=2")
        #expect(request.address(["page": "3"]) == "/search?q=a%20b&page=3")
        #expect(request.address(["page": nil]) == "/search?q=a%20b")
        #expect(request.address(links: PageLinks(language: .english)) == "/search?q=a%20b&page=2&language=en")
        #expect(request.isPart && request.explicitLanguage == nil && request.interface == .korean)
    }

    @Test func emptyFieldsOfFormsAreNotThere() throws {
        let request = try self.request("/search?q=&page=&language=ja")
        #expect(request["q"] == nil && request.parameters.isEmpty)
        #expect(request.links.home == "/?language=ja")
    }

    @Test(arguments: ["/search?q=1&q=2", "/search?q=%zz", "/search?language=%0d", "/%zz"])
    func whatIsWrongIsRefused(target: String) {
        #expect(throws: Problem.self) { try self.request(target) }
    }

    @Test(arguments: [
        ("/films/sample:heat-1995", "/films/heat-1995"),
        ("/films/sample:heat-1995/reviews?page=2&language=ko", "/films/heat-1995/reviews?page=2&language=ko"),
    ])
    func anIdInAnotherSpellingLeadsToItsOwn(target: String, location: String) throws {
        let redirection = #expect(throws: PageRedirection.self) { try self.request(target).movieID() }
        #expect(try #require(redirection).location == location)
    }

    @Test func anIdIsReadEncodedOrNot() throws {
        for target in ["/films/tmdb:603", "/films/tmdb%3A603/credits"] {
            #expect(try self.request(target).movieID() == MovieID("tmdb:603"))
        }
        #expect(throws: Problem.self) { try self.request("/films/imdb:1").movieID() }
        #expect(throws: Problem.self) { try self.request("/films").movieID() }
    }

    @Test(arguments: ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
    func theAddressOfAnotherSiteIsNotCarriedAlong(address: String) throws {
        let target = "/sign-in?return=\(PercentEncoding.encode(address.utf8))"
        #expect(try self.request(target, known: ["return"]).address() == "/sign-in")
        #expect(try self.request("/sign-in?return=/about", known: ["return"]).address() == "/sign-in?return=%2Fabout")
    }

    @Test func aFormLeadsBackToThePageAndNotToItsPart() throws {
        #expect(try self.request("/search?q=a&part=1").returnPath.description == "/search?q=a")
    }
}
