import MovieDomain
import PosterTesting
import Testing

@testable import MovieSources

struct KakaoTests {
    private static let path = "/v2/search/image"

    private static func picture(_ name: String, _ width: Int, _ height: Int) -> String {
        "{\"image_url\": \"\(name)\", \"width\": \(width), \"height\": \(height), \"display_sitename\": \"\"}"
    }

    private static func found(_ rows: [String]) -> OriginScript {
        .json("{\"meta\": {\"total_count\": 9}, \"documents\": [\(rows.joined(separator: ","))]}")
    }

    private func film(_ titles: [String] = ["영웅"], year: Int? = 2022) throws -> PosterSearchTerms {
        try #require(PosterSearchTerms(id: MovieID("kobis:20196478")!, titles: titles, year: year))
    }

    @Test func uprightPicturesWithAPostersRatioComeFirst() async throws {
        let film = try self.film()
        try await withAdapters { fixture in
            let rows = [
                Self.picture("http://a.test/tall", 400, 900), Self.picture("https://a.test/wide", 900, 400), "7",
                Self.picture("https://a.test/square", 400, 400), Self.picture("https://a.test/small", 200, 300),
                Self.picture("https://a.test/poster", 600, 860), Self.picture("https://a.test/poster", 600, 860),
                Self.picture("ftp://a.test/poster", 600, 860), Self.picture("https://a.test/a b", 600, 860),
                Self.picture("https://a.test/none", 0, 860), Self.picture("https://a.test/thin", 300, 480),
            ]
            fixture.upstream.on("GET", Self.path, Self.found(rows))
            let candidates = try await KakaoPosters(fixture.kakao).posters(for: film)
            let urls = ["https://a.test/poster", "https://a.test/thin", "http://a.test/tall"]
            #expect(candidates.map(\.location) == urls.map { .web(url: $0) })
            #expect(candidates[0].size == PictureSize(width: 600, height: 860) && candidates[0].title.isEmpty)
            let request = try #require(fixture.upstream.requests.first)
            #expect(request.query["query"] == "영웅 2022 영화 포스터" && request.query["size"] == "80")
            #expect(request.headers["authorization"] == "KakaoAK key-of-kakao")
        }
    }

    @Test func atMostTwentyAreOffered() throws {
        let rows = (0..<80).map { Self.picture("https://a.test/\($0)", 600, 900) }.joined(separator: ",")
        #expect(try KakaoImages.candidates(in: Array("{\"documents\": [\(rows)]}".utf8)).count == 20)
    }

    @Test func aQueryIsNoLongerThanNeeded() throws {
        #expect(try KakaoPosters.query(for: self.film(year: nil)) == "영웅 영화 포스터")
        let long = try self.film([String(repeating: "가", count: 500)])
        #expect(KakaoPosters.query(for: long).count == 100 + " 2022 영화 포스터".count)
    }

    @Test(
        "refusals are distinguished, whatever their status",
        arguments: [
            (
                400, #"{"code": -10, "msg": "API limit has been exceeded."}"#,
                SourceFailure.busy(.kakao, retryAfterSeconds: AdapterFixture.secondsLeftInSeoul)
            ),
            (401, #"{"code": -401, "msg": "x"}"#, .keyRefused(.kakao)),
            (401, #"{"errorType": "AccessDeniedError", "message": "x"}"#, .keyRefused(.kakao)),
            (401, "", .unavailable(.kakao, reason: "status 401")),
            (404, "", .unavailable(.kakao, reason: "status 404")), (429, "", .busy(.kakao, retryAfterSeconds: 2)),
            (400, #"{"errorType": "InvalidArgument"}"#, .badAnswer(.kakao, reason: "the request was rejected")),
            (200, "<html>", .badAnswer(.kakao, reason: "the response is not well-formed JSON")),
            (200, "{}", .badAnswer(.kakao, reason: "the response has no documents")),
        ] as [(Int, String, SourceFailure)])
    func refusals(status: Int, body: String, failure: SourceFailure) async throws {
        let film = try self.film()
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .json(body, status: status))
            let posters = KakaoPosters(fixture.kakao)
            await #expect(throws: failure) { try await posters.posters(for: film) }
        }
    }

    @Test(.enabled(if: Samples.all != nil, "\(Samples.note)"))
    func theRecordedPage() async throws {
        let film = try self.film()
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .json(try Samples.bytes("kakao/image_search_page1.json")))
            let candidates = try await KakaoPosters(fixture.kakao).posters(for: film)
            #expect(candidates.count == 20)
            let first = "https://t1.daumcdn.net/cafeattach/1IHuH/f7f31ed51da240282d463ad00ef2c274d167de7a"
            #expect(candidates.first?.location == .web(url: first))
            #expect(candidates.first?.size == PictureSize(width: 1024, height: 1474))
        }
    }

    @Test(
        "recorded refusals", .enabled(if: Samples.all != nil, "\(Samples.note)"),
        arguments: [
            ("error_missing_query", 400, SourceFailure.badAnswer(.kakao, reason: "the request was rejected")),
            ("error_page_max", 400, .badAnswer(.kakao, reason: "the request was rejected")),
            ("error_platform_401", 401, .keyRefused(.kakao)), ("image_search_empty", 200, nil),
        ] as [(String, Int, SourceFailure?)])
    func recorded(file: String, status: Int, failure: SourceFailure?) async throws {
        let film = try self.film()
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .json(try Samples.bytes("kakao/\(file).json"), status: status))
            let posters = KakaoPosters(fixture.kakao)
            if let failure {
                await #expect(throws: failure) { try await posters.posters(for: film) }
            } else {
                let answer = try await posters.posters(for: film)
                #expect(answer == [])
            }
        }
    }
}
