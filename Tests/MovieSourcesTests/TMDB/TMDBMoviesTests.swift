import Flights
import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Films of TMDB")
struct TMDBMoviesTests {
    private let korean = LanguagePreference([.korean])
    private let id = MovieID(source: .tmdb, key: "550")!

    @Test func oneRequestReturnsAllOfAFilm() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, reviews: TMDBFixtures.reviews)))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let film = try #require(await movies.movie(self.id, language: self.korean))
            #expect(film.summary.title == "제목")
            #expect(film.summary.originalTitle == "Title")
            #expect(film.summary.releaseDate == nil)
            #expect(film.summary.genres == [Genre(id: .drama, name: "드라마")])
            #expect(film.summary.directors == ["D"])
            #expect(film.summary.cast == ["A", "B"])
            #expect(film.summary.score == AudienceScore(average: 7.5, count: 2))
            #expect(
                film.summary.poster
                    == PosterReference(.tmdb(file: "p.jpg"), size: PictureSize(width: 2000, height: 3000)))
            #expect(film.runtimeMinutes == nil)
            #expect(film.certificate == Certificate("18", in: .korea))
            #expect(film.status == .released && film.countries == [.unitedStates] && film.reviewCount == 2)
            #expect(film.imdbID == "tt0137523")
            #expect(film.homepage == nil)
            #expect(film.gallery.map(\.location) == [.tmdb(file: "back.jpg"), .tmdb(file: "q.jpg")])
            #expect(film.gallery.map(\.kind) == [.backdrop, .poster])
            #expect(film.information == [InformationItem(name: .budget, value: "$63,000,000")])
            #expect(film.credits.crew == [.director("D")])
            #expect(film.reviews.map(\.author) == ["newer", "Older"])
            #expect(film.reviews.map(\.content) == ["new", "old\nline"])
            let credits = try #require(await movies.credits(of: self.id, language: self.korean))
            #expect(credits.cast[0] == .init(name: "A", originalName: "에이", role: "Hero"))
            #expect(credits.cast[1].portrait == .tmdb(file: "b.jpg"))
            #expect(credits.crew.map(\.job) == [.director, .gaffer])
            #expect(upstream.requests.count == 1)
            let query = upstream.requests[0].query
            #expect(query["language"] == "ko-KR")
            #expect(query["include_image_language"] == "ko,en,null")
            #expect(query["include_video_language"] == "ko,en,null")
            #expect(
                query["append_to_response"] == "credits,reviews,images,release_dates,external_ids,videos,keywords")
        }
    }

    @Test func whatIsEmptyIsFilledFromEnglish() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, overview: "")))
            upstream.on(
                "GET", "/3/movie/550", query: ["language": "en-US"],
                .json(TMDBFixtures.details(550, overview: "Plot", reviews: TMDBFixtures.reviews)))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let film = try #require(await movies.movie(self.id, language: self.korean))
            #expect(film.summary.overview == "Plot")
            #expect(film.reviews.count == 2)
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func aFilmWithGapsIsAFilmWhenEnglishCannotBeHad() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, overview: "")))
            upstream.on("GET", "/3/movie/550", query: ["language": "en-US"], .status(500))
            let film = try await AdapterFixture(upstream).tmdb().movies.movie(self.id, language: self.korean)
            #expect(film?.summary.overview == "")
        }
    }

    @Test(.timeLimit(.hang), arguments: ["", "줄거리"])
    func detailsDoNotWaitForEnglishNorReviews(overview: String) async throws {
        try await withUpstream { upstream in
            let (gate, deadline) = (Gate(), Gate())
            let isFilled = overview.isEmpty
            let path = isFilled ? "/3/movie/550" : "/3/movie/550/reviews"
            let english =
                isFilled
                ? TMDBFixtures.details(550, overview: "Plot", reviews: TMDBFixtures.reviews)
                : #"{"results":\#(TMDBFixtures.reviews),"total_pages":1,"total_results":2}"#
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, overview: overview)))
            upstream.on("GET", path, query: ["language": "en-US"], .held(gate, .json(english)))
            let tmdb = try AdapterFixture(upstream, sleep: { _ in try await deadline.wait() }).tmdb()
            let recorder = FreshnessRecorder()
            let response = Task {
                try await FreshnessRecorder.$current.withValue(recorder) {
                    try await tmdb.movies.movie(self.id, language: self.korean)
                }
            }
            try await upstream.requestsArrived(at: path, count: isFilled ? 2 : 1)
            deadline.open()
            let film = try #require(try await response.value)
            #expect(film.summary.overview == overview && film.reviews.isEmpty && recorder.hasGaps)
            gate.open()
            try await eventually {
                let film = try await tmdb.movies.movie(self.id, language: self.korean)
                return film?.summary.overview == (isFilled ? "Plot" : overview) && film?.reviews.count == 2
            }
            tmdb.close()
        }
    }

    @Test func reviewsAreInEnglishWhereThereAreNoOthers() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/reviews", .json(TMDBFixtures.page([], totalPages: 0, totalResults: 0)))
            upstream.on(
                "GET", "/3/movie/550/reviews", query: ["language": "en-US"],
                .json(#"{"results":\#(TMDBFixtures.reviews),"total_pages":1,"total_results":2}"#))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let page = try #require(await movies.reviews(of: self.id, page: 1, language: self.korean))
            #expect(page.results.map(\.id) == ["b", "a"])
            #expect((page.totalPages, page.totalResults) == (1, 2))
            #expect(try await movies.reviews(of: self.id, page: 501, language: self.korean)?.results == [])
        }
    }

    @Test func keepsItsPromises() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, reviews: TMDBFixtures.reviews)))
            upstream.on(
                "GET", "/3/movie/550/reviews",
                .json(#"{"results":\#(TMDBFixtures.reviews),"total_pages":1,"total_results":2}"#))
            upstream.on(
                "GET", "/3/movie/550/reviews", query: ["page": "2"],
                .json(TMDBFixtures.page([], totalPages: 1, totalResults: 2)))
            upstream.on(
                "GET", "/3/movie/550/similar", .json(TMDBFixtures.page([TMDBFixtures.row(550), TMDBFixtures.row(1)])))
            upstream.on(
                "GET", "/3/movie/550/recommendations",
                .json(TMDBFixtures.page([TMDBFixtures.row(550), TMDBFixtures.row(2)])))
            upstream.on("GET", "/3/movie/550/images", .json(#"{"posters":[{"file_path":"/p.jpg"}]}"#))
            upstream.on("GET", "/3/movie/550/watch/providers", .json(#"{"results":{}}"#))
            for path in ["", "/reviews", "/similar", "/recommendations", "/images", "/watch/providers"] {
                upstream.on("GET", "/3/movie/551\(path)", .json(TMDBFixtures.status(34), status: 404))
            }
            let broken = try await checkContract(
                of: AdapterFixture(upstream).tmdb().movies, known: [self.id], unknown: MovieID("tmdb:551")!)
            #expect(broken == [])
        }
    }

    @Test(arguments: [
        (7, 401, SourceFailure.keyRefused(.tmdb)), (10, 401, .keyRefused(.tmdb)),
        (25, 429, .busy(.tmdb, retryAfterSeconds: 2)), (24, 504, .tooSlow(.tmdb)),
        (9, 503, .unavailable(.tmdb, reason: "status 503")), (11, 500, .unavailable(.tmdb, reason: "status 500")),
        (22, 400, .badAnswer(.tmdb, reason: "status 400")), (5, 422, .badAnswer(.tmdb, reason: "status 422")),
    ])
    func aStatusCodeIsAFailure(code: Int, status: Int, failure: SourceFailure) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.status(code), status: status))
            let movies = try AdapterFixture(upstream).tmdb().movies
            await #expect(throws: failure) { _ = try await movies.movie(self.id, language: self.korean) }
        }
    }

    @Test(arguments: [(34, 404), (6, 404), (21, 200)])
    func aStatusCodeSaysThatThereIsNone(code: Int, status: Int) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.status(code), status: status))
            let movies = try AdapterFixture(upstream).tmdb().movies
            #expect(try await movies.movie(self.id, language: self.korean) == nil)
        }
    }

    @Test(arguments: [401, 403, 404], ["<html></html>", "{}", "[]", ""])
    func refusalsOfNetworksInBetweenAreNoAnswers(status: Int, body: String) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(body, status: status))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let failure = SourceFailure.unavailable(.tmdb, reason: "status \(status)")
            for _ in 0..<2 {
                await #expect(throws: failure) { _ = try await movies.movie(self.id, language: self.korean) }
            }
            #expect(upstream.requests.count == 2, "nothing is remembered")
        }
    }

    @Test func aTokenOfVersionFourIsSentInAHeader() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/popular", .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            let rig = try AdapterFixture(upstream)
            _ = try await rig.tmdb(key: "abc").catalogue.list(.popular, page: 1, language: self.korean)
            _ = try await rig.tmdb(key: "a.b.c").catalogue.list(
                .popular, page: 1, language: LanguagePreference([.english]))
            #expect(upstream.requests[0].query["api_key"] == "abc")
            #expect(upstream.requests[0].headers["authorization"] == nil)
            #expect(upstream.requests[1].query["api_key"] == nil)
            #expect(upstream.requests[1].headers["authorization"] == "Bearer a.b.c")
        }
    }
}
