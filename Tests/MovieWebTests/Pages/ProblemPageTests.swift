import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP
import NIOCore
import NIOEmbedded
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieWeb

/// Problems in browsers.
struct ProblemPageTests {
    private static let browser = "text/html,application/xhtml+xml,*/*;q=0.8"

    /// - Parameters:
    ///   - target: Path and query.
    ///   - error: The error thrown by the route.
    private func answer(
        _ target: String, _ method: HTTPRequest.Method = .get, throwing error: any Error, language: String = "en",
        accept: String = Self.browser, of pages: ProblemPage? = nil
    ) async throws -> WebFixture.Answer {
        let pages = try pages ?? ProblemPage(PageFixture().site)
        let middleware = ResponseMiddleware(methods: MethodTable(), pages: pages)
        let head = HTTPRequest(
            method: method, scheme: nil, authority: "films.test", path: target,
            headerFields: [.accept: accept, .acceptLanguage: language])
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let context = ServerRequestContext(request, channel: EmbeddedChannel(), logger: Logger(label: "test"))
        let response = try await middleware.handle(request, context: context) { _, _ in throw error }
        return WebFixture.Answer(
            status: response.status.code, headers: response.headers,
            text: String(buffer: try await response.body.collected()))
    }

    private func unknown(_ target: String, language: String = "en") async throws -> WebFixture.Answer {
        try await self.answer(
            target, throwing: Problem(.notFound, "there is no resource at this path"), language: language)
    }

    @Test func anAddressWithoutAPageLeadsOn() async throws {
        let answer = try await self.unknown("/nothing-here")
        #expect(answer.status == 404 && answer.headers[.contentType] == "text/html; charset=utf-8")
        #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.contentLanguage] == "en")
        let outline = HTMLOutline(answer.text)
        #expect(outline.headings.map(\.text) == ["There is no such page"])
        #expect(outline.all("form").filter { $0["role"] == "search" }.count == 1, "one search, not two")
        #expect(outline.links.contains("/") && !answer.text.contains("there is no resource at this path"))
        #expect(outline.danglingReferences.isEmpty && outline.repeatedIDs.isEmpty)
    }

