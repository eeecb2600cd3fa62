import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// The parameter `country` for films generated from the domain.
@Suite(.timeLimit(.hang))
struct ITunesStorefrontTests {
    private static func fixture() throws -> MovieServicesFixture {
        let fixture = try MovieServicesFixture()
        let film = try #require(MovieSummary(id: MovieServicesFixture.film, title: "Heat"))
        fixture.catalogue.set([film], for: .search(try #require(MovieQuery("heat"))))
        fixture.catalogue.set([film], for: .list(.popular))
        return fixture
    }

    @Test(
        "films are of the store that a request names",
        arguments: [
            ("", "USA"), ("&country=us", "USA"), ("&country=KR", "KOR"), ("&country=jp", "JPN"), ("&country=gb", "GBR"),
            ("&country=DE", "DEU"),
        ])
    func films(query: String, code: String) async throws {
        let number = ITunesNumber.number(of: MovieServicesFixture.film)
        try await Self.fixture().run(.compatible()) { server in
            for target in ["search?term=heat&media=movie\(query)", "lookup?id=\(number)\(query)"] {
                let answer = try await server.get("/compat/itunes/\(target)")
                let rows = try OrderedJSON(parsing: answer.body)["results"]?.elements ?? []
                #expect(rows.map { $0["country"]?.string } == [code], "\(target)")
            }
        }
    }

    @Test func withoutACountryFilmsAreOfTheServersStore() async throws {
        var fixture = try Self.fixture()
        fixture.services.defaultRegion = .korea
        try await fixture.run(.compatible()) { server in
            let answer = try await server.get("/compat/itunes/search?term=heat&media=movie")
            let row = try OrderedJSON(parsing: answer.body)["results"]?.elements.first
            #expect(row?["country"]?.string == "KOR")
        }
    }

    @Test func everyCountryHasACodeOfItsOwn() {
        let codes = Country.all.map { ITunesStorefront.code(of: $0) }
        #expect(Set(codes).count == Country.all.count)
        #expect(codes.allSatisfy { $0.utf8.count == 3 && $0.utf8.allSatisfy { (65...90).contains($0) } })
    }
}
