import HTTPServer
import HTTPTypes
import MovieDomain
import MovieTesting
import Testing

@testable import MovieWeb

/// The previews of links: Open Graph, and the Twitter card.
struct ShareCardTests {
    private static let id = MovieID("heat-1995")!
    private static let publicURL = PublicURL("https://films.test")!

    /// - Parameter hasScene: Whether the film has a scene besides its poster.
    private func fixture(publicURL: PublicURL?, hasScene: Bool = false) throws -> WebFixture {
        var fixture = try WebFixture()
        fixture.publicURL = publicURL
        let summary = try #require(
            MovieSummary(
                id: Self.id, title: "Heat \"<b>", overview: "Two men & a city.",
                poster: PosterReference(
                    .packaged(file: "p.jpg", version: "1"), size: PictureSize(width: 1000, height: 1500)),
                backdrop: hasScene
                    ? PosterReference(
                        .packaged(file: "s.jpg", version: "1"), size: PictureSize(width: 1280, height: 720)) : nil))
        fixture.movies.add(Movie(summary: summary))
        return fixture
    }

    private func tags(_ target: String, of fixture: WebFixture) async throws -> [String: String] {
        let page = try await fixture.ask(.get, target)
        #expect(page.status == 200)
        var tags: [String: String] = [:]
        for meta in HTMLOutline(page.text).all("meta") {
            for name in [meta["property"], meta["name"]].compactMap(\.self) { tags[name] = meta["content"] }
        }
        return tags
    }

    @Test func aFilmWithAPublicURLHasAbsoluteAddressesAndItsScene() async throws {
        let fixture = try self.fixture(publicURL: Self.publicURL, hasScene: true)
        let tags = try await self.tags("/films/heat-1995?language=ko", of: fixture)
        let expected = [
            "og:title": "Heat &quot;&lt;b&gt;", "twitter:title": "Heat &quot;&lt;b&gt;", "og:type": "video.movie",
            "og:site_name": "OneSheet", "og:locale": "ko_KR", "og:url": "https://films.test/films/heat-1995",
            "og:description": "Two men &amp; a city.", "description": "Two men &amp; a city.",
            "og:image": "https://films.test/poster/sample:heat-1995~1?w=240", "og:image:width": "240",
            "og:image:height": "135", "og:image:alt": "Heat &quot;&lt;b&gt;", "twitter:card": "summary_large_image",
            "twitter:image": "https://films.test/poster/sample:heat-1995~1?w=240",
        ]
        for (name, content) in expected { #expect(tags[name] == content, "\(name)") }
    }

    @Test func aFilmWithoutASceneHasItsPoster() async throws {
        let tags = try await self.tags(
            "/films/heat-1995?language=en", of: try self.fixture(publicURL: Self.publicURL))
        #expect(tags["twitter:card"] == "summary" && tags["og:locale"] == "en_GB")
        #expect(tags["og:image"] == "https://films.test/poster/sample:heat-1995?w=240")
        #expect(tags["og:image:height"] == "360" && tags["og:image:alt"] == "Poster of Heat &quot;&lt;b&gt;")
    }

    @Test func withoutAPublicURLThereAreNoAddresses() async throws {
        let tags = try await self.tags("/films/heat-1995", of: try self.fixture(publicURL: nil, hasScene: true))
        #expect(tags["og:title"] != nil && tags["og:description"] != nil && tags["twitter:card"] == "summary")
        #expect(!tags.keys.contains { $0.hasPrefix("og:image") || $0.hasPrefix("twitter:image") || $0 == "og:url" })
    }

    @Test(arguments: [
        ("/", "OneSheet"), ("/lists/popular", "Popular"), ("/films/heat-1995/reviews", "Reviews of Heat"),
    ])
    func otherPagesHaveOne(target: String, title: String) async throws {
        let fixture = try self.fixture(publicURL: Self.publicURL)
        let tags = try await self.tags(target + "?language=en", of: fixture)
        #expect(tags["og:title"]?.hasPrefix(title) == true && tags["og:type"] == "website")
        #expect(tags["og:url"] == "https://films.test\(target)")
    }

    @Test func aVisitorsOwnPagesHaveNone() async throws {
        let tags = try await self.tags("/my/favourites", of: try self.fixture(publicURL: Self.publicURL))
        #expect(!tags.keys.contains { $0.hasPrefix("twitter:") || $0 == "og:title" })
    }

    @Test func thePictureIsTheWidestOfItsCandidates() {
        let object = PosterObject(url: "/p?w=1", srcset: "/p?w=1 1w, /p?w=3,4 3w", width: 30, height: 45)
        let image = ShareCard.Image(object, alt: "", isScene: false)
        #expect(image.url == "/p?w=3,4" && image.width == 3 && image.height == 5)
        let unknown = PosterObject(url: "/p?w=1", srcset: "", width: nil, height: nil)
        #expect(unknown.widest.url == "/p?w=1" && unknown.widest.width == nil)
        #expect(ShareCard.Image(unknown, alt: "", isScene: true).height == nil)
    }
}
