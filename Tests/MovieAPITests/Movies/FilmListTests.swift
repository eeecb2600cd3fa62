import HTTPTesting
import MovieDomain
import MovieTesting
import PosterPipeline
import PosterTesting
import ServiceTesting
import Synchronization
import Testing

@testable import HTTPServer
@testable import MovieAPI
@testable import PosterAPI

/// Lists of films, page by page, over real sockets.
@Suite(.timeLimit(.hang))
struct FilmListTests {
    private static func fixture(_ count: Int = 45, pageLimit: Int = 500) throws -> FilmFixture {
        let catalogue = ScriptedCatalogue(source: .tmdb, pageLimit: pageLimit)
        for list in MovieList.allCases { catalogue.set(try FilmFixture.films(count), for: .list(list)) }
        return FilmFixture(catalogue: catalogue)
    }

    @Test func eachPageSaysWhereTheOthersAre() async throws {
        try await Self.fixture().serve { server in
            let base = "/movies/lists/popular?language=ko&page="
            let link = { (pages: [(String, Int)]) in
                pages.map { "<\(base)\($0.1)>; rel=\"\($0.0)\"" }.joined(separator: ", ")
            }
            for (page, links) in [
                (1, [("first", 1), ("next", 2), ("last", 3)]),
                (2, [("first", 1), ("prev", 1), ("next", 3), ("last", 3)]),
                (3, [("first", 1), ("prev", 2), ("last", 3)]), (9, [("first", 1), ("prev", 3), ("last", 3)]),
            ] {
                let answer = try await server.get(base + "\(page)")
                #expect(answer.status == 200)
                #expect(answer.headers["link"] == link(links))
                #expect(answer.json["page"] as? Int == page)
                #expect(answer.json["totalPages"] as? Int == 3)
                #expect(answer.json["totalResults"] as? Int == 45)
                #expect(answer.objects("results").count == [20, 20, 5, 0][min(page, 4) - 1])
            }
            let first = try await server.get("/movies/lists/popular?language=ko")
            #expect(first.headers["link"] == link([("first", 1), ("next", 2), ("last", 3)]))
        }
    }

    @Test func thereIsNothingWhereOnlyTheListsAre() async throws {
        try await Self.fixture().serve { server in
            for method in ["GET", "PUT", "DELETE"] {
                let answer = try await server.send(method, "/movies/lists")
                #expect(answer.status == 404 && answer.problem == "not-found" && answer.headers["allow"] == nil)
            }
            #expect(try await server.get("/movies/lists", method: "HEAD").status == 404)
        }
    }

    @Test func linksAreAbsoluteWithAPublicURL() async throws {
        var settings = LiveServer.Settings()
        settings.links = PosterURLBuilder(publicURL: PublicURL("https://films.example.org/x"))
        try await Self.fixture().serve(settings) { server in
            let answer = try await server.get("/movies/lists/popular")
            let link = try #require(answer.headers["link"])
            #expect(link.hasPrefix("<https://films.example.org/x/movies/lists/popular?page=1>; rel=\"first\""))
            let poster = try #require(answer.objects("results").first?["poster"] as? [String: Any])
            let url = try #require(poster["url"] as? String)
            #expect(url == "https://films.example.org/x/poster/film-1?w=500")
        }
    }

    @Test func whatWasSearchedForStaysInLinksAndNothingOfItEndsThem() async throws {
        let fixture = try Self.fixture()
        let query = try #require(MovieQuery("a>; rel=\"next\" 살인", year: 2003))
        fixture.catalogue.set(try FilmFixture.films(21), for: .search(query))
        try await fixture.serve { server in
            let answer = try await server.get(
                "/movies/search?query=%20a%3E%3B%20rel%3D%22next%22%20%EC%82%B4%EC%9D%B8%20&year=2003")
            #expect(answer.json["totalResults"] as? Int == 21)
            let next = "/movies/search?query=%20a%3E%3B%20rel%3D%22next%22%20%EC%82%B4%EC%9D%B8%20&year=2003&page=2"
            #expect(answer.headers["link"]?.contains("<\(next)>; rel=\"next\"") == true)
            let second = try await server.get(next)
            #expect(second.objects("results").count == 1)
        }
    }

