import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import PosterTesting
import Synchronization
import Testing

@testable import MovieWeb

/// The operator's page: who may see it, and its forms.
struct AdminPagesTests {
    private static let secret = "0123456789abcdef0123456789abcdef"

    /// Records changes, and reports one of each kind.
    private final class ScriptedAdministration: SiteAdministration {
        struct Change: Equatable {
            let name: String
            let ids: [String]
            var widths: [Int] = []
        }

        private let recorded = Mutex<[Change]>([])
        let refusal = Mutex<Problem?>(nil)

        var changes: [Change] { self.recorded.withLock { $0 } }

        func report() -> AdminReport {
            var report = AdminReport()
            report.node = "node-1, OneSheet 0"
            report.startedSecondsAgo = 7200
            report.reasons = ["disk-not-writable"]
            (report.requests, report.hits) = (200, 150)
            report.variants = AdminReport.Store(count: 1234, bytes: 10 << 20, byteBudget: 256 << 20)
            report.sources = [
                AdminReport.Source(name: "KOBIS", requests: 12, limit: 3000, isKeyRefused: true),
                AdminReport.Source(name: "OMDb", option: "--omdb-key"),
            ]
            report.origins = [
                AdminReport.Origin(
                    name: "https://slow.test:443", milliseconds: 1500, attempts: 9, failures: 2, waiting: 3,
                    trouble: "circuit breaker open")
            ]
            report.quarantineCount = 1
            report.quarantine = [AdminReport.Event("ab12", detail: "the decoder trapped, refused for 9 s more")]
            report.errors = [AdminReport.Event("error: <Broken>", detail: "a=b", secondsAgo: 120)]
            return report
        }

        func purge(_ ids: [String]) throws -> String {
            if let refusal = self.refusal.withLock(\.self) { throw refusal }
            self.recorded.withLock { $0.append(Change(name: "purge", ids: ids)) }
            return "1 of 2 had a stored original; all are purged\n  films:x: failed"
        }

        func warm(_ ids: [String], widths: [Int]) -> String {
            self.recorded.withLock { $0.append(Change(name: "warm", ids: ids, widths: widths)) }
            return "2 queued"
        }
    }

    private let administration = ScriptedAdministration()
    private let token: AdminToken
    private let web: WebFixture

    init() throws {
        self.token = try AdminToken(Self.secret)
        var web = try WebFixture()
        web.administration = (self.administration, self.token)
        self.web = web
    }

    private func page(_ target: String = "/admin", cookie: String? = nil) async throws -> WebFixture.Answer {
        var headers: HTTPFields = [:]
        headers[.cookie] = cookie
        return try await self.web.ask(.get, target, headers: headers)
    }

