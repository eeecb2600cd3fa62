import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Collections of TMDB")
struct TMDBCollectionTests {
    private static let path = "/3/collection/10"
    private let id = CollectionID(source: .tmdb, key: "10")!

    private static func collection(_ id: Int = 10, overview: String = "줄거리", parts: [String]) -> String {
        """
        {"id":\(id),"name":"모음","overview":"\(overview)","poster_path":"/c.jpg","backdrop_path":"/d.jpg",
        "parts":[\(parts.joined(separator: ","))]}
        """
    }

    /// A film in a collection, which has `name` instead of `title`.
    private static func part(_ id: Int, date: String, overview: String = "줄거리") -> String {
        """
        {"id":\(id),"name":"제목 \(id)","original_name":"Title \(id)","media_type":"movie","release_date":"\(date)",
        "overview":"\(overview)","poster_path":"/p\(id).jpg","genre_ids":[18]}
        """
    }

    @Test func theFilmsAreInTheOrderOfTheirReleases() async throws {
        let parts = [
            Self.part(3, date: ""), Self.part(2, date: "1983-05-25"), Self.part(1, date: "1977-05-25"),
            Self.part(1, date: "1977-05-25"), "{}",
        ]
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .json(Self.collection(parts: parts)))
            let tmdb = try AdapterFixture(upstream).tmdb()
            let found = try #require(try await tmdb.collections.collection(self.id, language: .korean))
            #expect(found.reference.id == self.id && found.reference.name == "모음" && found.overview == "줄거리")
            #expect(found.reference.poster?.location == .tmdb(file: "c.jpg"))
            #expect(found.reference.backdrop?.location == .tmdb(file: "d.jpg"))
            #expect(found.films.map(\.title) == ["제목 1", "제목 2", "제목 3"])
            #expect(found.films[0].originalTitle == "Title 1" && found.films[0].genres.map(\.name) == ["드라마"])
            #expect(upstream.requests.map(\.path) == [Self.path] && upstream.requests[0].query["language"] == "ko-KR")
            let poster = try await tmdb.posters.poster(of: MovieID("tmdb:1")!)
            #expect(poster?.location == .tmdb(file: "p1.jpg") && upstream.requests.count == 1, "it has been seen")
        }
    }

    @Test func whatIsEmptyComesFromEnglishByOneRequestMore() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", Self.path,
                .json(Self.collection(overview: "", parts: [Self.part(1, date: "1977-05-25", overview: "")])))
            upstream.on(
                "GET", Self.path, query: ["language": "en-US"],
                .json(Self.collection(overview: "A saga", parts: [Self.part(1, date: "1977-05-25", overview: "Plot")])))
            let collections = try AdapterFixture(upstream).tmdb().collections
            for _ in 0..<2 {
                let found = try #require(try await collections.collection(self.id, language: .korean))
                #expect(found.overview == "A saga" && found.films.map(\.overview) == ["Plot"])
            }
            #expect(upstream.requests.count == 2)
            upstream.on("GET", "/3/collection/11", .json(Self.collection(11, overview: "", parts: [])))
            upstream.on("GET", "/3/collection/11", query: ["language": "en-US"], .status(500))
            let other = try await collections.collection(CollectionID("tmdb:11")!, language: .korean)
            #expect(other?.overview == "" && other?.films == [])
        }
    }

    @Test func aCollectionThatIsNotThereIsNone() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .json(TMDBFixtures.status(34), status: 404))
            let collections = try AdapterFixture(upstream).tmdb().collections
            #expect(try await collections.collection(self.id, language: .korean) == nil)
            let embedded = try #require(CollectionID("sagas"))
            #expect(try await collections.collection(embedded, language: .korean) == nil)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test(arguments: ["{}", #"{"id":10}"#, "[]"])
    func whatIsNoCollectionIsAFault(body: String) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .json(body))
            upstream.on("GET", "/3/collection/12", .json(Self.collection(parts: [])))
            let collections = try AdapterFixture(upstream).tmdb().collections
            await #expect(throws: SourceFailure.self) {
                try await collections.collection(self.id, language: .korean)
            }
            await #expect(throws: SourceFailure.self, "it is about another one") {
                try await collections.collection(CollectionID("tmdb:12")!, language: .korean)
            }
        }
    }
}
