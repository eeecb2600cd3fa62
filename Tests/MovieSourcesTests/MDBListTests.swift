import MovieDomain
import MovieTesting
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

/// Scores of MDBList, from invented responses in its format.
struct MDBListTests {
    private static let path = "/imdb/movie/tt0017136"
    private static let film = """
        {"title":"Metropolis","type":"movie","ids":{"imdb":"tt0017136","tmdb":19,"tvdb":null},"score":90,"ratings":[\
        {"source":"metacriticuser","value":8.1,"score":81,"votes":200},{"source":"tmdb","value":81,"score":81},\
        {"source":"imdb","value":8.3,"score":83,"votes":190000},{"source":"metacritic","value":98,"score":98,"votes":14},\
        {"source":"trakt","value":81,"score":81,"votes":4100},{"source":"tomatoes","value":97,"score":97,"votes":119},\
        {"source":"popcorn","value":91.4,"score":91,"votes":30000},{"source":"rogerebert","value":3.5,"score":88},\
        {"source":"letterboxd","value":4.24,"score":85,"votes":120000},\
        {"source":"myanimelist","value":8,"score":80,"votes":9},{"source":"someday","value":1,"score":1}]}
        """

    private func scores(_ ratings: String) throws -> [ExternalScore] {
        try MDBListFilm(in: Array(#"{"ratings":[\#(ratings)]}"#.utf8)).scores
    }

    @Test func scoresHaveTheNamesAndTheScalesOfTheirSites() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, query: ["apikey": "key-of-mdblist"], .json(Self.film))
            let supplements = MDBListSupplements(fixture.mdblist())
            let supplement = try #require(try await supplements.supplement(imdbID: "tt0017136"))
            #expect(
                supplement.scores == [
                    ExternalScore(name: "Internet Movie Database", value: "8.3/10"),
                    ExternalScore(name: "Rotten Tomatoes", value: "97%"),
                    ExternalScore(name: "Metacritic", value: "98/100"),
                    ExternalScore(name: "Popcornmeter", value: "91%"),
                    ExternalScore(name: "Metacritic Users", value: "8.1/10"),
                    ExternalScore(name: "Trakt", value: "81%"),
                    ExternalScore(name: "Letterboxd", value: "4.2/5"),
                    ExternalScore(name: "MyAnimeList", value: "8.0/10"),
                    ExternalScore(name: "RogerEbert.com", value: "3.5/4"),
                ])
            #expect(supplement.certificate == nil && supplement.plot.isEmpty && supplement.information.isEmpty)
            _ = try await supplements.supplement(imdbID: "tt0017136")
            #expect(fixture.upstream.requests.count == 1, "the response is stored")
        }
    }

    @Test(
        "unusable ratings are left out",
        arguments: [
            ("", nil), ("null", nil), ("5", nil), (#""imdb""#, nil), ("[]", nil), ("{}", nil),
            (#"{"source":"imdb"}"#, nil), (#"{"source":"imdb","value":null,"score":80}"#, nil),
            (#"{"source":"imdb","value":true}"#, nil), (#"{"source":"imdb","value":{"a":1}}"#, nil),
            (#"{"source":"imdb","value":[8]}"#, nil), (#"{"source":"imdb","value":"N/A"}"#, nil),
            (#"{"source":"imdb","value":0.9}"#, nil), (#"{"source":"imdb","value":10.1}"#, nil),
            (#"{"source":"imdb","value":-8}"#, nil), (#"{"source":"imdb","value":1e300}"#, nil),
            (#"{"source":"imdb","value":99999999999999999999999999}"#, nil), (#"{"source":5,"value":8}"#, nil),
            (#"{"source":null,"value":8}"#, nil), (#"{"source":"IMDB","value":8}"#, nil),
            (#"{"source":"tmdb","value":82}"#, nil), (#"{"source":"tomatoes","value":101}"#, nil),
            (#"{"source":"letterboxd","value":5.1}"#, nil), (#"{"source":"rogerebert","value":4.5}"#, nil),
            (#"{"source":"tomatoes","value":0}"#, nil), (#"{"source":"tomatoes","value":0,"votes":0}"#, nil),
            (#"{"source":"tomatoes","value":0,"votes":12}"#, "0%"), (#"{"source":"imdb","value":"8.7"}"#, "8.7/10"),
            (#"{"source":"imdb","value":10,"votes":"many"}"#, "10.0/10"), (#"{"source":"trakt","value":100}"#, "100%"),
            (#"{"source":"metacritic","value":72.6}"#, "73/100"), (#"{"source":"letterboxd","value":5}"#, "5.0/5"),
            (#"{"source":"tomatoesaudience","value":64}"#, "64%"),
        ] as [(String, String?)])
    func ratings(rating: String, value: String?) throws {
        let other = ExternalScore(name: "RogerEbert.com", value: "2.0/4")
        let rows = rating.isEmpty ? "" : rating + ","
        let scores = try self.scores(rows + #"{"source":"rogerebert","value":2}"#)
        #expect(scores.last == other)
        #expect(scores.dropLast().map(\.value) == (value.map { [$0] } ?? []))
    }

    @Test func theFirstUsableRatingOfASiteCounts() throws {
        let scores = try self.scores(
            """
            {"source":"popcorn","value":null},{"source":"tomatoesaudience","value":70},{"source":"popcorn","value":80},\
            {"source":"imdb","value":8},{"source":"imdb","value":9}
            """)
        #expect(scores.map(\.value) == ["8.0/10", "70%"])
    }

    @Test func ratingsBeyondTheLimitAreNotRead() throws {
        let unknown = Array(repeating: #"{"source":"x","value":1}"#, count: MDBListFilm.ratingLimit - 1)
        let rows = unknown + [#"{"source":"imdb","value":8}"#, #"{"source":"trakt","value":8}"#]
        #expect(try self.scores(rows.joined(separator: ",")).map(\.name) == ["Internet Movie Database"])
    }

    @Test(arguments: [
        #"{"ratings":null}"#, #"{"ratings":"none"}"#, #"{"ratings":{"imdb":8}}"#, #"{"ratings":[]}"#,
        #"{"ids":{"imdb":"tt0000001"},"ratings":[{"source":"imdb","value":8}]}"#,
    ])
    func aFilmWithoutScoresOrAnotherOneAddsNothing(body: String) async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .json(body))
            let supplement = try await MDBListSupplements(fixture.mdblist()).supplement(imdbID: "tt0017136")
            #expect(supplement == nil)
        }
    }

    @Test func withoutAnIMDbTitleThereIsNoRequest() async throws {
        try await withAdapters { fixture in
            for text in ["", "603", "tt", "nm0000485", "tt12345678901234567890", "tt1/../user"] {
                let answer = try await MDBListSupplements(fixture.mdblist()).supplement(imdbID: text)
                #expect(answer == nil)
            }
            #expect(fixture.upstream.requests.isEmpty)
        }
    }

    @Test(
        "refusals are distinguished, and the key is in none",
        arguments: [
            (404, #"{"error":"Movie not found!"}"#, nil), (404, #"{"detail":"Not found."}"#, nil),
            (200, #"{"response":false,"error":"Movie not found!"}"#, nil),
            (401, #"{"error":"Invalid API key! key-of-mdblist"}"#, .keyRefused(.mdblist)),
            (403, #"{"detail":"Invalid API key."}"#, .keyRefused(.mdblist)),
            (200, #"{"response":false,"error":"Invalid API key!"}"#, .keyRefused(.mdblist)),
            (401, #"{"detail":"Authentication credentials were not provided."}"#, .keyRefused(.mdblist)),
            (429, #"{"error":"API Limit Reached!"}"#, Self.usedUp),
            (200, #"{"error":"API Limit Reached!"}"#, Self.usedUp),
            (403, #"{"error":"API Rate Limit Reached!"}"#, Self.usedUp),
            (429, #"{"detail":"Request was throttled."}"#, .busy(.mdblist, retryAfterSeconds: 2)),
            (429, "", .busy(.mdblist, retryAfterSeconds: 2)), (429, "<html>", .busy(.mdblist, retryAfterSeconds: 2)),
            (401, "", .unavailable(.mdblist, reason: "status 401")),
            (403, "<html>key-of-mdblist", .unavailable(.mdblist, reason: "status 403")),
            (403, #"{"error":"Forbidden"}"#, .unavailable(.mdblist, reason: "status 403")),
            (404, "<html>", .unavailable(.mdblist, reason: "status 404")),
            (500, #"{"error":"key-of-mdblist"}"#, .unavailable(.mdblist, reason: "status 500")),
            (502, "<html>", .unavailable(.mdblist, reason: "status 502")), (504, "", .tooSlow(.mdblist)),
            (200, "<html>key-of-mdblist", .badAnswer(.mdblist, reason: "the response is not well-formed JSON")),
            (200, "[]", .badAnswer(.mdblist, reason: "the response is not a JSON object")),
            (200, "{}", .badAnswer(.mdblist, reason: "the response has no ratings")),
            (
                200, #"{"error":"key-of-mdblist"}"#,
                .badAnswer(.mdblist, reason: "the request was rejected for an unknown reason")
            ),
        ] as [(Int, String, SourceFailure?)])
    func refusals(status: Int, body: String, failure: SourceFailure?) async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .json(body, status: status))
            let supplements = MDBListSupplements(fixture.mdblist())
            if let failure {
                let thrown = await #expect(throws: failure) { try await supplements.supplement(imdbID: "tt0017136") }
                #expect(!String(reflecting: thrown).contains("key-of-mdblist"))
            } else {
                let answer = try await supplements.supplement(imdbID: "tt0017136")
                #expect(answer == nil)
            }
        }
    }

    private static let usedUp = SourceFailure.busy(
        .mdblist, retryAfterSeconds: AdapterFixture.secondsLeftInGreenwich)

    @Test func retryAfterIsObeyedRatherThanTheDaysEnd() async throws {
        try await withAdapters { fixture in
            let body = #"{"error":"API Limit Reached!"}"#
            fixture.upstream.on("GET", Self.path, .json(body, status: 429, headers: [("Retry-After", "9")]))
            await #expect(throws: SourceFailure.busy(.mdblist, retryAfterSeconds: 9)) {
                try await MDBListSupplements(fixture.mdblist()).supplement(imdbID: "tt0017136")
            }
        }
    }

    @Test func aConnectionThatFailsDoesNotShowTheKey() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, OriginScript([.close]))
            let thrown = await #expect(throws: SourceFailure.self) {
                try await MDBListSupplements(fixture.mdblist()).supplement(imdbID: "tt0017136")
            }
            #expect(thrown?.source == .mdblist && !String(reflecting: thrown).contains("key-of-mdblist"))
        }
    }

    @Test func afterTheLastRequestOfTheDayOnlyStoredScoresAreThere() async throws {
        #expect(UpstreamClient.mdblistDailyRequests == 1000)
        try await withAdapters { fixture in
            fixture.upstream.on("GET", Self.path, .json(Self.film))
            fixture.upstream.on("GET", "/imdb/movie/tt1", .json(#"{"ratings":[{"source":"imdb","value":5}]}"#))
            let supplements = MDBListSupplements(fixture.mdblist(dailyRequests: 1))
            _ = try await supplements.supplement(imdbID: "tt0017136")
            await #expect(throws: Self.usedUp) { try await supplements.supplement(imdbID: "tt1") }
            #expect(try await supplements.supplement(imdbID: "tt0017136")?.scores.count == 9)
            #expect(fixture.upstream.requests.count == 1)
            fixture.time.advance(by: .seconds(AdapterFixture.secondsLeftInGreenwich))
            #expect(try await supplements.supplement(imdbID: "tt1")?.scores.map(\.value) == ["5.0/10"])
        }
    }
}
