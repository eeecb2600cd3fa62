import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import Testing

@testable import MovieHTTP
@testable import MovieWeb

struct PageRequestTests {
    private let fixture: PageFixture

    init() throws { self.fixture = try PageFixture() }

    @Test func parametersThatThePageDoesNotKnowAreNotCarriedAlong() throws {
        let request = try self.fixture.request("/lists/popular?utm_source=x&page=2&fbclid=y", known: ["page"])
        #expect(request.address() == "/lists/popular?page=2" && request.returnPath.description == request.address())
    }

    @Test func theRegionOfTheAddressStaysWithTheLanguage() throws {
        let request = try self.fixture.request("/lists/popular?language=ja&region=KR&page=2", known: ["page"])
        #expect(request.region == .korea)
        #expect(request.address(["page": "3"]) == "/lists/popular?page=3&region=KR&language=ja")
        #expect(request.address(["page": nil]) == "/lists/popular?region=KR&language=ja")
        let english = request.address(links: PageLinks(language: .english))
        #expect(english == "/lists/popular?page=2&region=KR&language=en")
    }

    @Test func theRegionOfTheServerStandsInNoAddress() throws {
        var services = self.fixture.site.services
        services.defaultRegion = .korea
        let site = try Website(
            MovieUseCases(services, publicURL: nil), pictures: NumberedPictureURLs(), files: WebFiles.ofProgram.get())
        let request = try PageRequest(
            target: RequestTarget("/films/heat-1995"), headers: [:], client: "127.0.0.1", site: site)
        #expect(request.region == .korea && request.address() == "/films/heat-1995")
    }

    @Test func anotherSpellingOfAnIDKeepsTheRegion() throws {
        let request = try self.fixture.request("/films/sample:heat-1995?region=KR&language=ko")
        #expect(throws: PageRedirection(to: "/films/heat-1995?region=KR&language=ko")) { try request.movieID() }
    }

    @Test func valuesThatAreWrongAreRefused() throws {
        for query in ["language=1", "region=Korea", "page=0"] {
            #expect(throws: Problem.self, "\(query)") {
                let request = try self.fixture.request("/lists/popular?\(query)", known: ["page"])
                _ = try request.query.page()
            }
        }
    }

    @Test func emptyFieldsOfFormsAreNoParameters() throws {
        let request = try self.fixture.request("/discover?genre=&region=&decade=1990", known: ["genre", "decade"])
        #expect(request.region == nil && request.address() == "/discover?decade=1990")
    }
}
