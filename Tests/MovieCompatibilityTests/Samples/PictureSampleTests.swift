import MovieDomain
import MovieSources
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Recorded results of Kakao's image search, which have no titles: a film's candidates, and the generated responses.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct PictureSampleTests {
    private static func candidates(_ name: String) async throws -> [PosterCandidate] {
        let recorded = try #require(RecordedResponse.ofServices.first { $0.name == name })
        let terms = try #require(
            PosterSearchTerms(id: MovieServicesFixture.film, titles: ["Heat"], year: 1995))
        let bytes = try recorded.bytes
        return try await withUpstream { upstream in
            upstream.on("GET", recorded.path, .json(bytes))
            return try await KakaoPosters(try SampleFixture(upstream).kakao).posters(for: terms)
        }
    }

    @Test func theFirstUprightPictureIsWrittenWithItsShape() async throws {
        let recorded = try #require(RecordedResponse.ofServices.first { $0.name == "image_search_page1" })
        let first = try #require(try recorded.json["documents"]?.elements.first)
        let candidate = try #require(try await Self.candidates(recorded.name).first)
        #expect(candidate.location == .web(url: first["image_url"]?.string ?? ""))
        let (width, height) = (first["width"]?.integer ?? 0, first["height"]?.integer ?? 0)
        #expect(candidate.size == PictureSize(width: width, height: height))
        let fixture = try MovieServicesFixture()
        let film = try #require(
            MovieSummary(
                id: MovieServicesFixture.film, title: "Heat",
                poster: PosterReference(candidate.location, size: candidate.size)))
        fixture.catalogue.set([film], for: .search(try #require(MovieQuery("heat"))))
        try await fixture.run(.compatible()) { server in
            let query = "query=heat+%EC%98%81%ED%99%94%ED%8F%AC%EC%8A%A4%ED%84%B0"
            let answer = try await server.get("/compat/kakao/v2/search/image?\(query)")
            let document = try #require(try OrderedJSON(parsing: answer.body)["documents"]?.elements.first)
            #expect(document["image_url"]?.string?.hasPrefix("http://localhost/poster/heat-1995?w=500") == true)
            #expect(document["width"] == 500 && document["height"]?.integer == (height * 500 + width / 2) / width)
        }
    }

    @Test func anEmptyResponseHasNoPictures() async throws {
        #expect(try await Self.candidates("image_search_empty").isEmpty)
        try await MovieServicesFixture().run(.compatible()) { server in
            let answer = try await server.get("/compat/kakao/v2/search/image?query=nothing")
            let recorded = try #require(RecordedResponse.ofServices.first { $0.name == "image_search_empty" })
            #expect(try OrderedJSON(parsing: answer.body) == recorded.json)
        }
    }
}
