import HTTPSemantics
import PosterCodec
import PosterPipeline
import Testing

@testable import PosterAPI

struct BadgeDefaultsTests {
    private static let settings = [(name: "badges", value: "rt,imdb"), (name: "badge-position", value: "top")]

    @Test func aKeysSettingsReplaceTheUsualSources() throws {
        let usual = try #require(try BadgeDefaults([], otherwise: [.imdb, .tmdb]).badges([], sources: []))
        #expect(usual.sources == [.imdb, .tmdb] && usual.position == .bottom)
        let own = try #require(try BadgeDefaults(Self.settings, otherwise: [.tmdb]).badges([], sources: []))
        #expect(own.sources == [.rt, .imdb] && own.position == .top)
        let position = try BadgeDefaults([Self.settings[1]], otherwise: [.tmdb]).badges([], sources: [])
        #expect(position?.sources == [.tmdb] && position?.position == .top)
    }

    @Test func aRequestsSettingsReplaceTheKeys() throws {
        let defaults = try BadgeDefaults(Self.settings, otherwise: [])
        let order = try defaults.badges([], sources: [.tmdb])
        #expect(order?.sources == [.tmdb] && order?.position == .top)
        let style = try defaults.badges([("badge-style", "bar")], sources: [])
        #expect(style?.sources == [.rt, .imdb] && style?.style == .bar && style?.position == .top)
        let parameter = try defaults.badges([("badges", "mal")], sources: [.tmdb])
        #expect(parameter?.sources == [.mal])
    }

    @Test(
        "wrong settings are refused by name",
        arguments: [
            ("badges", "imdb,imdb"), ("badges", "kinopoisk"), ("badge-position", "middle"), ("badge-style", "round"),
            ("badge-colours", "red"), ("colour", "red"), ("text", "4K"),
        ])
    func refusals(name: String, value: String) {
        let problem = #expect(throws: Problem.self) { try BadgeDefaults([(name, value)], otherwise: [.imdb]) }
        #expect(problem?.detail.contains(name) == true)
    }

    @Test func lifetimesFollowTheFilmsAge() {
        let cacheControl = CacheControl(ClientCaching())
        let provenance = Provenance(reach: .cache, original: OriginalState(digest: Digest(of: "a"), age: 7200))
        func seconds(_ badges: BadgeFreshness, _ badgeSeconds: Int64?) -> Int64 {
            cacheControl.lifetime(of: provenance, version: nil, badges: badges, badgeSeconds: badgeSeconds).seconds
        }
        #expect(seconds(.current, 86_400) == 86_400 && seconds(.current, 7 * 86_400) == 7 * 86_400)
        #expect(seconds(.current, 365 * 86_400) == 30 * 86_400, "the original may change")
        #expect(seconds(.pending, 365 * 86_400) == 60)
    }
}
