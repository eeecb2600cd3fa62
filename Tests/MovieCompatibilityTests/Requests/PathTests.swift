import HTTPSemantics
import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Paths of all APIs: redundant slashes, and unknown paths.
@Suite(.timeLimit(.hang))
struct PathTests {
    private static let kobis = "/compat/kobis/kobisopenapi/webservice/rest"
    private static let day = "/boxoffice/searchDailyBoxOfficeList"

    /// Targets with spellings that must have the same response.
    private static let spellings: [(String, [String])] = [
        (
            "/compat/tmdb/3/movie/popular",
            [
                "/compat/tmdb/3//movie/popular", "/compat/tmdb/3/movie/popular/", "//compat/tmdb/3/movie/popular",
                "/compat//tmdb///3/movie//popular//",
            ]
        ),
        (
            "/compat/itunes/search?term=a",
            ["/compat/itunes/search/?term=a", "/compat/itunes//search?term=a", "/compat//itunes/search//?term=a"]
        ),
        (
            "\(kobis)\(day).json?targetDt=20240501",
            ["\(kobis)/\(day).json?targetDt=20240501", "\(kobis)\(day).json/?targetDt=20240501"]
        ),
        (
            "\(kobis)\(day).xml?targetDt=20240501", ["/\(kobis)/\(day).xml/?targetDt=20240501"]
        ),
        ("/compat/kakao/v2/search/image?query=a", ["/compat/kakao//v2/search/image/?query=a"]),
        ("/compat/naver/v1/search/movie.json?query=a", ["/compat/naver/v1//search/movie.json/?query=a"]),
        ("/compat/omdb?t=vertigo", ["/compat/omdb/?t=vertigo", "//compat//omdb//?t=vertigo"]),
        ("/compat/naver/v1/search/movie.xml?query=a", ["/compat/naver//v1/search/movie.xml/?query=a"]),
    ]

    @Test func emptySegmentsAndSlashesAtTheEndAreIgnored() async throws {
        let fixture = try CatalogueFixture.common
        try await fixture.serve { server in
            for (target, spellings) in Self.spellings {
                let plain = try await server.get(target)
                #expect(plain.status == 200, "\(target): \(plain.text)")
                for spelling in spellings {
                    let answer = try await server.get(spelling)
                    #expect(answer.status == 200, "\(spelling)")
                    #expect(answer.headers["content-type"] == plain.headers["content-type"])
                    // Compares only the length, because Naver's response contains its date.
                    #expect(answer.body.count == plain.body.count, "\(spelling)")
                }
            }
            let picture = try await server.get("/compat/itunes//image/nosferatu-1922//100x100bb.jpg/")
            #expect(picture.status == 307)
            #expect(try await server.get("/compat/itunes/image/%2Fnosferatu-1922/100x100bb.jpg").status == 404)
        }
    }

    /// Unknown paths by API, and the type and beginning of their errors.
    private static let unknown: [(paths: [String], type: String, start: String)] = [
        (
            [
                "/compat/tmdb", "/compat/tmdb/3", "/compat/tmdb/3/", "/compat/tmdb/4/movie/popular", "/compat/tmdb/x",
                "/compat/tmdb/3/nothing/at/all", "/compat/tmdb/authenticate", "/compat/tmdb/authenticate/a/b",
            ], "application/json", #"{"success":false,"status_code":34,"#
        ),
        (
            [
                "/compat/kobis", "/compat/kobis/x", "/compat/kobis/kobisopenapi", kobis, "\(kobis)/movie",
                "\(kobis)/movie/searchMovieInfo", "\(kobis)/boxoffice/nothing.json", "\(kobis)/a/b/c.json",
            ], "application/json;charset=utf-8", #"{"faultInfo":{"message":""#
        ),
        (
            ["\(kobis)/movie/nothing.xml"], "text/xml;charset=utf-8",
            #"<?xml version="1.0" encoding="UTF-8"?><faultInfo><message>"#
        ),
        (
            ["/compat/itunes", "/compat/itunes/x", "/compat/itunes/search/x", "/compat/itunes/image/a"],
            "text/javascript; charset=utf-8", "\n\n\n{\"errorMessage\":\""
        ),
        (
            ["/compat/kakao", "/compat/kakao/v2/search", "/compat/kakao/v2/search/web", "/compat/kakao/v3/a/b"],
            "application/json;charset=UTF-8", #"{"errorType":"ResourceNotFound","message":""#
        ),
        (
            ["/compat/naver", "/compat/naver/v1/search", "/compat/naver/v1/search/book.json", "/compat/naver/v2/a"],
            "application/json; charset=UTF-8", #"{"errorMessage":"Invalid search api "#
        ),
        (
            ["/compat/omdb/x", "/compat/omdb/a/b"], "application/json; charset=utf-8",
            #"{"Response":"False","Error":""#
        ),
        (
            ["/compat/naver/v1/search/book.xml"], "text/xml; charset=UTF-8",
            #"<?xml version="1.0" encoding="UTF-8"?><result><errorMessage>"#
        ),
    ]

    @Test func anUnknownPathIsAnErrorInTheAPIsFormat() async throws {
        try await MovieServicesFixture().run(.compatible()) { server in
            for (paths, type, start) in Self.unknown {
                for path in paths {
                    for method in ["GET", "POST", "PATCH"] {
                        let headers = ["Accept": "text/html", "Content-Length": "0"]
                        let answer = try await server.get(path, headers: headers, method: method)
                        #expect(answer.status == 404, "\(method) \(path)")
                        #expect(answer.headers["content-type"]?.hasPrefix(type) == true, "\(method) \(path)")
                        #expect(answer.text.hasPrefix(start), "\(method) \(path): \(answer.text)")
                        #expect(answer.headers["cache-control"]?.contains("no-store") == true, "\(path)")
                    }
                }
            }
        }
    }

    @Test func anAPIThatIsSwitchedOffHasNoErrorsOfItsOwn() async throws {
        try await MovieServicesFixture().run(.compatible([.kobis])) { server in
            for path in [
                "/compat", "/compat/", "/compat/itunes/x", "/compat/unknown/x", "/compat/tmdb/3/movie/popular",
            ] {
                let answer = try await server.get(path, headers: ["Accept": "text/html"])
                #expect(answer.status == 404 && answer.headers["content-type"] == "application/problem+json", "\(path)")
            }
        }
    }

    @Test func aKnownPathWithAnotherMethodIsStillRefusedByMethod() async throws {
        try await MovieServicesFixture().run(.compatible()) { server in
            let answer = try await server.get(
                "/compat/itunes/search/?term=a", headers: ["Content-Length": "0"], method: "POST")
            #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD, OPTIONS")
        }
    }
}
