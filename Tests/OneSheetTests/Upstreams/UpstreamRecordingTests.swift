import MovieDomain
import PosterTesting
import Testing

@Suite(
    "Recorded answers through the service",
    .enabled(if: UpstreamSamples() != nil, "there are no recorded answers beside the repository"),
    .timeLimit(.hang))
struct UpstreamRecordingTests {
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    private func sample(_ name: String, status: Int = 200) throws -> OriginScript {
        .json(try #require(UpstreamSamples()).bytes("\(name).json"), status: status)
    }

    @Test func filmsOfTMDB() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/tmdb/genre/movie/list", try self.sample("tmdb/jd_genre_movie_list"))
            for list in ["now_playing", "popular", "top_rated", "upcoming"] {
                upstream.on("GET", "/tmdb/movie/\(list)", try self.sample("tmdb/jd_\(list)"))
            }
            upstream.on("GET", "/tmdb/search/movie", try self.sample("tmdb/jd_search_movie"))
            upstream.on("GET", "/tmdb/movie/550", try self.sample("tmdb/jd_movie_details"))
            upstream.on("GET", "/tmdb/movie/550/reviews", try self.sample("tmdb/jd_movie_reviews"))
            upstream.on("GET", "/omdb/", try self.sample("omdb/error_quota", status: 401))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb, .omdb]) { fixture in
                var app = fixture.app
                app.language = "en"
                let home = try await app.get("/movies/home")
                #expect(home.sections.list.map { $0.results.list.count } == [20, 20, 20, 20])
                for film in home.sections.list.flatMap(\.results.list) {
                    #expect(film.title.text?.isEmpty == false && film.poster.url.text != nil)
                }
                let found = try await app.get("/movies/search?query=club")
                #expect(!found.results.list.isEmpty && found.totalResults.int ?? 0 >= found.results.list.count)
                let film = try await app.get("/movies/tmdb:550")
                #expect(film.title.text == "Fight Club" && film.runtimeMinutes.int == 139)
                #expect(film.problems[0].type.text == "urn:onesheet:problem:source-busy")
                let reviews = try await app.get("/movies/tmdb:550/reviews")
                #expect(reviews.results.list.count == 9)
                #expect(reviews.results.list.allSatisfy { $0.preview.text?.count ?? 301 <= 300 })
            }
        }
    }

    @Test func theBoxOfficeOfKOBIS() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/kobis/boxoffice/searchDailyBoxOfficeList.json", try self.sample("kobis/daily_20220105"))
            upstream.on(
                "GET", "/kobis/boxoffice/searchDailyBoxOfficeList.json", query: ["targetDt": "20220106"],
                try self.sample("kobis/fault_320010_invalid_key"))
            upstream.on(
                "GET", "/kobis/boxoffice/searchWeeklyBoxOfficeList.json", try self.sample("kobis/weekend_20120101"))
            upstream.on("GET", "/kobis/movie/searchMovieInfo.json", try self.sample("kobis/movie_info_20199882"))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.kobis]) { fixture in
                let list = try await fixture.app.get("/box-office/daily?date=2022-01-05")
                #expect(list.results.list.compactMap(\.rank.int) == Array(1...10))
                #expect(list.results.list.allSatisfy { $0.title.text != nil && $0.audience.total.int ?? 0 > 0 })
                let week = try await fixture.app.get("/box-office/weekly?date=2012-01-01&span=weekend")
                #expect(week.results.list.count == 10)
                let film = try await fixture.app.get("/box-office/movies/20199882")
                #expect(film.sections.list.contains { $0.type.text == "cast" && !$0.members.list.isEmpty })
                #expect(try await fixture.app.send("GET", "/box-office/daily?date=2022-01-06").status == 502)
            }
        }
    }

    @Test func appsOfTheStore() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/itunes/search", try self.sample("itunes/search_software_50"))
            upstream.on("GET", "/itunes/search", query: ["term": "none"], try self.sample("itunes/search_empty"))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.itunes]) { fixture in
                let found = try await fixture.app.get("/apps/search?term=a&limit=50")
                #expect(found.results.list.count == 50)
                for app in found.results.list {
                    #expect(app.name.text?.isEmpty == false)
                    #expect(app.icon.url.text?.hasPrefix("/poster/itunes%3A") == true)
                    #expect(!app.screenshots.list.isEmpty)
                }
                #expect(try await fixture.app.get("/apps/search?term=none").results.list.isEmpty)
            }
        }
    }
}