    private func signIn() async throws -> (cookie: String, token: String) {
        let answer = try await self.web.send("/admin/sign-in", ["secret": Self.secret])
        let value = try #require(answer.cookies["onesheet_admin"]).prefix { $0 != ";" }
        let cookie = "onesheet_admin=\(value)"
        return (cookie, try #require(try await self.page(cookie: cookie).field("token")))
    }

    @Test func withoutATokenThereIsNoPage() async throws {
        let web = try WebFixture()
        for path in ["/admin", "/admin/sign-in"] {
            #expect(try await web.ask(.get, path).status == 404)
        }
        #expect(try await web.send("/admin/purge", ["ids": "x"]).status == 404)
    }

    @Test func withoutASessionThePageLeadsToTheSignIn() async throws {
        let answer = try await self.page("/admin?language=ko")
        #expect(answer.status == 303 && answer.headers[.location] == "/admin/sign-in?language=ko")
        let form = try await self.page("/admin/sign-in")
        #expect(form.status == 200 && form.text.contains("type=\"password\""))
        #expect(form.headers[.cacheControl]?.contains("no-store") == true)
        #expect(form.headers[.robotsTag] == "noindex")
    }

    @Test func signingInSetsAStrictCookieWithoutTheToken() async throws {
        let answer = try await self.web.send("/admin/sign-in?language=ja", ["secret": Self.secret])
        #expect(answer.status == 303 && answer.headers[.location] == "/admin?language=ja")
        let cookie = try #require(answer.cookies["onesheet_admin"])
        #expect(cookie.hasSuffix("; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict"))
        #expect(!cookie.contains(Self.secret))
    }

    @Test func overTLSTheCookieIsTheHosts() async throws {
        var web = try WebFixture()
        web.administration = (self.administration, self.token)
        web.publicURL = PublicURL("https://films.example.org")
        let answer = try await web.send("/admin/sign-in", ["secret": Self.secret])
        #expect(answer.cookies["__Host-onesheet_admin"]?.hasSuffix("; Secure") == true)
    }

    @Test(arguments: ["", "wrong", "0123456789abcdef0123456789abcdeF", "Bearer 0123456789abcdef0123456789abcdef"])
    func anotherTokenIsRefused(text: String) async throws {
        let answer = try await self.web.send("/admin/sign-in", ["secret": text])
        #expect(answer.status == 403 && answer.cookies.isEmpty)
        #expect(answer.text.contains("role=\"alert\""))
    }

    @Test func wrongTokensAreLimitedAndSignInsAreNot() async throws {
        for _ in 0..<2 * AdminPages.failureLimit.burst { _ = try await self.signIn() }
        for _ in 0..<AdminPages.failureLimit.burst {
            #expect(try await self.web.send("/admin/sign-in", ["secret": "wrong"]).status == 403)
        }
        for text in ["wrong", Self.secret] {
            let answer = try await self.web.send("/admin/sign-in", ["secret": text])
            #expect(answer.status == 429 && answer.cookies.isEmpty && answer.headers[.retryAfter] != nil)
        }
    }

    @Test func thePageShowsTheStateOfTheService() async throws {
        let (cookie, _) = try await self.signIn()
        let answer = try await self.page("/admin?language=en", cookie: cookie)
        #expect(answer.status == 200 && answer.headers[.cacheControl]?.contains("no-store") == true)
        let outline = HTMLOutline(answer.text)
        #expect(outline.complaints == [] && outline.isOrdered)
        for text in [
            "node-1", "2 hours ago", "disk-not-writable", "75.0 %", "1,234, 10 MiB of 256 MiB",
            "12 of 3,000 requests today", "The key is rejected.", "Off: --omdb-key", "https://slow.test:443",
            "1,500 ms on average", "9 requests, 2 failed", "3 waiting", "circuit breaker open", "ab12",
            "error: &lt;Broken&gt;", "a=b",
        ] {
            #expect(answer.text.contains(text), "\(text)")
        }
        for language in ["ko", "ja"] {
            let other = try await self.page("/admin?language=\(language)", cookie: cookie)
            #expect(HTMLOutline(other.text).complaints == [] && other.text.contains("lang=\"\(language)\""))
        }
    }

    @Test func postersArePurgedAndWarmedByForms() async throws {
        let (cookie, token) = try await self.signIn()
        let purged = try await self.web.send(
            "/admin/purge", ["token": token, "ids": " films:heat\r\n\r\nfilms:x "], cookie: cookie)
        #expect(
            purged.status == 200 && purged.text.contains("all are purged") && purged.text.contains("role=\"status\""))
        let warmed = try await self.web.send(
            "/admin/warm", ["token": token, "ids": "films:heat", "widths": "368, 736"], cookie: cookie)
        #expect(warmed.status == 200 && warmed.text.contains("2 queued"))
        #expect(
            self.administration.changes == [
                .init(name: "purge", ids: ["films:heat", "films:x"]),
                .init(name: "warm", ids: ["films:heat"], widths: [368, 736]),
            ])
    }

    @Test func aRefusalIsShownOnThePage() async throws {
        let (cookie, token) = try await self.signIn()
        let widths = try await self.web.send(
            "/admin/warm", ["token": token, "ids": "a", "widths": "many"], cookie: cookie)
        #expect(widths.status == 422 && widths.text.contains("note-alarm") && widths.text.contains("whole numbers"))
        self.administration.refusal.withLock { $0 = Problem(.invalidBody, "the id 'x' is not [source:]key") }
        let ids = try await self.web.send("/admin/purge", ["token": token, "ids": "x"], cookie: cookie)
        #expect(ids.status == 422 && ids.text.contains("is not [source:]key"))
        #expect(self.administration.changes == [])
    }

    @Test(
        "forms of other sites and sessions change nothing",
        arguments: [
            ("", [.fetchSite: "same-origin"]), ("0", [.fetchSite: "same-origin"]),
            ("own", [.fetchSite: "cross-site"]), ("own", [.origin: "https://evil.test"]), ("own", [.origin: "null"]),
        ] as [(String, HTTPFields)])
    func crossSite(given: String, headers: HTTPFields) async throws {
        let (cookie, token) = try await self.signIn()
        for form in ["purge", "warm", "sign-out"] {
            let answer = try await self.web.send(
                "/admin/\(form)", ["token": given == "own" ? token : given], cookie: cookie, headers: headers)
            #expect(answer.status == 403 && answer.cookies.isEmpty, "\(form)")
        }
        let none = try await self.web.ask(.post, "/admin/purge", headers: [.cookie: cookie], body: "token=\(token)")
        #expect(none.status == 403, "browsers send the origin with every form")
        #expect(self.administration.changes == [])
    }

    @Test func aFormWithoutASessionLeadsToTheSignIn() async throws {
        let (_, token) = try await self.signIn()
        let answer = try await self.web.send("/admin/purge", ["token": token, "ids": "x"])
        #expect(answer.status == 303 && answer.headers[.location] == "/admin/sign-in")
        #expect(self.administration.changes == [])
    }

    @Test func aSessionEndsBySigningOutWithTimeAndWithItsToken() async throws {
        let (cookie, token) = try await self.signIn()
        let out = try await self.web.send("/admin/sign-out", ["token": token], cookie: cookie)
        #expect(out.status == 303 && out.cookies["onesheet_admin"]?.contains("Max-Age=0") == true)
        #expect(try await self.page(cookie: cookie).status == 200, "only the browser forgets it")
        self.token.replace(with: try AdminToken("another token, which is long".replacing(" ", with: "-")))
        #expect(try await self.page(cookie: cookie).status == 303)
    }

    @Test func aCookieIsValidForItsTimeAndUnchangedOnly() throws {
        let session = AdminSession(token: self.token, now: { Instant(secondsSince1970: 1000) })
        let value = try #require(session.begin(with: Self.secret))
        #expect(session.isValid(value))
        let later = AdminSession(token: self.token, now: { Instant(secondsSince1970: 1000 + AdminSession.seconds) })
        #expect(!later.isValid(value))
        for other in [nil, "", ".", "99999999999.", value + "A", "9" + value, value.replacing(".", with: "..")] {
            #expect(!session.isValid(other), "\(other ?? "nil")")
        }
        #expect(session.isFormToken(session.formToken(of: value), of: value))
        #expect(!session.isFormToken(session.formToken(of: "1.x"), of: value))
        #expect(session.formToken(of: value) != session.formToken(of: value))
    }
}
