import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Pictures and offers of TMDB's films")
struct TMDBImagesTests {
    private let id = MovieID(source: .tmdb, key: "550")!

    @Test func imagesOfAllLanguagesAreOneRequest() async throws {
        let images = """
            {"id":550,"backdrops":[{"file_path":"/b.jpg","width":3840,"height":2160,"iso_639_1":null}],
            "posters":[{"file_path":"/p.jpg","width":2000,"height":3000,"iso_639_1":"ko"},
            {"file_path":"/q.jpg","width":0,"height":3000,"iso_639_1":"xx"},{"file_path":"/../x.jpg"},{"file_path":"/r.jpg"}],
            "logos":[{"file_path":"/l.svg","iso_639_1":"en"},{"file_path":"/l.png","iso_639_1":"en"}]}
            """
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/images", .json(images))
            let movies = try AdapterFixture(upstream).tmdb().movies
            for _ in 0..<2 {
                let found = try #require(try await movies.images(of: self.id))
                #expect(
                    found.map(\.picture.location)
                        == ["p.jpg", "q.jpg", "r.jpg", "b.jpg", "l.png"].map { .tmdb(file: $0) })
                #expect(found.map(\.picture.kind) == [.poster, .poster, .poster, .backdrop, .logo])
                #expect(found.map(\.language?.code) == ["ko", nil, nil, nil, "en"])
                #expect(found.map(\.isTextless) == [false, true, nil, true, false])
                #expect(found.allSatisfy { $0.place == nil })
                #expect(found[0].picture.size == PictureSize(width: 2000, height: 3000) && found[1].picture.size == nil)
            }
            let asked = upstream.requests
            #expect(asked.count == 1 && asked[0].query["language"] == nil)
            #expect(asked[0].query["include_image_language"] == nil)
        }
    }

    @Test func picturesOfAKindAreLimited() async throws {
        let rows = (1...(FilmImage.limit + 1)).map { #"{"file_path":"/p\#($0).jpg"}"# }.joined(separator: ",")
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/images", .json(#"{"posters":[\#(rows)],"logos":[\#(rows)]}"#))
            upstream.on("GET", "/3/movie/551/images", .json(TMDBFixtures.status(34), status: 404))
            upstream.on("GET", "/3/movie/552/images", .json(#"{"id":552}"#))
            let movies = try AdapterFixture(upstream).tmdb().movies
            #expect(try await movies.images(of: self.id)?.count == 2 * FilmImage.limit)
            #expect(try await movies.images(of: MovieID("tmdb:551")!) == nil)
            await #expect(throws: SourceFailure.badAnswer(.tmdb, reason: "the response has no pictures")) {
                try await movies.images(of: MovieID("tmdb:552")!)
            }
        }
    }

    @Test func offersAreByCountryInTheirOrder() async throws {
        let offers = """
            {"id":550,"results":{"KR":{"link":"https://www.themoviedb.org/movie/550/watch?locale=KR",
            "flatrate":[{"provider_id":2,"provider_name":"B","display_priority":9,"logo_path":"/b.jpg"},
            {"provider_id":1,"provider_name":"A","display_priority":1,"logo_path":null},{"provider_id":2,"provider_name":"B"},
            {"provider_name":"C"}],"buy":[{"provider_id":3,"provider_name":"D"}],"ads":[]},
            "US":{"link":"https://evil.example/","rent":[{"provider_id":3,"provider_name":"D"}]},"??":{"buy":[]}}}
            """
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/watch/providers", .json(offers))
            upstream.on("GET", "/3/movie/551/watch/providers", .json(#"{"id":551,"results":{}}"#))
            upstream.on("GET", "/3/movie/552/watch/providers", .json(TMDBFixtures.status(34), status: 404))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let found = try #require(try await movies.offers(of: self.id))
            #expect(Set(found.byCountry.keys) == [.korea, .unitedStates])
            let korea = try #require(found.byCountry[.korea])
            #expect(korea.link == "https://www.themoviedb.org/movie/550/watch?locale=KR")
            #expect(korea.offers.map(\.kind) == [.subscription, .buy])
            #expect(korea.offers[0].providers.map(\.id) == ["1", "2"])
            #expect(korea.offers[0].providers.map(\.logo) == [nil, .tmdb(file: "b.jpg")])
            #expect(found.byCountry[.unitedStates]?.link == nil, "it leads elsewhere")
            #expect(found.attribution?.contains("JustWatch") == true)
            #expect(try await movies.offers(of: self.id) == found && upstream.requests.count == 1)
            #expect(upstream.requests[0].query["language"] == nil)
            let none = try #require(try await movies.offers(of: MovieID("tmdb:551")!))
            #expect(none.byCountry.isEmpty && none.attribution == found.attribution)
            #expect(try await movies.offers(of: MovieID("tmdb:552")!) == nil)
        }
    }
}

@Suite(
    "Recorded pictures and offers",
    .enabled(if: UpstreamSamples() != nil, "there are no recorded answers beside the repository"))
struct TMDBImageSampleTests {
    @Test func theRecordedFilmsPicturesAreRead() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/images", .json(try Samples.bytes("tmdb/jd_movie_images.json")))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let found = try #require(try await movies.images(of: MovieID("tmdb:550")!))
            let counts = Dictionary(grouping: found, by: \.picture.kind).mapValues(\.count)
            #expect(counts == [.poster: 102, .backdrop: 55, .logo: 45])
            #expect(found.contains { $0.isTextless == true } && found.contains { $0.language == .korean })
        }
    }

    @Test func offersOfTheRecordedFilm() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/3/movie/550/watch/providers", .json(try Samples.bytes("tmdb/movie_watch_providers.json")))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let found = try #require(try await movies.offers(of: MovieID("tmdb:550")!))
            let states = try #require(found.byCountry[.unitedStates])
            #expect(states.offers.map(\.kind) == WatchOffers.Kind.allCases)
            #expect(states.offers.map { $0.providers[0].name }.contains("Plex"))
        }
    }
}
