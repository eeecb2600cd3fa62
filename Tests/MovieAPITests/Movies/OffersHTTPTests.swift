import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI
@testable import PosterAPI

/// Where a film can be watched, over real sockets.
@Suite(.timeLimit(.hang))
struct OffersHTTPTests {
    private static let justWatch = "Streaming availability by JustWatch"

    private static func fixture(region: Country? = nil) throws -> FilmFixture {
        let fixture = FilmFixture(region: region)
        let film = try FilmFixture.film("film-1")
        fixture.movies.add(Movie(summary: film))
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-2")))
        let provider = WatchOffers.Provider(id: "538", name: "Plex", logo: .tmdb(file: "plex.jpg"))
        let american = WatchOffers(
            link: "https://www.themoviedb.org/movie/550/watch?locale=US",
            [.buy: [provider], .free: [provider, WatchOffers.Provider(id: "8", name: "Other")]])
        fixture.movies.set(
            offers: FilmOffers(
                byCountry: [
                    .unitedStates: american, .japan: WatchOffers([.rent: [provider]]), .unitedKingdom: WatchOffers([:]),
                ], attribution: Self.justWatch), of: film.id)
        return fixture
    }

    @Test func offersNameJustWatch() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/film-1/offers?country=US")
            #expect(answer.status == 200 && answer.json["country"] as? String == "US")
            #expect(answer.json["link"] as? String == "https://www.themoviedb.org/movie/550/watch?locale=US")
            let offers = answer.objects("offers")
            #expect(offers.map { $0["type"] as? String } == ["free", "buy"])
            let providers = try #require(offers.first?["providers"] as? [[String: Any]])
            #expect(providers.map { $0["name"] as? String } == ["Plex", "Other"])
            let logo = try #require(providers[0]["logo"] as? [String: Any])
            #expect(logo["url"] as? String == "/t/p/w92/plex.jpg" && providers[1]["logo"] == nil)
            #expect((logo["srcset"] as? String)?.hasSuffix(" 185w") == true)
            #expect(answer.json["countries"] as? [String] == ["JP", "US"], "those with offers")
            #expect(answer.json["attribution"] as? [String] == [Self.justWatch])
            #expect(answer.headers["cache-control"] == "public, max-age=3600, stale-while-revalidate=36000")
        }
    }

    @Test func aCountryWithoutOffersHasAnEmptyList() async throws {
        try await Self.fixture().serve { server in
            for country in ["KR", "GB"] {
                let answer = try await server.get("/movies/film-1/offers?country=\(country)")
                #expect(answer.status == 200 && answer.json["offers"] is [Any] && answer.objects("offers").isEmpty)
                #expect(answer.json["link"] == nil && answer.json["countries"] as? [String] == ["JP", "US"])
                #expect(answer.json["attribution"] as? [String] == [Self.justWatch])
            }
            let none = try await server.get("/movies/film-2/offers?country=KR")
            #expect(none.status == 200 && none.json["attribution"] == nil)
            #expect(none.json["countries"] as? [String] == [])
        }
    }

    @Test func theRegionIsTheDefaultCountry() async throws {
        try await Self.fixture(region: .japan).serve { server in
            let answer = try await server.get("/movies/film-1/offers")
            #expect(answer.json["country"] as? String == "JP")
            #expect(answer.objects("offers").map { $0["type"] as? String } == ["rent"])
            #expect(try await server.get("/movies/film-1/offers?country=us").json["country"] as? String == "US")
        }
    }

    @Test func withoutACountryTheProblemSaysWhatToDo() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/film-1/offers")
            #expect(answer.status == 400 && answer.problem == "invalid-parameter")
            #expect(answer.text.contains("country is missing") && answer.text.contains("--region"))
            let unknown = try await server.get("/movies/film-1/offers?country=XX")
            #expect(unknown.status == 400 && unknown.text.contains("country must be an ISO 3166-1 code such as KR"))
            #expect(try await server.get("/movies/film-9/offers?country=KR").problem == "unknown-movie")
        }
    }

    @Test func offersAreTheSameInAllLanguages() async throws {
        try await Self.fixture().serve { server in
            let korean = try await server.get("/movies/film-1/offers?country=US&language=ko")
            let english = try await server.get(
                "/movies/film-1/offers?country=US", headers: ["Accept-Language": "en"])
            #expect(korean.text == english.text && english.headers["vary"]?.contains("Accept-Language") != true)
        }
    }
}
