import Foundation
import HTTPTesting
import MovieAPI
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct FavouritesHTTPTests {
    private static let target = "/favourites/heat-1995"

    @Test func repeatedIsTheSameAsOnce() async throws {
        let fixture = try MovieServicesFixture()
        try await fixture.run { server in
            let headers = try await server.device()
            let none = try await server.get(Self.target, headers: headers)
            #expect(none.isProblem(404, "not-found"))
            for status in [201, 200, 200] {
                let answer = try await server.send("PUT", Self.target, headers: headers)
                #expect(answer.status == status)
                #expect(answer.json["addedAt"] as? String == "1970-01-01T00:00:01Z")
                fixture.day.advance(by: .seconds(60))
                let list = try await server.get("/favourites", headers: headers)
                #expect(list.headers["cache-control"] == "private, no-cache")
                #expect(list.headers["vary"] == "Accept-Language, Authorization, Cookie")
                #expect(list.objects("results").map { $0["title"] as? String } == ["히트"])
            }
            #expect(try await server.get(Self.target, headers: headers).json["isFavourite"] as? Bool == true)
            let other = try await server.device()
            #expect(try await server.get("/favourites", headers: other).objects("results").count == 0)
            for _ in 0..<2 {
                let answer = try await server.send("DELETE", Self.target, headers: headers)
                #expect(answer.status == 204 && answer.headers["cache-control"] == "private, no-store")
            }
            #expect(try await server.get("/favourites", headers: headers).objects("results").count == 0)
        }
    }

    @Test(arguments: [
        "/favourites", "/favourites/heat-1995", "/watchlist", "/me/marks?ids=heat-1995", "/account", "/account/ratings",
        "/movies/heat-1995/rating",
    ])
    func whatOneHoldsAlreadyIsNotSentAgain(target: String) async throws {
        try await MovieServicesFixture().run { server in
            var headers = try await server.signIn()
            _ = try await server.send("PUT", Self.target, headers: headers)
            let first = try await server.get(target, headers: headers)
            #expect(first.status == 200 && first.headers["cache-control"] == "private, no-cache")
            let tag = try #require(first.headers["etag"])
            headers["If-None-Match"] = tag
            let again = try await server.get(target, headers: headers)
            #expect(again.status == 304 && again.headers["etag"] == first.headers["etag"])
            headers["Authorization"] = "Bearer x"
            #expect(try await server.get(target, headers: headers).status == 401, "whoever holds it is asked first")
        }
    }

    @Test func theAttributionIsWhereTheDataIs() async throws {
        let fixture = try MovieServicesFixture()
        let id = try #require(MovieID("tmdb:603"))
        let film = try #require(MovieSummary(id: id, title: "The Matrix"))
        try await fixture.run { server in
            let headers = try await server.device()
            let token = try #require(AccessToken(String(headers["Authorization"]!.dropFirst("Bearer ".count))))
            let session = try #require(
                try await fixture.sessions.session(under: token, at: Instant(secondsSince1970: 1)))
            let favourite = Favourite(movie: film, addedAt: Instant(secondsSince1970: 1))
            _ = try await fixture.favourites.put(favourite, of: session.owner, limit: 9)
            for answer in [
                try await server.get("/favourites/tmdb:603", headers: headers),
                try await server.get("/favourites", headers: headers),
            ] {
                #expect(answer.json["attribution"] as? [String] == [try #require(MovieSource.tmdb.attribution)])
            }
            let own = try await server.send("PUT", Self.target, headers: headers)
            #expect(own.status == 201 && own.json["attribution"] == nil)
        }
    }

    @Test func favouritesSurviveTheirSource() async throws {
        let fixture = try MovieServicesFixture()
        try await fixture.run { server in
            let headers = try await server.device()
            _ = try await server.send("PUT", Self.target, headers: headers)
            fixture.movies.fail(with: .unavailable(.embedded, reason: "gone"))
            #expect(try await server.get("/favourites", headers: headers).objects("results").count == 1)
            #expect(try await server.send("PUT", Self.target, headers: headers).status == 200)
            let new = try await server.send("PUT", "/favourites/film-1", headers: headers)
            #expect(new.isProblem(502, "source-unavailable"))
            let off = try await server.send("PUT", "/favourites/tmdb:603", headers: headers)
            #expect(off.isProblem(503, "source-off"))
            #expect(try await server.send("DELETE", Self.target, headers: headers).status == 204)
        }
    }

    @Test func favouritesAreInTheLanguageAskedFor() async throws {
        let fixture = try MovieServicesFixture()
        let english = try #require(MovieSummary(id: MovieServicesFixture.film, title: "Heat", originalTitle: "Heat"))
        fixture.movies.add(Movie(summary: english), in: .english)
        try await fixture.run { server in
            let headers = try await server.device()
            _ = try await server.send("PUT", "\(Self.target)?language=ko", headers: headers)
            func titles(_ query: String, _ accepted: String = "") async throws -> [String?] {
                let language = accepted.isEmpty ? [:] : ["Accept-Language": accepted]
                let all = headers.merging(language) { $1 }
                let list = try await server.get("/favourites\(query)", headers: all)
                let one = try await server.get("\(Self.target)\(query)", headers: all)
                let vary = accepted.isEmpty ? "Authorization, Cookie" : "Accept-Language, Authorization, Cookie"
                #expect(list.headers["vary"] == vary && one.headers["vary"] == vary)
                #expect(one.headers["cache-control"] == "private, no-cache")
                return list.objects("results").map { $0["title"] as? String } + [one.json["title"] as? String]
            }
            #expect(try await titles("?language=en") == ["Heat", "Heat"])
            #expect(try await titles("", "en, ko;q=0.5") == ["Heat", "Heat"])
            #expect(try await titles("?language=ko") == ["히트", "히트"], "it is not stored anew")
            fixture.movies.fail(with: .unavailable(.embedded, reason: "gone"))
            #expect(try await titles("?language=en") == ["히트", "히트"])
            _ = try await server.send("PUT", "\(Self.target)?language=en", headers: headers)
            fixture.movies.fail(with: nil)
            #expect(try await server.send("PUT", "\(Self.target)?language=en", headers: headers).status == 200)
            fixture.movies.fail(with: .unavailable(.embedded, reason: "gone"))
            #expect(try await titles("?language=en") == ["Heat", "Heat"], "put again, it is stored in that language")
        }
    }

    @Test func theSizeOfAPosterInAnotherLanguageIsNotReported() async throws {
        let fixture = try MovieServicesFixture()
        let id = try #require(MovieID("tmdb:603"))
        try await fixture.run { server in
            let headers = try await server.device()
            let token = try #require(AccessToken(String(headers["Authorization"]!.dropFirst("Bearer ".count))))
            let session = try #require(
                try await fixture.sessions.session(under: token, at: Instant(secondsSince1970: 1)))
            let poster = PosterReference(.tmdb(file: "ko.jpg"), size: PictureSize(width: 2000, height: 3000))
            let favourite = Favourite(
                movie: .whole(id, poster: poster), addedAt: Instant(secondsSince1970: 1), language: .korean)
            _ = try await fixture.favourites.put(favourite, of: session.owner, limit: 9)
            for (language, width) in [("ko", 2000), ("en", nil)] as [(String, Int?)] {
                let list = try await server.get("/favourites?language=\(language)", headers: headers)
                let poster = try #require(list.objects("results").first?["poster"] as? [String: Any])
                #expect(poster["width"] as? Int == width)
            }
        }
    }

    @Test func favouritesAreMarkedWhereverTheyAreShown() async throws {
        let fixture = try MovieServicesFixture()
        let film = try #require(MovieSummary(id: MovieServicesFixture.film, title: "히트"))
        fixture.catalogue.set([film], for: .list(.popular))
        try await fixture.run { server in
            let headers = try await server.device()
            _ = try await server.send("PUT", Self.target, headers: headers)
            for (headers, isMarked) in [
                (headers, true), ([:], false), (["Authorization": "Bearer x"], false),
            ] {
                let list = try await server.get("/movies/lists/popular?marks=true", headers: headers)
                #expect(list.objects("results").map { $0["isFavourite"] as? Bool } == [isMarked])
                let movie = try await server.get("/movies/heat-1995?marks=true", headers: headers)
                #expect(movie.json["isFavourite"] as? Bool == isMarked)
                #expect(list.headers["cache-control"] == "private, no-cache")
            }
        }
    }

    /// A library in which every call fails.
    private struct BrokenLibrary: SessionRepository, FavouriteRepository {
        static let failure = StorageFailure(reason: "broken")

        func keep(_ session: Session, under token: AccessToken) async throws { throw Self.failure }
        func session(under token: AccessToken, at now: Instant) async throws -> Session? { throw Self.failure }
        func end(_ token: AccessToken, at now: Instant) async throws -> Session? { throw Self.failure }
        func renew(_ token: AccessToken, until end: Instant, deviceUntil deviceEnd: Instant) async throws {
            throw Self.failure
        }
        func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int { throw Self.failure }
        func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> { throw Self.failure }
        func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? { throw Self.failure }
        func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? { throw Self.failure }
        func remove(_ id: MovieID, of owner: Owner) async throws { throw Self.failure }
        func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> { throw Self.failure }
    }

    @Test("films are shown without marks while the library cannot be read", arguments: [true, false])
    func broken(canReadSessions: Bool) async throws {
        var fixture = try MovieServicesFixture()
        let film = try #require(MovieSummary(id: MovieServicesFixture.film, title: "히트"))
        fixture.catalogue.set([film], for: .list(.popular))
        let token = AccessToken()
        let session = Session(owner: .device(id: "d"), upstream: nil, expiresAt: Instant(secondsSince1970: 9999))
        try await fixture.sessions.keep(session, under: token)
        fixture.services.favourites = BrokenLibrary()
        if !canReadSessions { fixture.services.sessions = BrokenLibrary() }
        try await fixture.run { server in
            let headers = ["Authorization": "Bearer \(token.text)"]
            for target in ["/movies/lists/popular?marks=true", "/movies/heat-1995?marks=true"] {
                let answer = try await server.get(target, headers: headers)
                #expect(answer.status == 200 && answer.headers["cache-control"] == "private, no-cache")
                #expect(answer.headers["www-authenticate"] == nil && answer.text.contains("\"isFavourite\":null"))
                #expect(answer.text.contains("\"isOnWatchlist\":null") != canReadSessions)
                #expect(answer.text.contains("myRating") == canReadSessions, "a device has no ratings")
            }
            let list = try await server.get("/movies/lists/popular", headers: headers)
            #expect(list.status == 200 && list.objects("results").count == 1)
            expectProblem(503, "storage-failed", try await server.get("/favourites", headers: headers))
        }
    }

    @Test func favouritesComeInPages() async throws {
        try await MovieServicesFixture(films: 21).run { server in
            let headers = try await server.device()
            for number in 1...21 {
                let answer = try await server.send("PUT", "/favourites/film-\(number)", headers: headers)
                #expect(answer.status == 201)
            }
            let first = try await server.get("/favourites", headers: headers)
            #expect(
                first.headers["link"] == "</favourites?page=1>; rel=\"first\", </favourites?page=2>; rel=\"next\", "
                    + "</favourites?page=2>; rel=\"last\"")
            let last = try await server.get("/favourites?page=2", headers: headers)
            #expect(last.objects("results").map { $0["id"] as? String } == ["film-1"])
            let behind = try await server.get("/favourites?page=3", headers: headers)
            #expect(behind.objects("results").isEmpty && behind.json["totalPages"] as? Int == 2)
        }
    }
}
