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
struct MarksHTTPTests {
    private static let film = "heat-1995"
    /// Each response contains the film, and nothing else that is marked.
    private static let targets = [
        "/movies/home", "/movies/lists/popular", "/movies/search?query=x", "/movies/\(Self.film)",
        "/movies/film-1/similar", "/box-office/daily", "/box-office/weekly?span=weekend",
        "/box-office/movies/\(Self.film)",
    ]

    private static func marked(_ target: String) -> String {
        target + (target.contains("?") ? "&" : "?") + "marks=true"
    }

    private func fixture() throws -> MovieServicesFixture {
        var fixture = try MovieServicesFixture(films: 1)
        // Cached responses must not contain the marks filled in for another client.
        fixture.services.sharedResponseLifetime = .seconds(3600)
        let film = try #require(MovieSummary(id: MovieServicesFixture.film, title: "히트 \"slot:0:\(Self.film)\""))
        for list in MovieList.allCases { fixture.catalogue.set([film], for: .list(list)) }
        fixture.catalogue.set([film], for: .search(try #require(MovieQuery("x"))))
        let other = try #require(MovieID("film-1").flatMap { MovieSummary(id: $0, title: "Film 1") })
        fixture.movies.add(Movie(summary: other), similar: [film])
        fixture.movies.add(Movie(summary: film))
        let figure = BoxOfficeEntry.Figure(value: 1, change: nil, changePercent: nil, total: 1)
        fixture.services.boxOffice = ScriptedBoxOffice(
            source: .embedded,
            entries: [
                BoxOfficeEntry(
                    rank: 1, rankChange: 0, isNew: false, movieID: film.id, title: film.title, releaseDate: nil,
                    audience: figure, sales: figure, salesShare: nil, screens: 1, showings: 1)
            ])
        return fixture
    }

    /// The film's object, at any depth of a response.
    private func object(_ answer: HTTPConnection.Answer) -> [String: Any]? {
        func find(_ value: Any) -> [String: Any]? {
            if let list = value as? [Any] { return list.lazy.compactMap(find).first }
            guard let object = value as? [String: Any] else { return nil }
            if object["id"] as? String == Self.film, object["title"] != nil { return object }
            return object.values.lazy.compactMap(find).first
        }
        return find(answer.json)
    }

    @Test(arguments: Self.targets)
    func withoutMarksAllClientsGetTheSame(target: String) async throws {
        let fixture = try self.fixture()
        try await fixture.run { server in
            let account = try await server.signIn()
            _ = try await server.send("PUT", "/favourites/\(Self.film)", headers: account)
            let device = try await server.device()
            let plain = try await server.get(target)
            #expect(plain.status == 200 && !plain.text.contains("isFavourite") && !plain.text.contains("myRating"))
            #expect(!plain.text.contains("isOnWatchlist"))
            #expect(plain.headers["cache-control"]?.hasPrefix("public, ") == true)
            for headers in [account, device, ["Authorization": "Bearer x"], ["Cookie": "onesheet_session=x"]] {
                let answer = try await server.get(target, headers: headers)
                #expect(answer.body == plain.body && answer.headers["etag"] == plain.headers["etag"])
                #expect(answer.headers["cache-control"] == plain.headers["cache-control"])
                #expect(answer.headers["vary"] == plain.headers["vary"])
                #expect(answer.headers["vary"]?.contains("Authorization") != true)
                #expect(answer.headers["www-authenticate"] == nil)
            }
            let off = try await server.get(target + (target.contains("?") ? "&" : "?") + "marks=false")
            #expect(off.body == plain.body)
        }
    }

    @Test(arguments: Self.targets)
    func marksAreThoseOfTheSession(target: String) async throws {
        let fixture = try self.fixture()
        try await fixture.run { server in
            let target = Self.marked(target)
            let account = try await server.signIn()
            for list in ["favourites", "watchlist"] {
                _ = try await server.send("PUT", "/\(list)/\(Self.film)", headers: account)
            }
            _ = try await server.send("PUT", "/movies/\(Self.film)/rating", "{\"value\":8.5}", headers: account)
            for (headers, isFavourite, rating) in [
                (account, true, 8.5 as Double?), (try await server.device(), false, nil), ([:], false, nil),
            ] {
                let answer = try await server.get(target, headers: headers)
                #expect(answer.status == 200 && answer.headers["cache-control"] == "private, no-cache")
                #expect(answer.headers["vary"]?.hasSuffix("Authorization, Cookie") == true)
                let film = try #require(self.object(answer), "\(answer.text)")
                #expect(film["isFavourite"] as? Bool == isFavourite)
                #expect(film["isOnWatchlist"] as? Bool == isFavourite)
                #expect(film["myRating"] as? Double == rating && film["myRating"] != nil)
                #expect((film["title"] as? String)?.contains("\"slot:0:\(Self.film)\"") == true)
            }
            let list = try await server.get("/favourites", headers: account)
            #expect(self.object(list)?["myRating"] as? Double == 8.5)
            let ratings = try await server.get("/account/ratings", headers: account)
            #expect(self.object(ratings)?["myRating"] as? Double == 8.5)
            #expect(self.object(ratings)?["isFavourite"] as? Bool == true)
        }
    }

    @Test func theTagChangesWithTheMarks() async throws {
        let fixture = try self.fixture()
        try await fixture.run { server in
            let target = Self.marked("/movies/lists/popular")
            var headers = try await server.signIn()
            let tag = try #require(try await server.get(target, headers: headers).headers["etag"])
            headers["If-None-Match"] = tag
            #expect(try await server.get(target, headers: headers).status == 304)
            _ = try await server.send("PUT", "/favourites/\(Self.film)", headers: headers)
            let changed = try await server.get(target, headers: headers)
            #expect(changed.status == 200 && changed.headers["etag"] != tag)
            headers["If-None-Match"] = changed.headers["etag"]
            #expect(try await server.get(target, headers: headers).status == 304)
            headers["Authorization"] = nil
            #expect(try await server.get(target, headers: headers).status == 200, "another client's marks")
        }
    }

    @Test(arguments: ["/movies/home?marks=yes", "/movies/home?marks=1", "/movies/home?marks=", "/genres?marks=true"])
    func marksAreWantedOrNot(target: String) async throws {
        try await self.fixture().run { server in
            let answer = try await server.get(target)
            expectProblem(400, "invalid-parameter", answer)
            #expect(answer.text.contains("marks"))
        }
    }

    @Test func marksOfFilmsComeInTheOrderAskedFor() async throws {
        try await self.fixture().run { server in
            let account = try await server.signIn()
            _ = try await server.send("PUT", "/favourites/\(Self.film)", headers: account)
            _ = try await server.send("PUT", "/watchlist/film-1", headers: account)
            _ = try await server.send("PUT", "/movies/film-1/rating", "{\"value\":9}", headers: account)
            let target = "/me/marks?ids=kobis:20228555,film-1,\(Self.film)"
            let answer = try await server.get(target, headers: account)
            #expect(answer.headers["cache-control"] == "private, no-cache")
            #expect(answer.headers["vary"] == "Authorization, Cookie")
            #expect(
                answer.text == """
                    {"results":[{"id":"kobis:20228555","isFavourite":false,"isOnWatchlist":false,"myRating":null},\
                    {"id":"film-1","isFavourite":false,"isOnWatchlist":true,"myRating":9},\
                    {"id":"heat-1995","isFavourite":true,"isOnWatchlist":false,"myRating":null}]}
                    """)
            let device = try await server.get(target, headers: try await server.device())
            #expect(device.objects("results").allSatisfy { $0["isFavourite"] as? Bool == false })
        }
    }

    @Test func marksNeedASession() async throws {
        try await self.fixture().run { server in
            for headers in [[:], ["Authorization": "Bearer x"]] {
                expectProblem(401, "session-required", try await server.get("/me/marks?ids=a", headers: headers))
            }
        }
    }

    @Test(arguments: [
        ("/me/marks", "ids is missing"), ("/me/marks?ids=", "ids is missing"), ("/me/marks?ids=a,,b", "''"),
        ("/me/marks?ids=a,x:y", "'x:y'"), ("/me/marks?ids=a,b,a", "a more than once"),
        ("/me/marks?ids=a,sample:a", "a more than once"), ("/me/marks?ids=a&page=1", "page"),
        ("/me/marks?ids=" + (1...101).map { "film-\($0)" }.joined(separator: ","), "at most 100"),
    ])
    func whatIsNoListOfFilmsIsRefused(target: String, text: String) async throws {
        try await self.fixture().run { server in
            let answer = try await server.get(target, headers: try await server.device())
            expectProblem(400, "invalid-parameter", answer)
            #expect(answer.text.contains(text), "\(answer.text)")
        }
    }

    @Test func aHundredFilmsAreAccepted() async throws {
        try await self.fixture().run { server in
            let ids = (1...100).map { "film-\($0)" }.joined(separator: ",")
            let answer = try await server.get("/me/marks?ids=\(ids)", headers: try await server.device())
            #expect(answer.status == 200 && answer.objects("results").count == 100)
        }
    }
}
