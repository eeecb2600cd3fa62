import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

/// Filters, trends and recommendations, over real sockets.
@Suite(.timeLimit(.hang))
struct DiscoverHTTPTests {
    private static let french = Language("fr")!

    @Test(
        "every parameter chooses films",
        arguments: [
            ("", FilmFilter()), ("?genre=drama", FilmFilter(genres: [.drama])),
            ("?genre=drama,film-noir,drama", FilmFilter(genres: [.drama, .filmNoir])),
            ("?genre=drama%2Cthriller", FilmFilter(genres: [.drama, .thriller])),
            ("?year=1999", FilmFilter(years: 1999...1999)), ("?decade=1990", FilmFilter(years: 1990...1999)),
            ("?country=KR", FilmFilter(country: .korea)),
            ("?originalLanguage=fr-CA", FilmFilter(originalLanguage: french)),
            ("?keyword=tmdb:818", FilmFilter(keyword: "tmdb:818")), ("?sort=rating", FilmFilter(sort: .rating)),
            ("?sort=newest&year=2000&language=ko", FilmFilter(years: 2000...2000, sort: .newest)),
        ])
    func filters(query: String, filter: FilmFilter) async throws {
        let fixture = FilmFixture(catalogue: ScriptedCatalogue(source: .tmdb))
        fixture.catalogue.set(try FilmFixture.films(2), for: .discover(filter))
        try await fixture.serve { server in
            let answer = try await server.get("/movies/discover\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.objects("results").map { $0["id"] as? String } == ["film-1", "film-2"])
            #expect(answer.headers["cache-control"]?.hasPrefix("public, max-age=60,") == true)
            #expect(answer.json["attribution"] as? [String] == [MovieSource.tmdb.attribution ?? ""])
        }
        #expect(fixture.catalogue.asked == [.discover(filter)])
    }

    @Test func linksKeepTheFiltersAndTheRegionIsForTheCatalogue() async throws {
        let fixture = FilmFixture(region: .korea)
        let filter = FilmFilter(genres: [.drama, .horror], sort: .oldest)
        fixture.catalogue.set(try FilmFixture.films(21), for: .discover(filter))
        try await fixture.serve { server in
            let path = "/movies/discover?genre=drama%2Chorror&sort=oldest&region=JP"
            let first = try await server.get(path)
            #expect(first.json["totalResults"] as? Int == 21)
            #expect(first.headers["link"]?.contains("<\(path)&page=2>; rel=\"next\"") == true)
            let second = try await server.get("\(path)&page=2")
            #expect(second.objects("results").count == 1)
            _ = try await server.get("/movies/discover?genre=drama,horror&sort=oldest")
        }
        #expect(fixture.catalogue.regions == [.japan, .japan, .korea])
    }

    @Test func filmsHaveTheClientsMarksWhenItAsks() async throws {
        let fixture = FilmFixture()
        fixture.catalogue.set(try FilmFixture.films(1), for: .discover(FilmFilter()))
        fixture.catalogue.set(try FilmFixture.films(1), for: .trending(.day))
        try await fixture.serve { server in
            for path in ["/movies/discover", "/movies/trending/day"] {
                let film = try #require(try await server.get("\(path)?marks=true").objects("results").first)
                #expect(film["isFavourite"] as? Bool == false)
                let plain = try #require(try await server.get(path).objects("results").first)
                #expect(plain["isFavourite"] == nil)
            }
        }
    }

    @Test(
        "says what is wrong, and what is allowed",
        arguments: [
            ("/movies/discover?genre=drama,sad", 400, "separated by commas: action, adventure"),
            ("/movies/discover?genre=", 400, "genre must be 1 to 5 of these"),
            ("/movies/discover?genre=drama,", 400, "genre must be"),
            ("/movies/discover?genre=drama,war,crime,horror,comedy,short", 400, "1 to 5"),
            ("/movies/discover?year=1999&decade=1990", 400, "leave one of them out"),
            ("/movies/discover?decade=1995", 400, "the first year of a decade from 1880 to 2990, such as 1990"),
            ("/movies/discover?decade=1870", 400, "from 1880"), ("/movies/discover?year=1", 400, "from 1888 to 2999"),
            ("/movies/discover?country=Korea", 400, "country must be an ISO 3166-1 code such as KR"),
            ("/movies/discover?originalLanguage=1", 400, "originalLanguage must be a language such as ko"),
            ("/movies/discover?keyword=818", 400, "keyword must be the id of a keyword, such as tmdb:818"),
            ("/movies/discover?keyword=tmdb:818", 400, "keyword is not supported by"),
            ("/movies/discover?sort=best", 400, "popularity, rating, newest, oldest or title"),
            ("/movies/discover?page=0", 400, "from 1 to 500"),
            ("/movies/discover?with_genres=18", 400, "it takes genre"),
            ("/movies/trending/month", 404, "day and week"), ("/movies/trending/day?region=KR", 400, "it takes page"),
            ("/movies/film-1/recommendations?page=501", 400, "from 1 to 500"),
        ])
    func refused(target: String, status: Int, words: String) async throws {
        let catalogue = ScriptedCatalogue(filters: Set(FilmFilter.Field.allCases).subtracting([.keyword]))
        try await FilmFixture(catalogue: catalogue).serve { server in
            let answer = try await server.get(target)
            #expect(answer.status == status, "\(answer.text)")
            #expect((answer.json["detail"] as? String)?.contains(words) == true, "\(answer.text)")
        }
        #expect(catalogue.asked.isEmpty)
    }

    @Test func aFilterThatOnlyAnotherCatalogueHasNamesItsOption() async throws {
        let catalogue = ScriptedCatalogue(filters: [])
        try await FilmFixture(catalogue: catalogue).serve { server in
            let answer = try await server.get("/movies/discover?keyword=tmdb:818")
            let detail = try #require(answer.json["detail"] as? String)
            #expect(detail.hasSuffix("; --tmdb-key enables \(MovieSource.tmdb.name)"), "\(detail)")
            #expect(try await server.get("/movies/discover").status == 200)
        }
    }

    @Test func trendsAreOfADayAndOfAWeek() async throws {
        let fixture = FilmFixture()
        fixture.catalogue.set(try FilmFixture.films(21), for: .trending(.week))
        try await fixture.serve { server in
            let week = try await server.get("/movies/trending/week?page=2&language=ko")
            #expect(week.objects("results").count == 1 && week.json["totalPages"] as? Int == 2)
            let day = try await server.get("/movies/trending/day")
            #expect(day.status == 200 && day.objects("results").isEmpty)
            #expect(try await server.get("/movies/trending").status == 404)
        }
        #expect(fixture.catalogue.asked == [.trending(.week), .trending(.day)])
        #expect(fixture.catalogue.languages.first?.first == .korean)
    }

    @Test func recommendationsAreAPage() async throws {
        let fixture = FilmFixture()
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-9")))
        fixture.movies.set(recommendations: try FilmFixture.films(3), for: try #require(MovieID("film-9")))
        try await fixture.serve { server in
            let answer = try await server.get("/movies/film-9/recommendations")
            #expect(answer.objects("results").map { $0["id"] as? String } == ["film-1", "film-2", "film-3"])
            #expect(answer.json["totalPages"] as? Int == 1 && answer.headers["link"] != nil)
        }
    }
}
