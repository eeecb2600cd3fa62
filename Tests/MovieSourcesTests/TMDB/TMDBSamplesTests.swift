import FoundationEssentials
import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

/// Recorded responses, if available, read by the adapter over HTTP.
@Suite(
    "Recorded answers of TMDB",
    .enabled(if: UpstreamSamples() != nil, "there are no recorded answers beside the repository"))
struct TMDBSamplesTests {
    private let english = LanguagePreference([.english])

    private func sample(_ name: String) throws -> [UInt8] {
        try #require(UpstreamSamples()).bytes("tmdb/\(name).json")
    }

    /// Details with other responses appended to them.
    private func details(_ name: String, appending parts: [String: String]) throws -> String {
        let text = String(decoding: try self.sample(name), as: UTF8.self)
        let brace = try #require(text.lastIndex(of: "}"))
        let appended = try parts.map { #""\#($0)":\#(String(decoding: try self.sample($1), as: UTF8.self))"# }
        return text[..<brace] + "," + appended.joined(separator: ",") + "}"
    }

    @Test(arguments: [
        ("jd_now_playing", MovieList.nowPlaying), ("jd_popular", .popular), ("jd_top_rated", .topRated),
        ("jd_upcoming", .upcoming), ("now_playing", .nowPlaying), ("now_playing_2022", .nowPlaying),
        ("popular", .popular), ("top_rated", .topRated), ("upcoming", .upcoming),
    ])
    func listsLoseNothing(name: String, list: MovieList) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/\(list.rawValue)", .json(try self.sample(name)))
            upstream.on("GET", "/3/genre/movie/list", .json(try self.sample("jd_genre_movie_list")))
            let page = try await AdapterFixture(upstream).tmdb().catalogue.list(list, page: 1, language: self.english)
            try self.check(page, name)
            #expect(page.results.count == 20)
        }
    }

    @Test(arguments: ["jd_search_movie", "search_movie", "movie_recommendations", "jd_movie_similar", "movie_similar"])
    func whatWasFoundLosesNothing(name: String) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/search/movie", .json(try self.sample(name)))
            upstream.on("GET", "/3/movie/1/similar", .json(try self.sample(name)))
            upstream.on("GET", "/3/genre/movie/list", .json(try self.sample("genre_movie_list")))
            let tmdb = try AdapterFixture(upstream).tmdb()
            let found = try await tmdb.catalogue.search(try #require(MovieQuery("x")), page: 1, language: self.english)
            try self.check(found, name)
            let similar = try await tmdb.movies.similar(to: MovieID("tmdb:1")!, page: 1, language: self.english)
            try self.check(#require(similar), name)
        }
    }

    @Test func recommendationsAreTwentyAtMost() async throws {
        let bytes = try self.sample("movie_recommendations")
        let ids = try JSONDecoder().decode(RawPage.self, from: Data(bytes)).results.map { "tmdb:\($0.id)" }
        try #require(ids.count == 21)
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/1/recommendations", .json(bytes))
            upstream.on("GET", "/3/movie/\(ids[1].dropFirst(5))/recommendations", .json(bytes))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let page = try #require(
                try await movies.recommendations(for: MovieID("tmdb:1")!, page: 1, language: self.english))
            #expect(page.results.map(\.id.description) == Array(ids.prefix(20)))
            let own = try #require(MovieID(ids[1]))
            let others = try #require(try await movies.recommendations(for: own, page: 1, language: self.english))
            #expect(others.results.map(\.id.description) == ids.filter { $0 != ids[1] }, "without the film itself")
        }
    }

    /// Checks that every row of a response is a film with the properties that lists show.
    private func check(_ page: Page<MovieSummary>, _ name: String) throws {
        let rows = try JSONDecoder().decode(RawPage.self, from: Data(try self.sample(name)))
        #expect(page.totalResults == rows.total_results)
        #expect(page.totalPages == min(500, rows.total_pages))
        try #require(page.results.count == min(20, rows.results.count))
        for (film, row) in zip(page.results, rows.results) {
            #expect(film.id.key == String(row.id))
            #expect(film.title == row.title && film.originalTitle == row.original_title)
            #expect(film.overview.isEmpty == row.overview.isEmpty)
            #expect(film.originalLanguage?.code == row.original_language)
            #expect(film.releaseDate?.description ?? "" == row.release_date ?? "")
            #expect(film.genres.map(\.id.tmdbNumber) == row.genre_ids ?? [])
            #expect(film.score?.count ?? 0 == row.vote_count)
            #expect(film.backdrop?.location == row.backdrop_path.map { .tmdb(file: String($0.dropFirst())) })
            if row.vote_count > 0 { #expect(film.score?.average == row.vote_average) }
            #expect(film.poster?.location == row.poster_path.map { .tmdb(file: String($0.dropFirst())) })
        }
    }

    private struct RawPage: Decodable {
        struct Row: Decodable {
            let id: Int
            let title, original_title, overview, original_language: String
            let release_date, poster_path, backdrop_path: String?
            let genre_ids: [Int]?
            let vote_average: Double
            let vote_count: Int
        }

        let results: [Row]
        let total_pages, total_results: Int
    }

    @Test func aFilmHasAllOfItsParts() async throws {
        let body = try self.details(
            "jd_movie_details",
            appending: [
                "credits": "jd_movie_credits", "images": "jd_movie_images", "reviews": "jd_movie_reviews",
                "release_dates": "jd_movie_release_dates", "external_ids": "jd_movie_external_ids",
                "videos": "movie_videos", "keywords": "movie_keywords",
            ])
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(body))
            upstream.on("GET", "/3/movie/550/reviews", .json(try self.sample("jd_movie_reviews")))
            let tmdb = try AdapterFixture(upstream).tmdb()
            let movies = tmdb.movies
            let id = try #require(MovieID("tmdb:550"))
            let textless = try await tmdb.posters.poster(of: id, as: PosterChoice(language: .english, isTextless: true))
            #expect(
                textless
                    == PosterReference(
                        .tmdb(file: "fFkMxrBYnEBcEHotxTQwx2nAncy.jpg"), size: PictureSize(width: 1200, height: 1800)))
            let film = try #require(await movies.movie(id, language: self.english))
            #expect(film.summary.title == "Fight Club")
            #expect(film.summary.directors == ["David Fincher"])
            #expect(film.summary.cast.prefix(2) == ["Edward Norton", "Brad Pitt"])
            #expect(film.summary.score == AudienceScore(average: 8.44, count: 27_917))
            #expect(film.summary.releaseDate?.description == "1999-10-15")
            #expect(
                film.summary.poster
                    == PosterReference(
                        .tmdb(file: "pB8BM7pdSp6B6Ih7QZ4DrQ3PmJK.jpg"), size: PictureSize(width: 2000, height: 3000)))
            #expect(film.runtimeMinutes == 139)
            #expect(film.tagline == "Mischief. Mayhem. Soap.")
            #expect(film.certificate == Certificate("R", in: .unitedStates) && film.status == .released)
            #expect(film.countries.map(\.code) == ["DE", "US"])
            #expect(film.imdbID == "tt0137523")
            #expect(film.videos.map(\.key) == ["O-b2VfmmbyA", "BdJKm16Co6M"])
            #expect(Video.ranked(film.videos, for: .korean).map(\.isOfficial) == [true, false])
            #expect(film.keywords.first == Keyword(id: "tmdb:818", name: "based on novel or book"))
            #expect(Set(film.releases.map(\.country)).count == 50 && film.summary.backdrop?.size != nil)
            let inKorea = try #require(film.release(in: .korea))
            #expect(inKorea.date?.description == "1999-11-13" && inKorea.kind == .theatrical)
            #expect(film.homepage == "http://www.foxmovies.com/movies/fight-club")
            #expect(film.gallery.count == 30)
            #expect(film.gallery.count { $0.kind == .backdrop } == 20)
            #expect(film.information.contains(InformationItem(name: .revenue, value: "$100,853,753")))
            let credits = try #require(await movies.credits(of: id, language: self.english))
            #expect((credits.cast.count, credits.crew.count) == (76, 187))
            #expect(credits.crew[0].name == "David Fincher" && credits.crew[0].sourceJob == "Director")
            #expect(credits.crew.count { $0.job != .other } > 140 && credits.crew.allSatisfy { $0.department != nil })
            #expect(film.summary.genres.map(\.id) == [.drama] && film.reviewCount == 9)
            #expect(credits.cast[0].role == "Narrator")
            let reviews = try #require(await movies.reviews(of: id, page: 1, language: self.english))
            #expect(reviews.results.count == 9)
            #expect(reviews.results.allSatisfy { $0.createdAt != nil && !$0.author.isEmpty && !$0.content.isEmpty })
            #expect(reviews.results == film.reviews)
        }
    }

    @Test(arguments: [
        "movie_details", "movie_details_append", "movie_details_append_swift", "movie_details_moviefinder",
        "movie_blank_homepage_release_date", "movie_latest",
    ])
    func everyFilmIsOne(name: String) async throws {
        let body = try self.sample(name)
        let key = try JSONDecoder().decode([String: Numbered].self, from: Data(body))["id"]?.number
        let id = try #require(MovieID("tmdb:\(key ?? 0)"))
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/\(id.key)", .json(body))
            let film = try #require(
                await AdapterFixture(upstream).tmdb().movies.movie(id, language: self.english))
            #expect(!film.summary.title.isEmpty)
            #expect(!film.summary.genres.isEmpty)
            if name == "movie_blank_homepage_release_date" {
                #expect((film.homepage, film.summary.releaseDate) == (nil, nil))
            }
            if name == "movie_details" {
                #expect(film.collection?.id.description == "tmdb:77816" && film.collection?.backdrop != nil)
            }
            if name == "movie_details_append" { #expect(!film.videos.isEmpty && !film.keywords.isEmpty) }
            if name == "movie_details_moviefinder" { #expect(film.imdbID?.hasPrefix("tt") == true) }
        }
    }

    /// The number in a value; `nil` if it is not a number.
    private struct Numbered: Decodable {
        let number: Int?

        init(from decoder: any Decoder) throws { self.number = try? Int(from: decoder) }
    }

    @Test(arguments: [("jd_movie_reviews", 8), ("movie_reviews", 8), ("review_page_swift", 1)])
    func reviewsAreRead(name: String, least: Int) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/reviews", .json(try self.sample(name)))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let page = try #require(await movies.reviews(of: MovieID("tmdb:550")!, page: 1, language: self.english))
            #expect(page.results.count >= least)
            #expect(page.results.allSatisfy { !$0.content.isEmpty && !$0.author.isEmpty && $0.preview.count <= 300 })
        }
    }

    @Test func anAccountSignsInAndRates() async throws {
        try await withUpstream { upstream in
            let login = "/3/authentication"
            upstream.on("GET", "\(login)/token/new", .json(try self.sample("token_new")))
            upstream.on(
                "POST", "\(login)/session/new",
                inTurn: [
                    .json(try self.sample("error_401_session_denied_code17"), status: 401),
                    .json(try self.sample("session_new")),
                ])
            upstream.on("DELETE", "\(login)/session", .json(try self.sample("session_delete")))
            upstream.on("GET", "/3/account", .json(try self.sample("account_details")))
            upstream.on("GET", "/3/account/548/rated/movies", .json(try self.sample("account_rated_movies")))
            upstream.on(
                "POST", "/3/movie/550/rating",
                inTurn: [
                    .json(try self.sample("rating_add"), status: 201),
                    .json(try self.sample("rating_update_code12"), status: 201),
                ])
            upstream.on("DELETE", "/3/movie/550/rating", .json(try self.sample("rating_delete")))
            upstream.on(
                "GET", "/3/movie/550/account_states",
                inTurn: [
                    .json(try self.sample("account_states_rated")), .json(try self.sample("movie_account_states")),
                    .json(try self.sample("account_states_no_rated_key")),
                ])
            upstream.on("GET", "/3/genre/movie/list", .json(try self.sample("jd_genre_movie_list")))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let id = try #require(MovieID("tmdb:550"))
            let pending = try await accounts.requestAuthorization(returningTo: nil)
            #expect(pending.expiresAt.description == "2016-08-26T17:04:39Z")
            await #expect(throws: AuthorizationFailure.notApproved) {
                _ = try await accounts.session(for: pending.token)
            }
            let session = try await accounts.session(for: pending.token)
            #expect(session.accountID == "548")
            #expect(try await accounts.account(of: session).username == "travisbell")
            let rating = try #require(Rating(9))
            #expect(try await accounts.rate(id, rating, with: session))
            #expect(try await accounts.rate(id, rating, with: session))
            #expect(try await accounts.rating(of: id, with: session) == Rating(8.5))
            #expect(try await accounts.rating(of: id, with: session) == Rating(9))
            #expect(try await accounts.rating(of: id, with: session) == nil)
            #expect(try await accounts.unrate(id, with: session))
            let rated = try await accounts.ratings(page: 1, language: self.english, with: session)
            #expect(rated.results.count == 16)
            #expect(rated.results[0].rating == Rating(8))
            #expect(rated.results[0].movie.id == MovieID("tmdb:120"))
            let watchlist = "/3/account/548/watchlist"
            upstream.on("GET", "\(watchlist)/movies", .json(try self.sample("account_watchlist_movies")))
            upstream.on("POST", watchlist, .json(try self.sample("add_watchlist"), status: 201))
            let wanted = try await accounts.watchlist(page: 1, language: self.english, with: session)
            #expect(wanted.results.first?.id == MovieID("tmdb:76726") && wanted.results.first?.title == "Chronicle")
            #expect(try await accounts.setOnWatchlist(id, true, with: session) == .done(isNew: true))
            try await accounts.end(session)
        }
    }

    @Test(arguments: [
        ("error_401_code7", 401, SourceFailure.keyRefused(.tmdb) as SourceFailure?),
        ("error_401_invalid_key_jd", 401, .keyRefused(.tmdb)),
        ("error_validate_key_unsuccessful", 401, .keyRefused(.tmdb)),
        ("error_429_code25", 429, .busy(.tmdb, retryAfterSeconds: 2)),
        ("error_400_page", 400, .badAnswer(.tmdb, reason: "status 400")),
        ("error_422_errors_array", 422, .badAnswer(.tmdb, reason: "status 422")),
        ("error_422_date_range", 422, .badAnswer(.tmdb, reason: "status 422")),
        ("error_validation_spam_code18", 400, .badAnswer(.tmdb, reason: "status 400")),
        ("error_404_code34", 404, nil), ("error_404_no_success_field", 404, nil),
    ])
    func errorsAreFailures(name: String, status: Int, failure: SourceFailure?) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(try self.sample(name), status: status))
            let movies = try AdapterFixture(upstream).tmdb().movies
            let id = try #require(MovieID("tmdb:550"))
            guard let failure else {
                #expect(try await movies.movie(id, language: self.english) == nil)
                return
            }
            await #expect(throws: failure) { _ = try await movies.movie(id, language: self.english) }
        }
    }
}
