import MovieDomain
import PosterCodec
import PosterTesting
import Testing

/// TMDB's resources beside lists and details: videos, pictures, offers, collections, people, discover and trends.
@Suite("Resources from upstreams", .timeLimit(.hang))
struct UpstreamResourceTests {
    private let folder = TemporaryFolder()

    /// Runs the service with TMDB only: its films have all fields.
    private func run(_ arguments: [String] = [], _ body: @escaping (UpstreamFixture) async throws -> Void) async throws
    {
        try await withUpstream { upstream in
            UpstreamBodies.fillParts(upstream)
            let options = ["--video-thumbnails", "\(upstream.baseURL)/thumbnails/{key}.jpg"] + arguments
            try await UpstreamFixture.run(
                upstream, data: self.folder.path + "/data", sources: [.tmdb], options, body)
        }
    }

    private func size(of bytes: [UInt8]) throws -> [Int] {
        guard case .header(let header) = try probe(bytes.span.bytes) else { return [] }
        return [header.uprightSize.width, header.uprightSize.height]
    }

    @Test func aTrailersThumbnailIsServed() async throws {
        try await self.run { fixture in
            let film = try await fixture.app.get("/movies/tmdb:301")
            let shown = try #require(film.sections.list.first { $0.type.text == "videos" }).videos
            #expect(shown.list.compactMap(\.key.text) == [UpstreamBodies.videoKey], "what is no key is left out")
            let answer = try await fixture.app.get("/movies/tmdb:301/videos")
            let video = answer.videos[0]
            #expect(video.type.text == "trailer" && video.site.text == "youtube" && video.official.bool == true)
            #expect(video.url.text == "https://www.youtube.com/watch?v=\(UpstreamBodies.videoKey)")
            #expect(video.publishedAt.text == "2024-04-01T09:00:00Z" && video.height.int == 1080)
            for thumbnail in [shown[0].thumbnail, video.thumbnail] {
                let picture = try await fixture.server.get(try #require(thumbnail.url.text))
                #expect(picture.status == 200 && picture.headers["content-type"]?.hasPrefix("image/") == true)
                #expect(try self.size(of: picture.body) == [thumbnail.width.int, thumbnail.height.int])
                #expect(try self.size(of: picture.body) == [480, 270], "without the bars above and below")
            }
            #expect(fixture.upstream.requestCount(to: "/thumbnails/\(UpstreamBodies.videoKey).jpg") == 1)
            #expect(fixture.upstream.requestCount(to: "/tmdb/movie/301") == 1)
            #expect(try await fixture.app.send("GET", "/poster/youtube:..%2fevil?w=480").status == 404)
        }
    }

    @Test func keywordsAndTheCollectionAreInTheDetails() async throws {
        try await self.run { fixture in
            let film = try await fixture.app.get("/movies/tmdb:301?region=KR")
            #expect(film.keywords[0].id.text == "tmdb:818" && film.keywords[0].name.text == "lighthouse")
            #expect(film.collection.id.text == "tmdb:77816" && film.regionalRelease.country.text == "KR")
            let id = try #require(film.collection.id.text)
            let collection = try await fixture.app.get("/collections/\(id)")
            #expect(collection.name.text == "등대 시리즈" && collection.overview.text == "불이 꺼진 등대들.")
            #expect(collection.films.list.compactMap(\.id.text) == ["tmdb:301", "tmdb:302"], "by date")
            let backdrop = try await fixture.app.picture(collection.backdrop.url.text)
            #expect(backdrop.status == 200 && backdrop.headers["content-type"]?.hasPrefix("image/") == true)
            let unknown = try await fixture.app.send("GET", "/collections/the-lighthouses")
            #expect(unknown.status == 404 && unknown.body.type.text?.hasSuffix("unknown-collection") == true)
        }
    }

    @Test func aFilmsPicturesOffersAndReleasesAreOneRequestEachForAllLanguages() async throws {
        try await self.run { fixture in
            for language in ["ko", "en"] {
                var app = fixture.app
                app.language = language
                let images = try await app.get("/movies/tmdb:301/images?kind=backdrop,logo")
                #expect(images.images.list.compactMap(\.kind.text).sorted() == ["backdrop", "logo"])
                #expect(images.counts.logo.int == 1, "no SVG")
                let textless = try await app.get("/movies/tmdb:301/images?textless=true")
                #expect(textless.images.list.count == 1)
                #expect(try await app.picture(textless.images[0].url.text).status == 200)
                let offers = try await app.get("/movies/tmdb:301/offers?country=KR")
                #expect(offers.offers.list.compactMap(\.type.text) == ["subscription", "rent"])
                #expect(offers.offers[0].providers[0].name.text == "웨이브")
                #expect(try await app.picture(offers.offers[0].providers[0].logo.url.text).status == 200)
                #expect(offers.attribution.list.contains { $0.text?.contains("JustWatch") == true })
                #expect(try await app.get("/movies/tmdb:301/offers?country=JP").offers.list.isEmpty)
                let releases = try await app.get("/movies/tmdb:301/releases?region=KR").releases
                #expect(releases.list.compactMap(\.certificate.rating.text) == ["15"])
            }
            let missing = try await fixture.app.send("GET", "/movies/tmdb:301/offers")
            #expect(missing.status == 400 && missing.body.detail.text?.contains("--region") == true)
            for part in ["images", "watch/providers"] {
                #expect(fixture.upstream.requestCount(to: "/tmdb/movie/301/\(part)") == 1, "\(part)")
            }
        }
    }

    @Test func aCastMemberLeadsToAPersonAndToItsFilms() async throws {
        try await self.run { fixture in
            let credits = try await fixture.app.get("/movies/tmdb:301/credits")
            let id = try #require(credits.cast[0].id.text)
            #expect(id == "tmdb:71" && !credits.cast[1].id.exists)
            let person = try await fixture.app.get("/people/\(id)")
            #expect(person.name.text == "한바다" && person.department.text == "acting")
            #expect(person.birthday.text == "1971-03-04" && person.otherNames.list.compactMap(\.text) == ["Han Bada"])
            #expect(person.films.list.compactMap(\.id.text) == ["tmdb:304", "tmdb:301"], "the latest first")
            #expect(person.films[0].jobs[0].job.text == "director")
            #expect(person.films[1].roles.list.compactMap(\.text) == ["선장"])
            #expect(try await fixture.app.picture(person.portrait.url.text).status == 200)
            let found = try await fixture.app.get("/people/search?query=%ED%95%9C%EB%B0%94%EB%8B%A4")
            #expect(found.results[0].id.text == id && found.results[0].knownFor[0].id.text == "tmdb:301")
            let unknown = try await fixture.app.send("GET", "/people/tmdb:999")
            #expect(unknown.status == 404 && unknown.body.type.text?.hasSuffix("unknown-person") == true)
            #expect(fixture.upstream.requestCount(to: "/tmdb/person/71") == 1)
        }
    }

    @Test func discoverTrendsAndRecommendationsAreTMDBs() async throws {
        try await self.run(["--region", "JP"]) { fixture in
            let filter = "genre=drama&decade=1990&country=KR&originalLanguage=ko&keyword=tmdb:818&sort=rating"
            let found = try await fixture.app.send("GET", "/movies/discover?\(filter)")
            #expect(found.body.results.list.compactMap(\.id.text) == ["tmdb:51", "tmdb:52"])
            #expect(found.headers["link"]?.contains("keyword=tmdb") == true, "the next page has the same filter")
            let asked = try #require(fixture.requests(of: .tmdb).last { $0.path.hasSuffix("/discover/movie") }).query
            #expect(asked["with_genres"] == "18" && asked["with_keywords"] == "818")
            #expect(asked["with_origin_country"] == "KR" && asked["with_original_language"] == "ko")
            #expect(asked["primary_release_date.gte"] == "1990-01-01")
            #expect(asked["sort_by"] == "vote_average.desc" && asked["region"] == "JP")
            _ = try await fixture.app.get("/movies/discover?region=KR")
            #expect(fixture.requests(of: .tmdb).last?.query["region"] == "KR")
            #expect(try await fixture.app.get("/movies/trending/week").results[0].id.text == "tmdb:61")
            let recommended = try await fixture.app.get("/movies/tmdb:301/recommendations")
            #expect(recommended.results.list.compactMap(\.id.text) == ["tmdb:303"])
            for target in ["discover?genre=none", "discover?year=1999&decade=1990", "trending/month"] {
                #expect(
                    [400, 404].contains(try await fixture.app.send("GET", "/movies/\(target)").status), "\(target)")
            }
        }
    }
}
