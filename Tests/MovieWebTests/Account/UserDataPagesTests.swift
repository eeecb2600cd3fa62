import HTTPSemantics
import HTTPTypes
import MovieDomain
import MovieTesting
import Testing

@testable import MovieWeb

struct UserDataPagesTests {
    @Test func thePageLeadsToTheExportAndToTheConfirmation() async throws {
        let web = try WebFixture(source: .tmdb)
        let cookie = try await web.signIn().cookie
        let mine = try await web.ask(.get, "/my/favourites?language=ko", headers: [.cookie: cookie])
        #expect(mine.text.contains("<a href=\"/my/data?language=ko\">내 데이터</a>"))
        let page = try await web.ask(.get, "/my/data?language=ko", headers: [.cookie: cookie])
        #expect(page.status == 200 && page.headers[.cacheControl] == "no-store")
        #expect(page.text.contains("href=\"/account/export\" download") && page.text.contains("TMDB에 있는 평점"))
        #expect(page.text.contains("href=\"/my/erase?language=ko\"") && !page.text.contains("<form method=\"post\""))
        let confirmation = try await web.ask(.get, "/my/erase?language=ja", headers: [.cookie: cookie])
        #expect(confirmation.text.contains("<form method=\"post\" action=\"/my/erase\""))
        #expect(confirmation.text.contains("元に戻せません") && confirmation.text.contains("href=\"/my/data?language=ja\""))
        #expect(web.sessions.count == 1, "nothing is erased by reading")
    }

    @Test func aVisitorWithoutASessionHasNothing() async throws {
        let web = try WebFixture()
        for path in ["/my/data", "/my/erase"] {
            let page = try await web.ask(.get, path)
            #expect(page.status == 200 && page.text.contains("stores nothing about you"))
            #expect(!page.text.contains("/account/export") && !page.text.contains("action=\"/my/erase\""))
        }
        #expect(try await !web.ask(.get, "/my/favourites").text.contains("/my/data"))
        #expect(try await web.send("/my/erase", [:]).status == 303)
    }

    @Test func theFormErasesAndSignsOutEverywhere() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.signIn()
        _ = try await web.signIn()
        let other = try await web.device()
        for owner in [session.favouritesOwner, other.session.favouritesOwner] {
            let film = Favourite(movie: .whole(MovieID("heat-1995")!), addedAt: web.day.now())
            _ = try await web.favourites.put(film, of: owner, limit: 9)
        }
        let page = try await web.ask(.get, "/my/erase?language=ja", headers: [.cookie: cookie])
        let fields = (token: try #require(page.field("token")), path: try #require(page.field("return")))
        let answer = try await web.send(
            "/my/erase", ["token": fields.token, "return": fields.path], cookie: cookie)
        #expect(answer.status == 303 && answer.headers[.location] == "/sign-in?language=ja&note=erased")
        #expect(answer.headers[HTTPField.Name("Clear-Site-Data")!] == "\"cache\", \"storage\"")
        #expect(answer.cookies["onesheet_session"]?.hasPrefix("; Path=/; Max-Age=0") == true)
        #expect(web.sessions.all == [other.session.session])
        #expect(web.favourites.all(of: session.favouritesOwner).isEmpty)
        #expect(web.favourites.all(of: other.session.favouritesOwner).count == 1)
        let note = try await web.ask(.get, "/sign-in?note=erased")
        #expect(note.text.contains("Your data has been erased"))
    }

    @Test func neitherAnotherSiteNorAnotherSessionsFormErases() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.signIn()
        let foreign = web.token(of: try await web.device().session)
        for (token, site) in [("0", "same-origin"), (foreign, "same-origin"), (web.token(of: session), "cross-site")] {
            let answer = try await web.send(
                "/my/erase", ["token": token], cookie: cookie, headers: [.fetchSite: site])
            #expect(answer.status == 403)
        }
        #expect(web.sessions.count == 2)
    }
}
