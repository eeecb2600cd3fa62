import Foundation
import HTTPTesting
import MovieAPI
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

/// KOBIS films that are linked with TMDB films, over real sockets.
@Suite(.timeLimit(.hang))
struct CounterpartHTTPTests {
    private static let korean = MovieID("kobis:20228555")!
    private static let other = MovieID("tmdb:301")!
    private static let attributions = [MovieSource.tmdb, .kobis].compactMap(\.attribution)

    private let movies = ScriptedMovies(source: .tmdb)

    private func run(_ body: @escaping @Sendable (LiveServer) async throws -> Void) async throws {
        let own = ScriptedMovies(source: .kobis)
        own.add(
            Movie(
                summary: try #require(MovieSummary(id: Self.korean, title: "브로커", year: 2022)),
                gallery: [GalleryPicture(kind: .still, location: .web(url: "http://a.test/own.jpg"))]))
        let summary = try #require(
            MovieSummary(
                id: Self.other, title: "브로커", overview: "베이비 박스", year: 2022,
                score: AudienceScore(average: 7.25, count: 40)))
        let gallery = [GalleryPicture(kind: .backdrop, location: .web(url: "http://a.test/s.jpg"))]
        self.movies.add(
            Movie(summary: summary, gallery: gallery), reviews: [Review(id: "r1", author: "a", content: "b")],
            similar: [.whole(try #require(MovieID("tmdb:302")))])
        let finder = ScriptedFilmFinder(
            .tmdb, [FoundFilm(id: Self.other, title: "브로커", originalTitle: "", year: 2022)])
        let links = MemoryFilmLinks()
        var fixture = try MovieServicesFixture()
        fixture.catalogue.set([summary], for: .list(.popular))
        let accounts = ScriptedAccounts(source: .tmdb, known: [Self.other])
        accounts.decide("token", .success(()))
        fixture.services.accounts = accounts
        fixture.services.sources = MovieRepositories([own, self.movies])
        fixture.services.identities = FilmIdentities(
            links: links, finder: finder, own: [MoviePictureRepository(own)], now: fixture.services.now)
        fixture.services.favourites = LinkedFavourites(fixture.favourites, links: links)
        try await fixture.run(LiveServer.Settings(), body)
    }

    @Test func videosImagesReleasesAndOffersAreTheCounterparts() async throws {
        try await self.run { server in
            self.movies.set(
                offers: FilmOffers(byCountry: [.korea: WatchOffers([.rent: [.init(id: "1", name: "A")]])]),
                of: Self.other)
            let path = "/movies/kobis:20228555"
            for part in ["videos", "images", "releases", "offers?country=KR"] {
                let answer = try await server.get("\(path)/\(part)")
                #expect(answer.status == 200 && answer.json["id"] as? String == "kobis:20228555", "\(answer.text)")
                let sources = part == "releases" ? Self.attributions : [MovieSource.tmdb.attribution ?? ""]
                #expect(answer.json["attribution"] as? [String] == sources, "\(part)")
            }
            let images = try await server.get(path + "/images").objects("images")
            #expect(images.map { $0["url"] as? String } == ["/poster/tmdb%3A301~1?w=780"])
            #expect(try await server.get(path + "/offers?country=KR").objects("offers").count == 1)
            self.movies.fail(with: .tooSlow(.tmdb))
            #expect(try await server.get(path + "/videos").status == 504)
            let own = try await server.get(path + "/images")
            #expect(own.objects("images").map { $0["url"] as? String } == ["/poster/kobis%3A20228555~1?w=780"])
            #expect(own.headers["cache-control"] == "no-store", "the counterpart's may be there soon")
            let releases = try await server.get(path + "/releases")
            #expect(releases.status == 200 && releases.headers["cache-control"] == "no-store", "its own are there")
        }
    }

    @Test func detailsAreThoseOfBothSources() async throws {
        try await self.run { server in
            for path in ["/movies/kobis:20228555", "/box-office/movies/20228555"] {
                let film = try await server.get(path).json
                #expect(film["id"] as? String == "kobis:20228555" && film["source"] as? String == "kobis")
                #expect(film["overview"] as? String == "베이비 박스")
                #expect((film["score"] as? [String: Any])?["average"] as? Double == 7.25)
                #expect(
                    film["counterpart"] as? [String: String]
                        == ["id": "tmdb:301", "reason": "same title, 2022 in both"])
                #expect(film["attribution"] as? [String] == Self.attributions)
            }
            // Pictures are located only by the id at their own source.
            let sections = try await server.get("/movies/kobis:20228555").objects("sections")
            let gallery = try #require(sections.first { $0["type"] as? String == "gallery" }?["pictures"])
            let url = try #require((gallery as? [[String: Any]])?.first?["url"] as? String)
            #expect(url.removingPercentEncoding?.contains("/tmdb:301~1") == true, "\(url)")
            let told = try await server.get("/movies/kobis:20228555/poster-candidates").json
            #expect((told["counterpart"] as? [String: String])?["id"] == "tmdb:301")
            #expect(try await server.get("/movies/tmdb:301").json["counterpart"] == nil)
        }
    }

    @Test func reviewsAndSimilarFilmsHaveTheAttributionOfTheirSource() async throws {
        try await self.run { server in
            for (resource, id) in [("reviews", "r1"), ("similar", "tmdb:302")] {
                let page = try await server.get("/movies/kobis:20228555/\(resource)")
                #expect(page.objects("results").map { $0["id"] as? String } == [id])
                #expect(page.json["attribution"] as? [String] == [try #require(MovieSource.tmdb.attribution)])
            }
        }
    }

    @Test func aFilmIsThereWhileItsCounterpartsSourceFails() async throws {
        try await self.run { server in
            _ = try await server.get("/movies/kobis:20228555")
            self.movies.fail(with: .tooSlow(.tmdb))
            let film = try await server.get("/movies/kobis:20228555")
            #expect(film.status == 200 && film.headers["cache-control"]?.contains("no-store") == true)
            #expect(film.objects("problems").map { $0["source"] as? String } == ["tmdb"])
            #expect(film.json["attribution"] as? [String] == [try #require(MovieSource.kobis.attribution)])
            expectProblem(504, "source-too-slow", try await server.get("/movies/kobis:20228555/reviews"))
        }
    }

    @Test func ratingsAndFavouritesAreOfBothIDs() async throws {
        try await self.run { server in
            let session = try await server.send("POST", "/auth/session", "{\"requestToken\":\"token\"}").json
            let headers = ["Authorization": "Bearer \(try #require(session["token"] as? String))"]
            let rated = try await server.send("PUT", "/movies/kobis:20228555/rating", "{\"value\":9}", headers: headers)
            #expect(rated.status == 200)
            for id in ["tmdb:301", "kobis:20228555"] {
                let rating = try await server.get("/movies/\(id)/rating", headers: headers)
                #expect(rating.json["value"] as? Double == 9)
            }

            #expect(try await server.send("PUT", "/favourites/tmdb:301", headers: headers).status == 201)
            #expect(try await server.send("PUT", "/favourites/kobis:20228555", headers: headers).status == 200)
            #expect(try await server.get("/favourites", headers: headers).objects("results").count == 1)
            let stored = try await server.get("/favourites/kobis:20228555", headers: headers)
            #expect(stored.status == 200 && stored.json["id"] as? String == "tmdb:301")
            #expect(try await server.send("DELETE", "/favourites/kobis:20228555", headers: headers).status == 204)
            #expect(try await server.get("/favourites/tmdb:301", headers: headers).status == 404)
        }
    }
}
