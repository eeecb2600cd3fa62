import HTTPServer
import HTTPTesting
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI
@testable import PosterAPI

/// A film with its supplements, over real sockets.
@Suite(.timeLimit(.hang))
struct MovieDetailsTests {
    private static func movie() throws -> Movie {
        var movie = Movie(summary: try FilmFixture.film("film-1", overview: "What it is about."))
        movie.tagline = "A line"
        movie.runtimeMinutes = 131
        movie.certificate = Certificate("15세이상관람가", in: .korea)
        movie.countries = [.korea]
        movie.status = .released
        movie.reviewCount = 7
        movie.imdbID = "tt0133093"
        movie.summary.score = AudienceScore(average: 7.94, count: 1234)
        movie.credits = Credits(
            cast: [
                Credits.CastMember(name: "Somebody", role: "Herself", portrait: .tmdb(file: "abc.jpg")),
                Credits.CastMember(
                    name: "Another", originalName: "別人", role: "", portrait: .web(url: "http://x/y.jpg")),
            ],
            crew: [
                Credits.CrewMember(name: "A gaffer", sourceJob: "Gaffer"),
                Credits.CrewMember(name: "A cook", sourceJob: "Cook"), .director("A director", sourceJob: "감독"),
            ])
        movie.summary.genres = [Genre(id: .scienceFiction, name: "SF")]
        movie.gallery = [
            GalleryPicture(kind: .backdrop, location: .tmdb(file: "still.jpg"), size: PictureSize(width: 9, height: 4)),
            GalleryPicture(kind: .still, location: .web(url: "https://pictures.example.org/2.jpg")),
        ]
        movie.reviews = [Review(id: "r1", author: "who", score: 9, content: "Good.")]
        return movie
    }

    private static let sections = ["top", "summary", "gallery", "description", "cast", "information", "reviews"]

    @Test func aFilmIsFoundByItsIMDbTitle() async throws {
        let fixture = FilmFixture()
        fixture.movies.add(try Self.movie())
        try await fixture.serve { server in
            let film = try await server.get("/movies/imdb:tt0133093")
            #expect(film.status == 200 && film.json["id"] as? String == "film-1")
            #expect(try await server.get("/movies/imdb%3Att0133093/credits").status == 200)
            let unknown = try await server.get("/movies/imdb:tt0133094")
            #expect(unknown.status == 404 && unknown.json["type"] as? String == "urn:onesheet:problem:unknown-movie")
            #expect(try await server.get("/movies/imdb:nm0133093").status == 400)
        }
    }

