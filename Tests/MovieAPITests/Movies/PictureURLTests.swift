import Foundation
import HTTPTesting
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import PosterAPI

/// Picture URLs in responses of a server that serves only some widths, over real sockets.
@Suite(.timeLimit(.hang))
struct PictureURLTests {
    private static var settings: LiveServer.Settings {
        var policy = PicturePolicy()
        policy.ladder = WidthLadder(rungs: [100, 300, 640])
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        return settings
    }

    /// All picture URLs in a JSON value; the entries of a `srcset` separately.
    private static func pictures(in value: Any) -> [String] {
        switch value {
        case let object as [String: Any]: return object.values.flatMap(Self.pictures)
        case let array as [Any]: return array.flatMap(Self.pictures)
        case let text as String where text.hasPrefix("/poster/") || text.hasPrefix("/t/p/"):
            return text.split(separator: ", ").map { String($0.prefix { $0 != " " }) }
        default: return []
        }
    }

    private func expectPictures(
        of target: String, from server: LiveServer, count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await server.get(target)
        let pictures = Set(Self.pictures(in: answer.json))
        #expect(pictures.count >= count, "\(pictures)", sourceLocation: sourceLocation)
        for picture in pictures {
            let told = try await server.get(picture)
            #expect(told.status != 400, "\(picture): \(told.text)", sourceLocation: sourceLocation)
        }
    }

    @Test func allOfAFilmCanBeAskedFor() async throws {
        let fixture = FilmFixture()
        var film = try FilmFixture.film("film-1")
        film.poster = PosterReference(.web(url: "http://x/y.jpg"), size: PictureSize(width: 500, height: 750))
        var movie = Movie(summary: film)
        movie.gallery = [
            GalleryPicture(kind: .backdrop, location: .tmdb(file: "still.jpg")),
            GalleryPicture(kind: .still, location: .web(url: "https://pictures.example.org/2.jpg")),
        ]
        movie.credits = Credits(
            cast: [Credits.CastMember(name: "Somebody", role: "", portrait: .tmdb(file: "abc.jpg"))], crew: [])
        fixture.movies.add(movie)
        // Another film, because the first one is recorded as having no poster.
        var other = try FilmFixture.film("film-2")
        other.poster = film.poster
        fixture.catalogue.set([other], for: .list(.popular))
        try await fixture.serve(Self.settings) { server in
            // Three of the poster, two of the gallery, and a portrait.
            let answer = try await server.get("/movies/film-1")
            #expect(Self.pictures(in: answer.json).contains("/t/p/w640/still.jpg"))
            try await self.expectPictures(of: "/movies/film-1", from: server, count: 6)
            try await self.expectPictures(of: "/movies/film-1/credits", from: server, count: 1)
            try await self.expectPictures(of: "/movies/lists/popular", from: server, count: 3)
        }
    }

    @Test func aBackdropsSrcsetEndsAt1280() async throws {
        let fixture = FilmFixture()
        var film = try FilmFixture.film("film-1")
        film.backdrop = PosterReference(.tmdb(file: "wide.jpg"), size: PictureSize(width: 3840, height: 2160))
        fixture.catalogue.set([film], for: .list(.popular))
        var policy = PicturePolicy()
        policy.ladder = WidthLadder(rungs: [300, 780, 1280, 2000])
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        try await fixture.serve(settings) { server in
            let row = try #require(try await server.get("/movies/lists/popular").objects("results").first)
            let backdrop = try #require(row["backdrop"] as? [String: Any])
            #expect(
                backdrop["srcset"] as? String
                    == [300, 780, 1280].map { "/t/p/w\($0)/wide.jpg \($0)w" }.joined(separator: ", "))
            #expect(backdrop["url"] as? String == "/t/p/w780/wide.jpg")
        }
    }

    @Test func allOfAnAppCanBeAskedFor() async throws {
        try await MovieServicesFixture().run(Self.settings) { server in
            try await self.expectPictures(of: "/apps/app-nickelodeon", from: server, count: 4)
            try await self.expectPictures(of: "/apps/today", from: server, count: 8)
        }
    }
}
