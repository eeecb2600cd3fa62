import Foundation
import PosterTesting
import Testing

/// An app that finds films by genre and year, by trend and by similarity, in the embedded catalogue.
@Suite(.timeLimit(.hang))
struct FilmDiscoveryTests {
    private let folder = TemporaryFolder()

    private func app(_ arguments: [String] = []) async throws -> AppClient {
        AppClient(
            server: try await InProcessServer(dataDirectory: self.folder.path + "/data", arguments), language: "en")
    }

    @Test func discoverLeadsToDetailsAndThePoster() async throws {
        let app = try await self.app()
        let horror = try await app.pages(of: "/movies/discover?genre=horror&decade=1920&sort=rating")
        let films = horror.flatMap(\.results.list)
        #expect(films.count >= 4)
        for film in films {
            #expect((1920...1929).contains(film.year.int ?? 0))
            #expect(film.genres.list.contains { $0.id.text == "horror" })
        }
        let scores = films.compactMap(\.score.average.double)
        #expect(scores == scores.sorted(by: >))
        let details = try await app.get("/movies/\(try #require(films[0].id.text))")
        #expect(details.title.text == films[0].title.text)
        let poster = try await app.picture(details.poster.url.text)
        #expect(poster.status == 200 && poster.headers["content-type"]?.hasPrefix("image/") == true)

        let all = try await app.pages(of: "/movies/discover?sort=oldest")
        #expect(all.flatMap(\.results.list).count == 48 && all.count == 3)
        #expect(all[0].results[0].id.text == "a-trip-to-the-moon-1902")
        let first = try await app.send("GET", "/movies/discover?country=KR&originalLanguage=ko")
        #expect(first.body.results.list.allSatisfy { $0.originalLanguage.text == "ko" })
        let link = try await app.send("GET", "/movies/discover?genre=drama").headers["link"] ?? ""
        #expect(link.contains("genre=drama&page=2") && link.contains("rel=\"next\""))
        _ = await app.server.stop()
    }

    @Test func whatCannotBeDiscoveredIsAProblemThatSaysWhy() async throws {
        let app = try await self.app()
        for (parameters, words) in [
            ("genre=nonsense", "science-fiction"), ("year=1927&decade=1920", "decade"), ("decade=1925", "decade"),
            ("country=XX", "country"), ("keyword=tmdb:818", "--tmdb-key"), ("sort=best", "popularity"),
        ] {
            let answer = try await app.send("GET", "/movies/discover?\(parameters)")
            #expect(answer.status == 400, "\(parameters)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(answer.body.detail.text?.contains(words) == true, "\(parameters): \(answer.text)")
        }
        _ = await app.server.stop()
    }

    @Test func trendingFilmsAreThoseOfTheBoxOffice() async throws {
        let app = try await self.app()
        // Around midnight in Seoul, the response may be either day's.
        let before = try await app.get("/box-office/daily").results.list.compactMap(\.code.text)
        let trending = try await app.get("/movies/trending/day").results.list.compactMap(\.id.text)
        let after = try await app.get("/box-office/daily").results.list.compactMap(\.code.text)
        #expect(before.count == 10)
        #expect([before, after].contains(Array(trending.prefix(10))))
        let week = try await app.get("/movies/trending/week").results
        #expect(week.list.count >= 16)
        #expect(try await app.picture(week[0].poster.url.text).status == 200)
        #expect((400...404).contains(try await app.send("GET", "/movies/trending/month").status))
        _ = await app.server.stop()
    }

    @Test func recommendationsAreOtherFilmsThanTheSimilarOnes() async throws {
        let app = try await self.app()
        let similar = try await app.pages(of: "/movies/nosferatu-1922/similar").flatMap(\.results.list)
        let recommended = try await app.pages(of: "/movies/nosferatu-1922/recommendations").flatMap(\.results.list)
        #expect(!similar.isEmpty && !recommended.isEmpty)
        #expect(Set(similar.compactMap(\.id.text)).isDisjoint(with: recommended.compactMap(\.id.text)))
        #expect(!recommended.contains { $0.id.text == "nosferatu-1922" })
        #expect(try await app.send("GET", "/movies/no-such-1900/recommendations").status == 404)
        _ = await app.server.stop()
    }

    @Test func aRegionIsACountryAndChangesNothingHere() async throws {
        let app = try await self.app(["--region", "KR"])
        for target in ["/movies/lists/now_playing", "/movies/discover?sort=oldest"] {
            let separator = target.contains("?") ? "&" : "?"
            let own = try await app.get(target)
            let other = try await app.get("\(target)\(separator)region=JP")
            let ids = own.results.list.compactMap(\.id.text)
            #expect(!ids.isEmpty && other.results.list.compactMap(\.id.text) == ids, "\(target)")
            let wrong = try await app.send("GET", "\(target)\(separator)region=Korea")
            #expect(wrong.status == 400 && wrong.body.detail.text?.contains("ISO 3166-1") == true, "\(wrong.text)")
        }
        #expect(try await app.send("GET", "/genres?region=KR").status == 400)
        _ = await app.server.stop()
    }
}