    @Test func sectionsAreThereInTheirOrder() async throws {
        let fixture = FilmFixture()
        fixture.movies.add(try Self.movie())
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1")
            #expect(answer.status == 200)
            let sections = answer.objects("sections")
            #expect(sections.map { $0["type"] as? String } == Self.sections)
            #expect(answer.json["id"] as? String == "film-1" && answer.json["source"] as? String == "sample")
            #expect(answer.json["isFavourite"] == nil && answer.json["poster"] is [String: Any])
            #expect(answer.json["imdbId"] as? String == "tt0133093" && answer.json["runtimeMinutes"] as? Int == 131)
            #expect(sections[0]["subtitle"] as? String == "A line")
            let pictures = try #require(sections[2]["pictures"] as? [[String: Any]])
            #expect(
                pictures.map { $0["url"] as? String } == [
                    "/t/p/w92/still.jpg", "/poster/film-1~2?w=780",
                ])
            #expect(pictures[0]["srcset"] as? String == "/t/p/w92/still.jpg 9w", "no wider than the original")
            #expect((pictures[1]["srcset"] as? String)?.hasPrefix("/poster/film-1~2?w=92 92w, ") == true)
            #expect(pictures[0]["width"] as? Int == 9 && pictures[1]["width"] == nil)
            let members = try #require(sections[4]["members"] as? [[String: Any]])
            let portrait = try #require(members[0]["portrait"] as? [String: Any])
            #expect(portrait["url"] as? String == "/t/p/w185/abc.jpg" && members[1]["portrait"] == nil)
            #expect(
                portrait["srcset"] as? String
                    == [92, 154, 185, 342, 500].map { "/t/p/w\($0)/abc.jpg \($0)w" }.joined(separator: ", "))
            let credits = try await server.get("/movies/film-1/credits")
            #expect(credits.objects("cast").count == 2 && credits.objects("crew").count == 3)
        }
    }

    @Test func castAndCrewHaveIDsWhereTheSourceHasPagesOfPeople() async throws {
        let fixture = FilmFixture()
        var movie = try Self.movie()
        movie.credits = Credits(
            cast: [
                Credits.CastMember(name: "Tom Hanks", role: "", id: PersonID("tmdb:31")),
                Credits.CastMember(name: "Nobody", role: ""),
            ], crew: [Credits.CrewMember(name: "Fritz Lang", sourceJob: "Director", id: PersonID("fritz-lang"))])
        fixture.movies.add(movie)
        try await fixture.serve { server in
            let credits = try await server.get("/movies/film-1/credits")
            #expect(credits.objects("cast").map { $0["id"] as? String } == ["tmdb:31", nil])
            #expect(credits.objects("crew").map { $0["id"] as? String } == ["fritz-lang"])
            let sections = try await server.get("/movies/film-1").objects("sections")
            let cast = try #require(sections.first { $0["type"] as? String == "cast" })
            #expect((cast["members"] as? [[String: Any]])?.map { $0["id"] as? String } == ["tmdb:31", nil])
        }
    }

    @Test func keywordsAndTheCollectionAreThere() async throws {
        let fixture = FilmFixture()
        var movie = try Self.movie()
        movie.keywords = [Keyword(tmdb: 818, name: "based on novel or book"), Keyword(name: "복수")]
        movie.collection = CollectionReference(
            id: try #require(CollectionID("tmdb:77816")), name: "The Collection",
            poster: PosterReference(.tmdb(file: "p.jpg")),
            backdrop: PosterReference(.web(url: "https://pictures.example.org/b.jpg")))
        fixture.movies.add(movie)
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-2")))
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1")
            #expect(
                answer.objects("keywords") as? [[String: String]]
                    == [["id": "tmdb:818", "name": "based on novel or book"], ["name": "복수"]])
            let collection = try #require(answer.json["collection"] as? [String: Any])
            #expect(collection["id"] as? String == "tmdb:77816" && collection["name"] as? String == "The Collection")
            #expect((collection["poster"] as? [String: Any])?["url"] as? String == "/t/p/w500/p.jpg")
            #expect(collection["backdrop"] == nil, "it has no URL on this server")
            let without = try await server.get("/movies/film-2")
            #expect(without.objects("keywords").isEmpty && without.json["collection"] == nil)
        }
    }

    private static func releasedMovie() throws -> Movie {
        var movie = try Self.movie()
        let (korean, american) = (Certificate("15세이상관람가", in: .korea), Certificate("R", in: .unitedStates))
        movie.certificate = american
        movie.summary.releaseDate = CalendarDate("1999-10-15")
        movie.releases = [
            Release(country: .korea, date: CalendarDate("2000-06-01"), kind: .digital),
            Release(country: .korea, date: CalendarDate("1999-11-13"), kind: .theatrical, certificate: korean),
            Release(country: .unitedStates, date: CalendarDate("1999-10-15"), kind: .theatrical, certificate: american),
            Release(country: .japan, date: nil, kind: .theatrical, note: "undated"),
        ]
        return movie
    }

    @Test func aRegionAddsItsRelease() async throws {
        let fixture = FilmFixture(boxOffice: ScriptedBoxOffice(source: .embedded), region: .unitedStates)
        fixture.movies.add(try Self.releasedMovie())
        try await fixture.serve { server in
            let korea = try await server.get("/movies/film-1?region=KR&language=ko")
            let release = try #require(korea.json["regionalRelease"] as? [String: Any])
            #expect(release["country"] as? String == "KR" && release["type"] as? String == "theatrical")
            #expect(release["date"] as? String == "1999-11-13")
            #expect((korea.json["certificate"] as? [String: String])?["rating"] == "15")
            #expect(korea.json["releaseDate"] as? String == "1999-10-15", "the first showing")
            let summary = try #require(korea.objects("sections").first { $0["type"] as? String == "summary" })
            let items = try #require(summary["items"] as? [[String: String]])
            #expect(items.first { $0["kind"] == "age" }?["middleLabel"] == "15세 이상")
            let usual = try await server.get("/movies/film-1")
            #expect((usual.json["regionalRelease"] as? [String: Any])?["country"] as? String == "US")
            #expect(try await server.get("/box-office/movies/film-1?region=KR").text.contains("1999-11-13"))
            let undated = try await server.get("/movies/film-1?region=jp")
            #expect(undated.json["regionalRelease"] == nil)
            #expect((undated.json["certificate"] as? [String: String])?["rating"] == "R", "the source's choice")
        }
    }

    @Test func withoutARegionThereIsNone() async throws {
        let fixture = FilmFixture()
        fixture.movies.add(try Self.releasedMovie())
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1")
            #expect(answer.json["regionalRelease"] == nil)
            #expect((answer.json["certificate"] as? [String: String])?["rating"] == "R")
            for region in ["", "Korea", "ZZ", "K"] {
                let refused = try await server.get("/movies/film-1?region=\(region)")
                #expect(refused.status == 400 && refused.text.contains("region must be an ISO 3166-1 code such as KR"))
            }
        }
    }

    @Test func theBestVideosAreASection() async throws {
        let fixture = FilmFixture()
        var movie = try Self.movie()
        movie.videos = try (1...12).map { number in
            try #require(
                Video(
                    id: "v\(number)", kind: number == 12 ? .trailer : .clip, site: .youtube,
                    key: number < 10 ? "key-of-vid\(number)" : "key-of-vi\(number)", name: "Clip \(number)",
                    language: number == 11 ? .korean : .english))
        }
        fixture.movies.add(movie)
        try await fixture.serve { server in
            let sections = try await server.get("/movies/film-1?language=ko").objects("sections")
            #expect(sections.map { $0["type"] as? String }.firstIndex(of: "videos") == 3, "after the gallery")
            let videos = try #require(sections[3]["videos"] as? [[String: Any]])
            #expect(videos.map { $0["id"] as? String } == ["v11", "v12"] + (1...8).map { "v\($0)" })
            let thumbnail = try #require(videos.first?["thumbnail"] as? [String: Any])
            #expect(thumbnail["url"] as? String == "/poster/youtube%3Akey-of-vi11?w=480&h=270&fit=cover")
        }
    }

    @Test func wordsOfAllSourcesAreOneVocabulary() async throws {
        let fixture = FilmFixture()
        fixture.movies.add(try Self.movie())
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1?language=ko")
            #expect(answer.json["countries"] as? [String] == ["KR"])
            #expect(answer.json["status"] as? String == "released" && answer.json["reviewCount"] as? Int == 7)
            #expect(
                answer.json["certificate"] as? [String: String]
                    == ["system": "kmrb", "country": "KR", "rating": "15"])
            #expect(answer.objects("genres") as? [[String: String]] == [["id": "science-fiction", "name": "SF"]])
            let items = try #require(answer.objects("sections")[5]["items"] as? [[String: String]])
            #expect(items.contains(["name": "countries", "label": "제작 국가", "value": "대한민국"]))
            #expect(items.contains(["name": "certificate", "label": "관람 등급", "value": "15세 이상"]))
            #expect(items.contains(["name": "status", "label": "상태", "value": "개봉"]))
            let crew = try await server.get("/movies/film-1/credits").objects("crew") as? [[String: String]]
            #expect(
                crew == [
                    ["name": "A director", "department": "directing", "job": "director", "sourceJob": "감독"],
                    ["name": "A gaffer", "department": "lighting", "job": "gaffer", "sourceJob": "Gaffer"],
                    ["name": "A cook", "job": "other", "sourceJob": "Cook"],
                ])
        }
    }

    @Test func emptySectionsAreAbsent() async throws {
        let fixture = FilmFixture()
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-1")))
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1")
            #expect(answer.objects("sections").map { $0["type"] as? String } == ["top"])
            #expect(answer.json["score"] == nil && answer.json["releaseDate"] == nil)
        }
    }

    @Test func aSupplementThatFailsIsNamedAndTheFilmIsServed() async throws {
        let fixture = FilmFixture(supplements: ["tt0133093": .failure(.tooSlow(.omdb))])
        fixture.movies.add(try Self.movie())
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1")
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
            #expect(answer.objects("problems").map { $0["source"] as? String } == ["omdb"])
            #expect(answer.objects("problems").first?["status"] as? Int == 504)
        }
    }

    @Test func whatAnotherSourceAddsIsThereWithItsAttribution() async throws {
        let supplement = MovieSupplement(
            scores: [ExternalScore(name: "Rotten Tomatoes", value: "87%")],
            certificate: Certificate("R", in: .unitedStates), plot: "Another plot",
            actors: ["Nobody"], runtimeMinutes: 9,
            information: [InformationItem(name: .awards, value: "Four")])
        let fixture = FilmFixture(supplements: ["tt0133093": .success(supplement)])
        fixture.movies.add(try Self.movie())
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1")
            #expect(answer.objects("otherScores").map { $0["value"] as? String } == ["87%"])
            let certificate = answer.json["certificate"] as? [String: String]
            #expect(certificate?["rating"] == "15", "the film's own source goes first")
            #expect(answer.json["overview"] as? String == "What it is about.")
            #expect(answer.json["attribution"] as? [String] == [MovieSource.omdb.attribution ?? ""])
            #expect(answer.text.contains("\"awards\""))
        }
    }

    @Test func reviewsHaveAPreviewThatCutsNoCharacter() async throws {
        let long = String(repeating: "👨‍👩‍👧‍👦", count: 301)
        let fixture = FilmFixture()
        fixture.movies.add(
            try Self.movie(),
            reviews: [Review(id: "r1", author: "a", content: long), Review(id: "r2", author: "b", content: "Short.")])
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-1/reviews")
            let reviews = answer.objects("results")
            #expect(reviews.map { ($0["preview"] as? String)?.count } == [300, 6])
            #expect(reviews.map { $0["isTruncated"] as? Bool } == [true, false])
            #expect(reviews.first?["content"] as? String == long)
            #expect(answer.headers["link"]?.contains("/movies/film-1/reviews?page=1") == true)
            #expect(answer.headers["vary"] == "Accept-Language, Accept-Encoding")
        }
    }

    @Test func onlyAFilmWhoseSourceNamesNoPosterCanBePosterless() throws {
        var services = FilmFixture().services
        services.isPosterless = { _ in true }
        let pictures = PipelinePictureURLs(
            policies: ReloadablePicturePolicy(), urls: PosterURLBuilder(), pipeline: nil)
        let responses = MovieResponses(services, pictures: pictures, publicURL: nil)
        var film = try FilmFixture.film("film-1")
        film.poster = nil
        #expect(try responses.posters.poster(of: film, language: .korean) == nil)
        film.poster = PosterReference(.web(url: "http://x/y.jpg"))
        #expect(try responses.posters.poster(of: film, language: .korean) != nil)
    }
}
