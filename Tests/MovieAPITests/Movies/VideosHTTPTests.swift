import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI
@testable import PosterAPI

/// Trailers and other videos of a film, over real sockets.
@Suite(.timeLimit(.hang))
struct VideosHTTPTests {
    private static func fixture() throws -> FilmFixture {
        let fixture = FilmFixture()
        var movie = Movie(summary: try FilmFixture.film("film-1"))
        movie.videos = [
            try #require(Video(id: "a", kind: .clip, site: .vimeo, key: "123456", name: "", language: .korean)),
            try #require(
                Video(
                    id: "b", kind: .trailer, site: .youtube, key: "BdJKm16Co6M", name: "#TBT Trailer",
                    language: .english, country: .unitedStates, isOfficial: true,
                    publishedAt: Instant(secondsSince1970: 1_412_277_622), height: 1080)),
            try #require(
                Video(
                    id: "c", kind: .trailer, site: .itunes, key: "361309726", name: "Preview",
                    url: "https://video-ssl.itunes.apple.com/a.m4v")),
        ]
        fixture.movies.add(movie)
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-2")))
        return fixture
    }

    @Test func videosHaveTypeSiteAndThumbnail() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/film-1/videos?language=en")
            #expect(answer.status == 200 && answer.json["id"] as? String == "film-1")
            #expect(answer.headers["cache-control"] == "public, max-age=300, stale-while-revalidate=3000")
            let videos = answer.objects("videos")
            #expect(videos.map { $0["id"] as? String } == ["b", "c", "a"], "of a language trailers first")
            let trailer = try #require(videos.first)
            #expect(trailer["type"] as? String == "trailer" && trailer["site"] as? String == "youtube")
            #expect(trailer["key"] as? String == "BdJKm16Co6M" && trailer["name"] as? String == "#TBT Trailer")
            #expect(trailer["language"] as? String == "en" && trailer["country"] as? String == "US")
            #expect(trailer["official"] as? Bool == true && trailer["height"] as? Int == 1080)
            #expect(trailer["publishedAt"] as? String == "2014-10-02T19:20:22Z")
            #expect(trailer["url"] as? String == "https://www.youtube.com/watch?v=BdJKm16Co6M")
            let thumbnail = try #require(trailer["thumbnail"] as? [String: Any])
            #expect(thumbnail["url"] as? String == "/poster/youtube%3ABdJKm16Co6M?w=480&h=270&fit=cover")
            #expect(thumbnail["width"] as? Int == 480 && thumbnail["height"] as? Int == 270)
            #expect(videos[1]["thumbnail"] == nil && videos[2]["thumbnail"] == nil)
            #expect(videos[1]["publishedAt"] == nil && videos[1]["height"] == nil)
            #expect(videos[1]["url"] as? String == "https://video-ssl.itunes.apple.com/a.m4v")
        }
    }

    @Test func theLanguageDecidesAboutTheOrder() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/film-1/videos", headers: ["Accept-Language": "ko"])
            #expect(answer.objects("videos").map { $0["id"] as? String } == ["a", "b", "c"])
            #expect(answer.headers["vary"]?.contains("Accept-Language") == true)
        }
    }

    @Test func aFilmWithoutVideosHasAnEmptyList() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/film-2/videos")
            #expect(answer.status == 200 && answer.json["videos"] is [Any] && answer.objects("videos").isEmpty)
            let unknown = try await server.get("/movies/film-3/videos")
            #expect(unknown.status == 404 && unknown.problem == "unknown-movie")
            #expect(try await server.get("/movies/tmdb:1/videos").problem == "source-off")
        }
    }

    @Test func whereThumbnailsAreOffThereAreNone() async throws {
        var policy = PicturePolicy()
        policy.servesVideoThumbnails = false
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        try await Self.fixture().serve(settings) { server in
            let videos = try await server.get("/movies/film-1/videos").objects("videos")
            #expect(videos.count == 3 && videos.allSatisfy { $0["thumbnail"] == nil })
        }
    }
}
