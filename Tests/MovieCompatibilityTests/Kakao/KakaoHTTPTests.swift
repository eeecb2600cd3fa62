import Foundation
import HTTPTesting
import MovieCompatibility
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import PosterAPI

@Suite(.timeLimit(.hang))
struct KakaoHTTPTests {
    private static let target = "/compat/kakao/v2/search/image"
    /// `유전 영화포스터`
    private static let query = "query=%EC%9C%A0%EC%A0%84%20%EC%98%81%ED%99%94%ED%8F%AC%EC%8A%A4%ED%84%B0"

    private static func fixture(_ count: Int) throws -> MovieServicesFixture {
        let fixture = try MovieServicesFixture()
        let films = try (1...count).map { number in
            let id = try #require(MovieID("film-\(number)"))
            return try #require(
                MovieSummary(
                    id: id, title: "유전 \(number)",
                    releaseDate: CalendarDate(year: 2000 + number, month: 2, day: 3),
                    poster: PosterReference(
                        .packaged(file: "a.jpg", version: "1"), size: PictureSize(width: 1000, height: 1480))))
        }
        fixture.catalogue.set(films, for: .search(try #require(MovieQuery("유전"))))
        return fixture
    }

    @Test func documentsArePostersOfThisServer() async throws {
        try await Self.fixture(3).run(.compatible()) { server in
            let answer = try await server.get("\(Self.target)?\(Self.query)&size=2")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json;charset=UTF-8")
            let documents = answer.objects("documents")
            #expect(documents.count == 2)
            let first = try #require(documents.first)
            #expect(
                Set(first.keys) == [
                    "collection", "datetime", "display_sitename", "doc_url", "height", "image_url", "thumbnail_url",
                    "width",
                ])
            #expect((first["image_url"] as? String)?.hasPrefix("http://localhost/poster/film-1?w=500") == true)
            #expect((first["thumbnail_url"] as? String)?.hasPrefix("http://localhost/poster/film-1?w=130") == true)
            #expect(first["width"] as? Int == 500 && first["height"] as? Int == 740)
            #expect(first["datetime"] as? String == "2001-02-03T00:00:00.000+09:00")
            let meta = try #require(JSON.object(answer.body)["meta"] as? [String: Any])
            #expect(meta["total_count"] as? Int == 3 && meta["is_end"] as? Bool == false)
            let last = try await server.get("\(Self.target)?\(Self.query)&size=2&page=2&sort=recency")
            #expect(last.objects("documents").count == 1)
            #expect((JSON.object(last.body)["meta"] as? [String: Any])?["is_end"] as? Bool == true)
        }
    }

    @Test func faultsAreKakaos() async throws {
        let keys = try ClientKeys("kakao right")
        try await Self.fixture(1).run(.compatible(keys: keys)) { server in
            let right = ["Authorization": "KakaoAK right"]
            for (query, message) in [
                ("", "query parameter required"), ("?query=a&page=51", "page is more than max"),
                ("?query=a&page=0", "page is less than min"), ("?query=a&size=81", "size is more than max"),
            ] {
                let answer = try await server.get(Self.target + query, headers: right)
                #expect(answer.status == 400 && answer.json["message"] as? String == message, "\(query)")
            }
            let found = try await server.get(Self.target + "?query=a", headers: right)
            #expect(found.status == 200 && found.headers["vary"] == "Host, Authorization")
            let without = try await server.get(Self.target + "?query=a")
            #expect(without.status == 401 && without.json["errorType"] as? String == "AccessDeniedError")
            let wrong = try await server.get(Self.target + "?query=a", headers: ["Authorization": "KakaoAK x"])
            #expect(wrong.status == 401 && wrong.json["code"] as? Int == -401)
        }
    }

    @Test(
        .enabled(if: Samples.all != nil, "\(Samples.note)"),
        arguments: [
            ("error_missing_query", ""), ("error_page_max", "?query=a&page=51"),
        ])
    func recordedFaultsAreEqual(file: String, query: String) async throws {
        try await Self.fixture(1).run(.compatible()) { server in
            let answer = try await server.get(Self.target + query)
            #expect(JSON.object(answer.body) == (try Samples.json("kakao/\(file).json")))
        }
    }

    @Test(.enabled(if: Samples.all != nil, "\(Samples.note)"))
    func withAKeyDocumentsAreKakaosButForPictures() async throws {
        for file in ["image_search_page1", "image_search_empty"] {
            let documents = ScriptedDocuments()
            documents.set(try Samples.bytes("kakao/\(file).json"), for: "/v2/search/image")
            let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(kakao: documents))
            var policy = settings.pictures.policy
            policy.signingKeys = try SigningKeys("0123456789abcdef0123456789abcdef")
            settings.pictures.replace(policy)
            try await MovieServicesFixture().run(settings) { server in
                let answer = try await server.get("\(Self.target)?\(Self.query)")
                let sample = try Samples.json("kakao/\(file).json")
                #expect(JSON.object(answer.body)["meta"] as? NSObject == sample["meta"] as? NSObject)
                let expected = sample["documents"] as? [[String: Any]] ?? []
                let found = answer.objects("documents")
                #expect(found.count == expected.count)
                for (row, own) in zip(found, expected) {
                    #expect(row["width"] as? Int == own["width"] as? Int)
                    #expect(row["height"] as? Int == own["height"] as? Int)
                    #expect(row["doc_url"] as? String == own["doc_url"] as? String)
                    let image = try #require(row["image_url"] as? String)
                    #expect(image.hasPrefix("http://localhost/proxy?url=http") && image.contains("&s="))
                }
            }
        }
    }

    @Test func picturesThatThisServerDoesNotMakeKeepTheirURLs() async throws {
        let documents = ScriptedDocuments()
        let text = #"{"documents":[{"image_url":"https://a.test/1.jpg","width":3}],"meta":{"is_end":true}}"#
        documents.set(Array(text.utf8), for: "/v2/search/image")
        let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(kakao: documents))
        try await MovieServicesFixture().run(settings) { server in
            let answer = try await server.get("\(Self.target)?query=a")
            #expect(answer.text == text)
        }
        #expect(documents.requests.count == 1)
    }
}