    @Test func aListHasAnETagAndAnswersWithA304() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/lists/upcoming")
            #expect(answer.headers["content-type"] == "application/json")
            #expect(answer.headers["cache-control"] == "public, max-age=60, stale-while-revalidate=600")
            #expect(answer.headers["access-control-allow-origin"] == "*")
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            let tag = try #require(answer.headers["etag"])
            let same = try await server.get("/movies/lists/upcoming", headers: ["If-None-Match": tag])
            #expect(same.status == 304 && same.body.isEmpty)
            for name in ["etag", "cache-control", "vary", "link"] {
                #expect(same.headers[name] == answer.headers[name])
            }
            #expect(same.headers["content-length"] == nil)
            let other = try await server.get("/movies/lists/upcoming", headers: ["If-Match": "\"other\""])
            #expect(other.status == 412)
            let head = try await server.get("/movies/lists/upcoming", method: "HEAD")
            #expect(head.status == 200 && head.headers["etag"] == tag)
            #expect(head.headers["content-length"] == "\(answer.body.count)")
        }
    }

    @Test func attributionIsServedWhereASourceDemandsIt() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/lists/popular")
            #expect(answer.json["attribution"] as? [String] == [MovieSource.tmdb.attribution ?? ""])
        }
        try await FilmFixture().serve { server in
            let answer = try await server.get("/movies/lists/popular")
            #expect(answer.status == 200 && answer.json["attribution"] == nil)
            #expect(answer.json["totalPages"] as? Int == 0)
            let link = "</movies/lists/popular?page=1>; rel=\"first\", </movies/lists/popular?page=1>; rel=\"last\""
            #expect(answer.headers["link"] == link)
        }
    }

    @Test(
        "says what is wrong, and what is allowed",
        arguments: [
            ("/movies/lists/best", 404, "now_playing, popular, top_rated, upcoming"),
            ("/movies/lists/popular?page=0", 400, "from 1 to 7"), ("/movies/lists/popular?page=8", 400, "from 1 to 7"),
            ("/movies/lists/popular?page=+1", 400, "page"), ("/movies/lists/popular?page=01", 400, "page"),
            ("/movies/lists/popular?page=1&page=1", 400, "more than once"),
            ("/movies/lists/popular?seite=1", 400, "it takes page, region, marks, language"),
            ("/movies/lists/popular?region=SEOUL", 400, "region must be an ISO 3166-1 code such as KR"),
            ("/movies/home?region=", 400, "region must be"),
            ("/movies/search?query=a&region=KR", 400, "it takes query"),
            ("/movies/lists/popular?language=", 400, "language must be"),
            ("/movies/lists/popular?language=korean", 400, "such as ko"),
            ("/movies/lists/popular?language=ko_KR", 400, "such as ko"),
            ("/movies/lists/popular?page=%zz", 400, "percent-encoding"),
            ("/movies/search", 400, "query is missing"), ("/movies/search?query=%20", 400, "1 to 200 characters"),
            ("/movies/search?query=\(String(repeating: "a", count: 201))", 400, "1 to 200 characters"),
            ("/movies/search?query=a&year=12", 400, "from 1888 to 2999"), ("/genres?page=1", 400, "it takes language"),
        ])
    func refused(target: String, status: Int, words: String) async throws {
        try await Self.fixture(pageLimit: 7).serve { server in
            let answer = try await server.get(target)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect((answer.json["detail"] as? String)?.contains(words) == true, "\(answer.text)")
        }
    }

    @Test func regionIsForTheCatalogue() async throws {
        let fixture = try Self.fixture(21)
        try await fixture.serve { server in
            let first = try await server.get("/movies/lists/popular?region=kr")
            #expect(first.headers["link"]?.contains("region=kr&page=2>; rel=\"next\"") == true, "the next page too")
            #expect(first.headers["vary"]?.contains("region") != true)
            _ = try await server.get("/movies/lists/popular")
            _ = try await server.get("/movies/home?region=JP")
        }
        #expect(fixture.catalogue.regions == [.korea, nil] + Array(repeating: .japan, count: 4))
        let other = FilmFixture(region: .korea)
        try await other.serve { server in
            for target in ["/movies/lists/popular", "/movies/home", "/movies/lists/popular?region=JP"] {
                let answer = try await server.get(target)
                #expect(answer.status == 200)
            }
        }
        #expect(other.catalogue.regions == Array(repeating: .korea, count: 5) + [.japan], "the server's, else")
    }

    @Test func theLastPageIsTheLastThatCanBeAskedFor() async throws {
        try await Self.fixture(pageLimit: 2).serve { server in
            let answer = try await server.get("/movies/lists/popular?page=2")
            #expect(answer.json["totalPages"] as? Int == 2)
            #expect(answer.headers["link"]?.contains("next") == false)
        }
    }

    @Test(
        "other methods are refused by what the routes have",
        arguments: ["/movies/home", "/movies/lists/popular", "/genres", "/movies/film-1/reviews", "/box-office/daily"])
    func methods(target: String) async throws {
        try await Self.fixture().serve { server in
            let connection = try server.connect()
            let answer = try await connection.get(target, headers: ["Content-Length": "0"], method: "POST")
            #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD, OPTIONS")
            let options = try await connection.get(target, method: "OPTIONS")
            #expect(options.status == 204 && options.headers["allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test func postersAreInTheLanguageOfTheirResponse() async throws {
        let fixture = try Self.fixture(1)
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-1")))
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(languages: PosterLanguages(sources: ["sample"], own: "en"))
        try await fixture.serve(settings) { server in
            for (headers, language) in [
                ([:], "ja"), (["Accept-Language": "ko"], "ja"), (["Accept-Language": "en"], "en"),
            ] {
                let query = language == "ja" ? "?language=ja-JP" : ""
                let list = try await server.get("/movies/lists/popular\(query)", headers: headers)
                let film = try await server.get("/movies/film-1\(query)", headers: headers)
                for object in [list.objects("results").first, film.json] {
                    let poster = try #require(object?["poster"] as? [String: Any])
                    let url = "/poster/film-1?w=500&language=\(language)"
                    #expect(poster["url"] as? String == url)
                    let srcset = try #require(poster["srcset"] as? String)
                    #expect(
                        srcset.split(separator: ", ").allSatisfy { $0.contains("&language=\(language) ") }, "\(srcset)")
                }
            }
        }
    }

    @Test func aRowWithoutABackdropHasNoSuchMember() async throws {
        let catalogue = ScriptedCatalogue(source: .tmdb)
        var films = try FilmFixture.films(3)
        films[1].backdrop = PosterReference(.tmdb(file: "wide.jpg"), size: PictureSize(width: 3840, height: 2160))
        films[2].backdrop = PosterReference(.packaged(file: "scenes/film-3-0.jpg", version: "1"))
        catalogue.set(films, for: .list(.popular))
        try await FilmFixture(catalogue: catalogue).serve { server in
            let rows = try await server.get("/movies/lists/popular").objects("results")
            #expect(rows.count == 3 && rows[0]["backdrop"] == nil)
            let wide = try #require(rows[1]["backdrop"] as? [String: Any])
            #expect(wide["url"] as? String == "/t/p/w780/wide.jpg" && wide["width"] as? Int == 3840)
            let packaged = try #require(rows[2]["backdrop"] as? [String: Any])
            #expect(packaged["url"] as? String == "/poster/film-3~1?w=780", "it is the first of its gallery")
        }
    }

    @Test func aServedListIsReportedForWarming() async throws {
        let served = ServedLists()
        let catalogue = ScriptedCatalogue()
        catalogue.set(try FilmFixture.films(2), for: .list(.popular))
        try await FilmFixture(catalogue: catalogue, served: { served.add($0, $1, $2, $3) }).serve { server in
            _ = try await server.get("/movies/lists/popular?language=ja")
            _ = try await server.get("/movies/lists/upcoming")
        }
        #expect(
            served.all.map(\.films) == [try FilmFixture.films(2).map(\.id)], "an empty list has none")
        #expect(served.all.first?.path == "/movies/lists/popular" && served.all.first?.client == "127.0.0.1")
        #expect(served.all.first?.language.code == "ja", "its posters are rendered in this language")
    }

    private final class ServedLists: Sendable {
        typealias List = (films: [MovieID], language: Language, path: String, client: String)

        private let lists = Mutex<[List]>([])
        var all: [List] { self.lists.withLock { $0 } }
        func add(_ films: [MovieID], _ language: Language, _ path: String, _ client: String) {
            self.lists.withLock { $0.append((films, language, path, client)) }
        }
    }
}