    @Test func theFilmsOfTheLastHomePageStandBelow() async throws {
        let site = try PageFixture().site
        let film = try PageFixture.film("nosferatu-1922", title: "Nosferatu")
        site.popular.keep([film], in: .english)
        site.popular.keep([film], in: try #require(Language("fr")))
        let answer = try await self.answer("/x", throwing: Problem(.notFound, ""), of: ProblemPage(site))
        #expect(HTMLOutline(answer.text).headings.map(\.text) == ["There is no such page", "Popular", "Nosferatu"])
        #expect(HTMLOutline(answer.text).links.contains("/films/nosferatu-1922"))
        let other = try await self.answer("/x", throwing: Problem(.notFound, ""), language: "ko", of: ProblemPage(site))
        #expect(HTMLOutline(other.text).headings.count == 1, "it has been in no Korean home page")
    }

    @Test func itsPolicyAllowsItsStyleSheets() async throws {
        let answer = try await self.unknown("/nothing-here")
        let policy = try #require(answer.headers[.contentSecurityPolicy])
        let sheet = try #require(answer.text.firstMatch(of: /<style>(.*?)<\/style>/)).output.1
        #expect(policy.contains(ContentPolicy.source(of: String(sheet))) && !policy.contains("unsafe"))
    }

    @Test(arguments: [("ko", "그런 화면이 없습니다"), ("ja", "ページが見つかりません"), ("fr", "There is no such page")])
    func itSpeaksTheReadersLanguage(language: String, heading: String) async throws {
        let answer = try await self.unknown("/nothing-here", language: language)
        #expect(HTMLOutline(answer.text).headings.first?.text == heading)
        #expect(answer.headers[.vary]?.contains("Accept-Language") == true)
        let chosen = try await self.unknown("/nothing-here?language=\(language)")
        #expect(HTMLOutline(chosen.text).headings.first?.text == heading)
        #expect(HTMLOutline(chosen.text).links.contains("/?language=\(language)"), "the language stays")
    }

    @Test(arguments: ["/x?language=1", "/x?language=ko&language=ja", "/%zz", "/films/%ff?q=%", "//a", "*"])
    func anAddressThatCannotBeReadHasAPageAsWell(target: String) async throws {
        let answer = try await self.answer(target, throwing: Problem(.invalidParameter, "language must be a language"))
        #expect(answer.status == 400 && answer.text.contains("<h1>That request was not understood</h1>"))
        #expect(answer.text.contains("The address may be misspelled") && !answer.text.contains("must be a language"))
    }

    @Test(
        "a wrong parameter is explained, and a link keeps the others",
        arguments: [
            (
                "/discover?genre=horror&decade=1995&language=ja&utm_source=x", "decade", "「年代」の値が正しくありません。",
                "/discover?genre=horror&amp;language=ja"
            ),
            ("/discover?sort=best&language=ko&part=1x", "sort", "‘순서’ 값이 올바르지 않습니다.", "/discover?language=ko"),
            ("/box-office?date=never&view=posters", "date", "“Date” is not valid.", "/box-office?view=posters"),
            ("/x?language=1", "language", "“Language” is not valid.", "/x"),
            ("/search?q=a+b&page=0&page=x", "page", "“Page” is not valid.", "/search?q=a%20b"),
        ])
    func wrongParameters(target: String, name: String, sentence: String, link: String) async throws {
        let problem = Problem(.invalidParameter, "an English detail", parameter: Problem.Parameter(name))
        let answer = try await self.answer(target, throwing: problem)
        #expect(answer.status == 400 && answer.text.contains(sentence), "\(answer.text)")
        #expect(!answer.text.contains("an English detail"))
        #expect(HTMLOutline(answer.text).links.contains(link), "\(HTMLOutline(answer.text).links)")
        let json = try await self.answer(target, throwing: problem, accept: "*/*")
        #expect(json.text.contains("\"detail\":\"an English detail\"") && !json.text.contains("\"parameter\""))
    }

    @Test(arguments: ["//evil.example/?page=x", "/\\evil.example?page=x", "https://evil.example?page=x", "*"])
    func theLinkStaysOnThisSite(target: String) async throws {
        let problem = Problem(.invalidParameter, "", parameter: Problem.Parameter("page"))
        let answer = try await self.answer(target, throwing: problem)
        #expect(HTMLOutline(answer.text).links.allSatisfy { $0.isEmpty || $0.hasPrefix("#") || $0.hasPrefix("/") })
        #expect(HTMLOutline(answer.text).links.allSatisfy { !$0.hasPrefix("//") })
        #expect(!answer.text.contains("evil.example"))
    }

    @Test(arguments: ["/<script>alert(1)</script>", "/\"onload=", "/x?language=%22%3E%3Cscript%3E", "/%3Cscript%3E"])
    func whatAnAddressHoldsIsText(target: String) async throws {
        let answer = try await self.unknown(target)
        #expect(answer.status == 404 && !answer.text.contains("<script>") && !answer.text.contains("\"onload="))
    }

    @Test func aSourceThatFailsIsNamedAndMayBeAskedAgain() async throws {
        let answer = try await self.answer("/films/tmdb:603", throwing: SourceFailure.tooSlow(.tmdb))
        #expect(answer.status == 504 && answer.text.contains("<h1>TMDB cannot be reached</h1>"))
        #expect(answer.text.contains("href=\"\">Try again"))
        let busy = try await self.answer("/films/tmdb:603", throwing: SourceFailure.busy(.tmdb, retryAfterSeconds: 30))
        #expect(busy.status == 503 && busy.headers[.retryAfter] == "30")
        let off = try await self.answer("/films/tmdb:603", throwing: SourceFailure.off(.tmdb, option: "--tmdb-key"))
        #expect(off.text.contains("TMDB is not switched on") && !off.text.contains("--tmdb-key"))
        #expect(!off.text.contains("href=\"\""))
    }

    @Test func aFormIsNotSentAgainByALink() async throws {
        let answer = try await self.answer("/films/tmdb:603/favourite", .post, throwing: SourceFailure.tooSlow(.tmdb))
        #expect(answer.status == 504 && !answer.text.contains("href=\"\""))
        let full = try await self.answer(
            "/films/a/favourite", .post, throwing: AddFavourite.Failure.tooMany(limit: 500))
        #expect(full.status == 409 && full.text.contains("That is the limit: 500 films."))
    }

    @Test func anUnexpectedFailureShowsNothingOfItsCause() async throws {
        struct Secret: Error { let path = "/var/lib/secret" }
        let answer = try await self.answer("/", throwing: Secret())
        #expect(answer.status == 500 && answer.text.contains("Something went wrong"))
        #expect(!answer.text.contains("secret"))
    }

    @Test(arguments: [
        "/movies/tmdb:603", "/poster/x", "/t/p/w342/x.jpg", "/box-office/daily", "/assets/1/x.js", "/v1/x",
    ])
    func resourcesForProgramsHaveNone(target: String) async throws {
        let answer = try await self.unknown(target)
        #expect(answer.headers[.contentType] == "application/problem+json" && answer.status == 404)
    }

    @Test(arguments: ["/box-office?date=1", "/films/x", "/my", "/moviesx", "/"])
    func pagesHaveOne(target: String) async throws {
        #expect(try await self.unknown(target).headers[.contentType]?.hasPrefix("text/html") == true)
    }

    @Test func everyDescribedResourceIsForPrograms() async throws {
        try await MovieServicesFixture().serveWeb { server in
            let document = try JSONSerialization.jsonObject(with: Data(try await server.get("/openapi.json").body))
            let paths = try #require((document as? [String: Any])?["paths"] as? [String: Any])
            #expect(paths.count > 30)
            for path in paths.keys { #expect(!ProblemPage.isForPeople(RequestTarget(path)), "\(path)") }
        }
    }

    @Test func programsThatAskForJSONGetIt() async throws {
        let problem = Problem(.notFound, "nothing")
        let answer = try await self.answer("/films/x", throwing: problem, accept: "application/json")
        #expect(answer.headers[.contentType] == "application/problem+json")
    }

    @Test func whoAsksTooOftenGetsTheSamePageEverywhere() async throws {
        let pages = try ProblemPage(PageFixture().site)
        let problem = Problem(.tooManyRequests, "slower", retryAfterSeconds: 7)
        let one = try await self.answer("/films/one", throwing: problem, of: pages)
        #expect(one.status == 429 && one.headers[.retryAfter] == "7" && one.text.contains("Try again in 7 seconds."))
        #expect(!one.text.contains("/films/one") && one.text.contains("href=\"\">Try again"))
        #expect(try await self.answer("/films/two", throwing: problem, of: pages).text == one.text)
        let later = Problem(.tooManyRequests, "slower", retryAfterSeconds: 1)
        #expect(try await self.answer("/films/two", throwing: later, of: pages).text.contains("Try again in 1 second."))
        #expect(try await self.answer("/", throwing: problem, language: "ko", of: pages).text.contains("lang=\"ko\""))
    }

    @Test func scriptsGetThePartThatTheyAskFor() async throws {
        let answer = try await self.unknown("/films/x?part=1")
        #expect(answer.status == 404 && !answer.text.contains("<style>") && answer.text.contains("<main>"))
    }
}
