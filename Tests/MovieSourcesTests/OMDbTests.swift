import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

struct OMDbTests {
    private static let film = """
        {"Title": "Metropolis", "Year": "1927–1929", "Rated": "Not Rated", "Released": "13 Mar 1927", "Runtime": "153 min", \
        "Genre": "Drama, Sci-Fi", "Director": "Fritz Lang", "Writer": "N/A", "Actors": "Brigitte Helm, Alfred Abel", \
        "Plot": "N/A", "Country": "Germany", "Awards": "7 wins", "Poster": "N/A", "Metascore": "98", "imdbRating": "8.3", \
        "imdbVotes": "182,345", "imdbID": "tt0017136", "Type": "movie", "Response": "True"}
        """

    private let id = MovieID("omdb:tt0017136")!

    @Test func aFilm() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/", query: ["i": "tt0017136", "apikey": "key-of-omdb"], .json(Self.film))
            let movie = try #require(try await OMDbMovies(fixture.omdb).movie(self.id, language: .korean))
            #expect(movie.summary.title == "Metropolis" && movie.summary.year == 1927 && movie.summary.overview.isEmpty)
            #expect(movie.summary.releaseDate?.description == "1927-03-13" && movie.runtimeMinutes == 153)
            #expect(movie.summary.score == AudienceScore(average: 8.3, count: 182_345) && movie.summary.poster == nil)
            #expect(movie.otherScores.map(\.value) == ["8.3/10", "98/100"] && movie.imdbID == "tt0017136")
            #expect(movie.credits.cast.map(\.name) == ["Brigitte Helm", "Alfred Abel"])
            let supplement = try #require(try await OMDbSupplements(fixture.omdb).supplement(imdbID: "tt0017136"))
            #expect(
                supplement.certificate == nil && supplement.plot.isEmpty && supplement.runtimeMinutes == 153)
            #expect(supplement.information.map(\.name) == [.awards] && fixture.upstream.requests.count == 1)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["a<b ", "<a>", "<"])
    func aLongPlotIsCut(part: String) async throws {
        try await withAdapters { fixture in
            let plot = String(repeating: part, count: 1_000_000 / part.utf8.count)
            let film = Self.film.replacing("\"Plot\": \"N/A\"", with: "\"Plot\": \"plot \(plot)\"")
            fixture.upstream.on("GET", "/", .json(film))
            let movie = try #require(try await OMDbMovies(fixture.omdb).movie(self.id, language: .english))
            #expect(movie.summary.overview.hasPrefix("plot") && movie.otherScores.count == 2)
            #expect(movie.summary.overview.utf8.count <= ResponseLimits.textBytes)
        }
    }

    @Test func seriesAreNoFilms() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/", .json(Self.film.replacing("\"movie\"", with: "\"series\"")))
            let answer = try await OMDbMovies(fixture.omdb).movie(self.id, language: .english)
            #expect(answer == nil)
            let second = try await OMDbSupplements(fixture.omdb).supplement(imdbID: "tt0017136")
            #expect(second != nil)
        }
    }

    @Test func whatIsNoIdIsNotAskedFor() async throws {
        try await withAdapters { fixture in
            for text in ["", "603", "tt", "nm0000485", "tt12345678901234567890"] {
                let answer = try await OMDbSupplements(fixture.omdb).supplement(imdbID: text)
                #expect(answer == nil)
            }
            #expect(fixture.upstream.requests.isEmpty)
        }
    }

    @Test(
        "refusals are distinguished",
        arguments: [
            (200, #"{"Response":"False","Error":"Movie not found!"}"#, nil),
            (200, #"{"Response":"False","Error":"Incorrect IMDb ID."}"#, nil),
            (200, #"{"Response":"False","Error":"Too many results."}"#, nil),
            (200, #"{"Response":"False","Error":"Conversion from string \"x\" to type 'Double' is not valid."}"#, nil),
            (
                401, #"{"Response":"False","Error":"Request limit reached!"}"#,
                .busy(.omdb, retryAfterSeconds: AdapterFixture.secondsLeftInGreenwich)
            ),
            (401, #"{"Response":"False","Error":"Invalid API key!"}"#, .keyRefused(.omdb)),
            (401, "", .unavailable(.omdb, reason: "status 401")),
            (403, "<html>", .unavailable(.omdb, reason: "status 403")),
            (404, "", .unavailable(.omdb, reason: "status 404")),
            (200, #"{"Response":"False","Error":"No API key provided."}"#, .keyRefused(.omdb)),
            (
                200, #"{"Response":"False","Error":"Error getting data."}"#,
                .badAnswer(.omdb, reason: "the request was rejected for an unknown reason")
            ),
            (200, "[]", .badAnswer(.omdb, reason: "the response is not a JSON object")),
            (200, #"{"Response":"True"}"#, .badAnswer(.omdb, reason: "the response has no id or no title")),
            (522, "<html>", .unavailable(.omdb, reason: "status 522")),
        ] as [(Int, String, SourceFailure?)])
    func refusals(status: Int, body: String, failure: SourceFailure?) async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/", .json(body, status: status))
            let supplements = OMDbSupplements(fixture.omdb)
            if let failure {
                await #expect(throws: failure) { try await supplements.supplement(imdbID: "tt0017136") }
            } else {
                let answer = try await supplements.supplement(imdbID: "tt0017136")
                #expect(answer == nil)
            }
        }
    }

    @Test(
        arguments: [
            ("156 min", 156), ("2 h 36 min", 156), ("2h 36min", 156), ("1,440 min", 1440), ("90", 90), ("N/A", nil),
            ("0 min", nil), ("", nil),
            ("99999999999999999999 min", nil),
        ] as [(String, Int?)])
    func runtimes(text: String, minutes: Int?) {
        #expect(OMDbFilm.minutes(text) == minutes)
    }

    @Test(arguments: [
        (
            "https://m.media-amazon.com/images/M/MV5B@@._V1_SX300.jpg",
            "https://m.media-amazon.com/images/M/MV5B@@._V1_.jpg"
        ),
        ("https://m.media-amazon.com/images/M/MV5B@._V1_.jpg", "https://m.media-amazon.com/images/M/MV5B@._V1_.jpg"),
        ("https://m.media-amazon.com/images/M/a.jpg", "https://m.media-amazon.com/images/M/a.jpg"),
        ("https://a.test/b._V1_SX300.jpg", "https://a.test/b._V1_SX300.jpg"),
        ("https://m.media-amazon.com/images/M/b._V1_", "https://m.media-amazon.com/images/M/b._V1_"),
    ])
    func postersAreAsLargeAsTheyCome(url: String, full: String) {
        #expect(OMDbFilm.fullSize(url) == full)
    }

    @Test(.enabled(if: Samples.all != nil, "\(Samples.note)"))
    func theRecordedFilm() async throws {
        let id = try #require(MovieID("omdb:tt9032400"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/", .json(try Samples.bytes("omdb/movie_tt9032400_eternals.json")))
            let movie = try #require(try await OMDbMovies(fixture.omdb).movie(id, language: .english))
            #expect(movie.summary.title == "Eternals" && movie.summary.year == 2021 && movie.runtimeMinutes == 156)
            #expect(
                movie.summary.releaseDate?.description == "2021-11-05"
                    && movie.certificate == Certificate("PG-13", in: .unitedStates))
            #expect(movie.summary.genres.map(\.id) == [.action, .adventure, .fantasy])
            #expect(movie.directors == ["Chloé Zhao"] && movie.countries == [.unitedStates])
            #expect(movie.summary.cast == ["Gemma Chan", "Richard Madden", "Angelina Jolie"])
            #expect(movie.otherScores.map(\.value) == ["6.3/10", "47%", "52/100"])
            #expect(movie.summary.score == AudienceScore(average: 6.3, count: 331_763))
            #expect(movie.summary.overview.hasPrefix("Following the events of Avengers: Endgame"))
            #expect(movie.information.map(\.name) == [.writers, .spokenLanguages, .awards, .boxOffice, .discRelease])
            #expect(movie.credits.crew.map(\.job).first == .director && movie.credits.crew.last?.job == .writer)
            guard case .web(let url) = movie.summary.poster?.location else {
                Issue.record("no poster")
                return
            }
            #expect(url.hasSuffix("@@._V1_.jpg"))
        }
    }

    @Test(
        "recorded refusals", .enabled(if: Samples.all != nil, "\(Samples.note)"),
        arguments: [
            ("error_not_found", 200, nil),
            ("error_quota", 401, .busy(.omdb, retryAfterSeconds: AdapterFixture.secondsLeftInGreenwich)),
        ] as [(String, Int, SourceFailure?)])
    func recorded(file: String, status: Int, failure: SourceFailure?) async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/", .json(try Samples.bytes("omdb/\(file).json"), status: status))
            let movies = OMDbMovies(fixture.omdb)
            if let failure {
                await #expect(throws: failure) { try await movies.movie(self.id, language: .english) }
            } else {
                let answer = try await movies.movie(self.id, language: .english)
                #expect(answer == nil)
            }
        }
    }
}
