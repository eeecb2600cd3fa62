import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Videos, keywords, collection and releases of TMDB's films")
struct TMDBFilmPartsTests {
    private let id = MovieID(source: .tmdb, key: "550")!

    private static func videos(_ rows: [String]) -> String {
        #","videos":{"results":[\#(rows.joined(separator: ","))]}"#
    }

    @Test func videosComeWithTheDetails() async throws {
        let rows = [
            TMDBFixtures.video("english-001", language: "en", more: #","official":true"#),
            TMDBFixtures.video("korean-0001", more: #","published_at":"2014-10-02T19:20:22.000Z","size":1080"#),
            TMDBFixtures.video("english-002", language: "en"),
        ]
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, more: Self.videos(rows))))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let found = try #require(try await movies.videos(of: self.id, language: .korean))
            #expect(try await movies.movie(self.id, language: .korean)?.videos == found)
            let best = Video.ranked(found, for: .korean)
            #expect(best.map(\.key) == ["korean-0001", "english-001", "english-002"])
            #expect(best[0].kind == .trailer && best[0].site == .youtube && best[0].height == 1080)
            #expect(best[0].publishedAt?.description == "2014-10-02T19:20:22Z" && !best[0].isOfficial)
            #expect(best[0].url == "https://www.youtube.com/watch?v=korean-0001" && best[1].isOfficial)
            #expect(upstream.requests.map(\.path) == ["/3/movie/550", "/3/movie/550/reviews"], "and none for videos")
        }
    }

    @Test func aFilmWithoutKoreanVideosHasTheEnglishOnes() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550)))
            upstream.on(
                "GET", "/3/movie/550/videos",
                .json(#"{"id":550,"results":[\#(TMDBFixtures.video("english-001", language: "en"))]}"#))
            let movies = try AdapterFixture(upstream).tmdb().movies
            for _ in 0..<2 {
                let found = try await movies.videos(of: self.id, language: .korean)
                #expect(found?.map(\.key) == ["english-001"])
            }
            #expect(upstream.requestCount(to: "/3/movie/550/videos") == 1)
            #expect(upstream.requests.last?.query["language"] == "en-US")
            #expect(try await movies.videos(of: self.id, language: .english) == [], "those were asked for already")
            #expect(upstream.requestCount(to: "/3/movie/550/videos") == 1)
        }
    }

    @Test func aFilmHasNoVideosWhenEnglishOnesCannotBeHad() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550)))
            upstream.on("GET", "/3/movie/550/videos", .status(500))
            upstream.on("GET", "/3/movie/551", .json(TMDBFixtures.status(34), status: 404))
            let movies = try AdapterFixture(upstream).tmdb().movies
            #expect(try await movies.videos(of: self.id, language: .korean) == [])
            #expect(try await movies.videos(of: MovieID("tmdb:551")!, language: .korean) == nil)
        }
    }

    @Test(arguments: [
        ("dQw4w9WgXcQ", "YouTube", true), ("76979871", "Vimeo", true), ("../x", "YouTube", false),
        ("dQw4w9WgXc%", "YouTube", false), ("dQw4w9WgXcQQ", "YouTube", false), ("dQw4w9WgXcQ", "Vimeo", false),
        (String(repeating: "9", count: 200), "Vimeo", false), ("dQw4w9WgXcQ", "Evil", false), ("5", "itunes", false),
    ])
    func aKeyThatIsNoKeyIsLeftOut(key: String, site: String, isVideo: Bool) async throws {
        try await withUpstream { upstream in
            let rows = [TMDBFixtures.video(key, site: site), TMDBFixtures.video("korean-0001"), "{}", "7"]
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, more: Self.videos(rows))))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let found = try #require(try await movies.videos(of: self.id, language: .korean))
            #expect(found.map(\.key) == (isVideo ? [key, "korean-0001"] : ["korean-0001"]))
        }
    }

    @Test func allReleasesAreInTheDetails() async throws {
        try await withUpstream { upstream in
            let releases = """
                [{"iso_3166_1":"US","release_dates":[{"type":4,"release_date":"2000-06-06T00:00:00.000Z"},
                {"type":1,"release_date":"1999-09-21T00:00:00.000Z","note":" Festival "},
                {"type":3,"release_date":"1999-10-15T00:00:00.000Z","certification":"R"},{"type":9}]},
                {"iso_3166_1":"??","release_dates":[{"type":3}]},
                {"iso_3166_1":"KR","release_dates":[{"type":4,"release_date":"2001-01-01","certification":"18"}]}]
                """
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, releases: releases)))
            let film = try #require(
                try await AdapterFixture(upstream).tmdb().movies.movie(self.id, language: .english))
            #expect(film.releases.map(\.country.code) == ["KR", "US", "US", "US", "US"])
            #expect(film.releases.map(\.kind) == [.digital, .premiere, .theatrical, .digital, .other])
            #expect(film.releases[1].note == "Festival" && film.releases[4].date == nil)
            #expect(film.release(in: .unitedStates)?.date?.description == "1999-10-15", "the first in cinemas")
            #expect(film.release(in: .korea)?.kind == .digital && film.release(in: .japan) == nil)
            #expect(film.certificate == Certificate("R", in: .unitedStates))
            #expect(film.certificate(in: .korea) == Certificate("18", in: .korea), "that of the region")
        }
    }

    @Test func keywordsAndTheCollectionAreThere() async throws {
        let more = """
            ,"keywords":{"keywords":[{"id":818,"name":"based on novel or book"},{"id":0,"name":""},{"name":"x"}]},
            "belongs_to_collection":{"id":77816,"name":"Collection","poster_path":"/c.jpg","backdrop_path":"/../x.jpg"},
            "backdrop_path":"/back.jpg"
            """
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(TMDBFixtures.details(550, more: more)))
            let film = try #require(
                try await AdapterFixture(upstream).tmdb().movies.movie(self.id, language: .korean))
            #expect(film.keywords == [Keyword(id: "tmdb:818", name: "based on novel or book")])
            let collection = try #require(film.collection)
            #expect(collection.id.description == "tmdb:77816" && collection.name == "Collection")
            #expect(collection.poster == PosterReference(.tmdb(file: "c.jpg")) && collection.backdrop == nil)
            #expect(
                film.summary.backdrop
                    == PosterReference(.tmdb(file: "back.jpg"), size: PictureSize(width: 1280, height: 720)))
        }
    }
}
