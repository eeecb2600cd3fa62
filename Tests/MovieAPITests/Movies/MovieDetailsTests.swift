import HTTPServer
import HTTPTesting
import HTTPTypes
import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI
@testable import PosterAPI

/// Over real sockets: a film with its supplements.
@Suite(.timeLimit(.minutes(1)))
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
        #expect(try responses.poster(of: film, language: .korean) == nil)
        film.poster = PosterReference(.web(url: "http://x/y.jpg"))
        #expect(try responses.poster(of: film, language: .korean) != nil)
    }
}
