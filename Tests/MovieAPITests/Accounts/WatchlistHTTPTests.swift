import HTTPTesting
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct WatchlistHTTPTests {
    private static let target = "/watchlist/heat-1995"

    private func ids(_ server: LiveServer, _ target: String, _ headers: [String: String]) async throws -> [String] {
        let answer = try await server.get(target, headers: headers)
        #expect(answer.status == 200 && answer.headers["cache-control"] == "private, no-cache")
        #expect(answer.headers["vary"] == "Accept-Language, Authorization, Cookie")
        return answer.objects("results").compactMap { $0["id"] as? String }
    }

    @Test func itIsAListBesideTheFavourites() async throws {
        let fixture = try MovieServicesFixture(films: 1)
        try await fixture.run { server in
            let headers = try await server.device()
            let none = try await server.get(Self.target, headers: headers)
            #expect(none.isProblem(404, "not-found") && none.text.contains("heat-1995 is not on your watchlist"))
            #expect(try await server.send("PUT", "/favourites/film-1", headers: headers).status == 201)
            for status in [201, 200] {
                let put = try await server.send("PUT", Self.target, headers: headers)
                #expect(put.status == status && put.json["addedAt"] as? String == "1970-01-01T00:00:01Z")
                #expect(put.json["isOnWatchlist"] as? Bool == true && put.json["isFavourite"] as? Bool == false)
            }
            #expect(try await self.ids(server, "/watchlist", headers) == ["heat-1995"])
            #expect(try await self.ids(server, "/favourites", headers) == ["film-1"])
            let film = try await server.get(Self.target, headers: headers)
            #expect(film.status == 200 && film.json["isOnWatchlist"] as? Bool == true)
            let other = try await server.device()
            #expect(try await self.ids(server, "/watchlist", other).isEmpty)
            for _ in 0..<2 {
                let answer = try await server.send("DELETE", Self.target, headers: headers)
                #expect(answer.status == 204 && answer.headers["cache-control"] == "private, no-store")
            }
            #expect(try await self.ids(server, "/watchlist", headers).isEmpty)
            #expect(try await self.ids(server, "/favourites", headers) == ["film-1"])
        }
    }

    @Test func whatCannotBeAddedSaysWhy() async throws {
        let fixture = try MovieServicesFixture()
        let day = Instant(secondsSince1970: 1)
        try await fixture.run { server in
            let headers = try await server.device()
            expectProblem(401, "session-required", try await server.get("/watchlist"))
            expectProblem(404, "unknown-movie", try await server.send("PUT", "/watchlist/none-1900", headers: headers))
            expectProblem(503, "source-off", try await server.send("PUT", "/watchlist/tmdb:603", headers: headers))
            expectProblem(400, "invalid-id", try await server.send("PUT", "/watchlist/x:y", headers: headers))
            expectProblem(400, "invalid-parameter", try await server.get("/watchlist?page=0", headers: headers))
            fixture.movies.fail(with: .unavailable(.embedded, reason: "gone"))
            expectProblem(502, "source-unavailable", try await server.send("PUT", Self.target, headers: headers))
            fixture.movies.fail(with: nil)
            let token = try #require(AccessToken(String(headers["Authorization"]!.dropFirst("Bearer ".count))))
            let owner = try #require(try await fixture.sessions.session(under: token, at: day)).owner
            for number in 1...1000 {
                let film = Favourite(movie: .whole(try #require(MovieID("film-\(number)"))), addedAt: day)
                _ = try await fixture.watchlist.put(film, of: owner, limit: 1000)
            }
            let full = try await server.send("PUT", Self.target, headers: headers)
            expectProblem(409, "too-many-favourites", full)
            #expect(full.text.contains("the watchlist has reached its limit of 1000 films"))
        }
    }

    @Test func aGuestAndItsDeviceHaveTheSame() async throws {
        let fixture = try MovieServicesFixture(films: 2)
        try await fixture.run { server in
            let device = try await server.device()
            for number in 1...2 {
                #expect(try await server.send("PUT", "/watchlist/film-\(number)", headers: device).status == 201)
                fixture.day.advance(by: .seconds(1))
            }
            let opened = try await server.openSession(headers: device)
            #expect(opened.status == 200 && opened.json["movedToWatchlist"] == nil)
            let guest = ["Authorization": "Bearer \(try #require(opened.json["token"] as? String))"]
            #expect(try await server.send("DELETE", "/watchlist/film-1", headers: guest).status == 204)
            for headers in [guest, device] {
                #expect(try await self.ids(server, "/watchlist", headers) == ["film-2"])
            }
        }
    }

    @Test func itComesInPagesAndInTheLanguageAskedFor() async throws {
        let fixture = try MovieServicesFixture(films: 21)
        let english = try #require(MovieID("film-1").flatMap { MovieSummary(id: $0, title: "First") })
        fixture.movies.add(Movie(summary: english), in: .korean)
        try await fixture.run { server in
            let headers = try await server.device()
            for number in 1...21 {
                let target = "/watchlist/film-\(number)?language=en"
                #expect(try await server.send("PUT", target, headers: headers).status == 201)
            }
            let first = try await server.get("/watchlist", headers: headers)
            #expect(first.headers["link"]?.contains("</watchlist?page=2>; rel=\"next\"") == true)
            let last = try await server.get("/watchlist?page=2&language=ko", headers: headers)
            #expect(last.objects("results").map { $0["title"] as? String } == ["First"])
        }
    }
}
