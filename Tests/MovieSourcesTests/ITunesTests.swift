import MovieDomain
import MovieSources
import MovieTesting
import PosterTesting
import Testing

struct ITunesTests {
    private static let app = """
        {"wrapperType": "software", "kind": "software", "trackId": 361309726, "trackName": "Pages", "price": 0.0, \
        "formattedPrice": "무료", "currency": "KRW", "fileSizeBytes": "1234", "languageCodesISO2A": ["KO", "EN", "ZH", "ZH"], \
        "averageUserRating": 4.5, "userRatingCount": 12, "artworkUrl100": "https://a.test/100x100bb.jpg", \
        "screenshotUrls": [], "ipadScreenshotUrls": ["https://a.test/552x414bb.jpg", "no url", 7], "releaseNotes": " "}
        """

    private static func results(_ rows: [String]) -> OriginScript {
        .json("\n\n\n{\"resultCount\": \(rows.count), \"results\": [\(rows.joined(separator: ","))]}")
    }

    @Test func anAppWithItsPictures() async throws {
        let id = try #require(StoreAppID("itunes:361309726"))
        try await withAdapters { fixture in
            fixture.upstream.on(
                "GET", "/lookup", query: ["id": "361309726", "country": "KR"], Self.results([Self.app]))
            let app = try #require(try await ITunesAppStore(fixture.iTunes).app(id, language: .korean))
            #expect(app.name == "Pages" && app.formattedPrice.isEmpty && app.price == 0 && app.byteCount == 1234)
            #expect(app.languages.map(\.code) == ["ko", "en", "zh"] && app.averageRating == 4.5)
            #expect(app.icon?.location == .web(url: "https://a.test/1024x1024bb.jpg"))
            #expect(app.screenshots.map(\.location) == [.web(url: "https://a.test/2880x2880bb.jpg")])
            #expect(app.releaseNotes.isEmpty)
        }
    }

    @Test(
        "English and Japanese are asked for, otherwise the store's own language counts",
        arguments: [("en", "en_us"), ("ja", "ja_jp"), ("ko", nil), ("fr", nil)] as [(String, String?)])
    func languages(code: String, tag: String?) async throws {
        let language = LanguagePreference([try #require(Language(code))])
        let id = try #require(StoreAppID("itunes:361309726"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", Self.results([Self.app]))
            fixture.upstream.on("GET", "/search", Self.results([Self.app]))
            let store = ITunesAppStore(fixture.iTunes)
            _ = try await store.app(id, language: language)
            _ = try await store.search("a", offset: 0, limit: 5, language: language)
            _ = try await store.today(language: language)
            #expect(fixture.upstream.requests.count >= 3)
            #expect(fixture.upstream.requests.allSatisfy { $0.query["lang"] == tag })
        }
    }

    @Test func aFullPageOfASearchHasANextPage() async throws {
        try await withAdapters { fixture in
            let book = #"{"wrapperType": "audiobook", "collectionName": "x"}"#
            fixture.upstream.on("GET", "/search", query: ["offset": "2"], Self.results([Self.app]))
            fixture.upstream.on(
                "GET", "/search", query: ["limit": "2", "term": "글 쓰기"], Self.results([Self.app, book]))
            let store = ITunesAppStore(fixture.iTunes)
            let first = try await store.search("글 쓰기", offset: 0, limit: 2, language: .korean)
            #expect(first.apps.map(\.name) == ["Pages"] && first.hasMore, "two were found, though one is a book")
            let query = try #require(fixture.upstream.requests.first).query
            #expect(query["media"] == "software" && query["country"] == "KR" && query["offset"] == nil)
            fixture.upstream.on("GET", "/search", query: ["offset": "2"], Self.results([Self.app]))
            let answer = try await store.search("글 쓰기", offset: 2, limit: 2, language: .korean)
            #expect(answer.hasMore == false)
        }
    }

    @Test(
        "a store that is asked too often is busy, and nothing of it is kept",
        arguments: [
            OriginScript.answer(status: 403), .answer(status: 429), .answer(status: 200, body: Array("\n\n\n".utf8)),
            .answer(status: 200),
        ])
    func throttled(script: OriginScript) async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", inTurn: [script, Self.results([Self.app])])
            let store = ITunesAppStore(fixture.iTunes)
            await #expect(throws: SourceFailure.busy(.itunes, retryAfterSeconds: 60)) {
                try await store.search("a", offset: 0, limit: 5, language: .korean)
            }
            await #expect(throws: SourceFailure.busy(.itunes, retryAfterSeconds: 60), "it is left alone") {
                try await store.search("b", offset: 0, limit: 5, language: .korean)
            }
            #expect(fixture.upstream.requests.count == 1)
            fixture.time.advance(seconds: 60)
            let answer = try await store.search("a", offset: 0, limit: 5, language: .korean)
            #expect(answer.apps.count == 1)
        }
    }

    @Test func aCountWithoutResultsHasNoNextPage() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", .json(#"{"resultCount": 200, "results": []}"#))
            let found = try await ITunesAppStore(fixture.iTunes).search(
                "pages", offset: 0, limit: 2, language: .korean)
            #expect(found.apps.isEmpty && !found.hasMore)
        }
    }

    @Test func resultsWithoutAnythingAreRememberedForAMinute() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", inTurn: [Self.results([]), Self.results([Self.app])])
            let store = ITunesAppStore(fixture.iTunes)
            for _ in 0..<3 {
                let none = try await store.search("a", offset: 0, limit: 5, language: .korean)
                #expect(none.apps.isEmpty && !none.hasMore)
            }
            #expect(fixture.upstream.requests.count == 1)
            fixture.time.advance(seconds: 60)
            let answer = try await store.search("a", offset: 0, limit: 5, language: .korean)
            #expect(answer.apps.count == 1)
            #expect(fixture.upstream.requests.count == 2)
        }
    }

    @Test func resultsWithoutAnythingAreNotBelievedRatherThanWhatIsKept() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", inTurn: [Self.results([Self.app]), Self.results([])])
            let store = ITunesAppStore(fixture.iTunes)
            _ = try await store.search("a", offset: 0, limit: 5, language: .korean)
            fixture.time.advance(seconds: 2 * 86_400)
            for _ in 0..<2 {
                let answer = try await store.search("a", offset: 0, limit: 5, language: .korean)
                #expect(answer.apps.count == 1)
                try await fixture.upstream.requestsArrived(at: "/search", count: 2)
            }
            #expect(fixture.upstream.requests.count == 2)
        }
    }

    @Test func aSearchThatFindsNothingAsksForWhatMayHaveBeenMeant() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", Self.results([]))
            fixture.upstream.on("GET", "/search", query: ["term": "한글"], Self.results([Self.app]))
            let store = ITunesAppStore(fixture.iTunes)
            for _ in 0..<2 {
                let answer = try await store.search("gksrmf", offset: 0, limit: 5, language: .korean)
                #expect(answer.apps.map(\.name) == ["Pages"])
            }
            #expect(fixture.upstream.requests.map { $0.query["term"] } == ["gksrmf", "한글"], "each is stored")
            // The next page uses the same term as the first.
            fixture.upstream.on("GET", "/search", query: ["term": "한글", "offset": "5"], Self.results([]))
            _ = try await store.search("gksrmf", offset: 5, limit: 5, language: .korean)
            #expect(fixture.upstream.requests.last?.query["term"] == "한글")
            #expect(fixture.upstream.requests.last?.query["offset"] == "5")
            _ = try await store.search("pages", offset: 0, limit: 5, language: .korean)
            #expect(fixture.upstream.requests.last?.query["term"] == "pages", "there is nothing else to mean")
        }
    }

    @Test func theEndOfASearchIsNoReasonToAskForSomethingElse() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", query: ["term": "gksrmf"], Self.results([Self.app]))
            fixture.upstream.on("GET", "/search", query: ["term": "gksrmf", "offset": "5"], Self.results([]))
            let store = ITunesAppStore(fixture.iTunes)
            _ = try await store.search("gksrmf", offset: 0, limit: 5, language: .korean)
            let answer = try await store.search("gksrmf", offset: 5, limit: 5, language: .korean)
            #expect(answer.apps.isEmpty && !answer.hasMore)
            #expect(fixture.upstream.requests.map { $0.query["term"] } == ["gksrmf", "gksrmf"])
        }
    }

    @Test func aSearchThatFindsNothingIsNoErrorWhenItsRepetitionFails() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", Self.results([]))
            fixture.upstream.on("GET", "/search", query: ["term": "한글"], .status(500))
            let answer = try await ITunesAppStore(fixture.iTunes).search(
                "gksrmf", offset: 0, limit: 5, language: .korean)
            #expect(answer.apps.isEmpty && !answer.hasMore)
        }
    }

    @Test func todayIsTheSameAllDayAndShowsNoAppTwice() async throws {
        try await withAdapters { fixture in
            let others = (1...6).map { #"{"kind": "software", "trackId": \#($0), "trackName": "App \#($0)"}"# }
            fixture.upstream.on("GET", "/lookup", Self.results([Self.app]))
            fixture.upstream.on("GET", "/search", Self.results([Self.app] + others))
            let store = ITunesAppStore(fixture.iTunes, featured: [try #require(StoreAppID("itunes:361309726"))])
            let today = try await store.today(language: .korean)
            #expect(today.featured?.name == "Pages" && today.list.map(\.name) == (1...5).map { "App \($0)" })
            let again = try await store.today(language: .korean)
            #expect(again == today && fixture.upstream.requests.count == 2)
        }
    }

    @Test func todayDoesWithoutTheLargeApp() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", .html(status: 500))
            fixture.upstream.on("GET", "/search", Self.results([Self.app]))
            let today = try await ITunesAppStore(fixture.iTunes).today(language: .korean)
            #expect(today.featured?.name == "Pages" && today.list.isEmpty)
        }
    }

    private static func film(_ more: String, kind: String = "feature-movie") -> String {
        """
        {"wrapperType": "track", "kind": "\(kind)", "trackId": 5, "trackName": "True Grit", "artistName": \
        "Joel Coen & Ethan Coen", "trackTimeMillis": 8302127, "releaseDate": "2010-12-22T08:00:00Z"\(more)}
        """
    }

    @Test func oneAnswerHasTheGenresOfAllLanguages() async throws {
        let id = try #require(MovieID("itunes:5"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", Self.results([Self.film(#", "primaryGenreName": "Western""#)]))
            let movies = ITunesMovies(fixture.iTunes)
            let french = LanguagePreference([Language("fr")].compactMap { $0 })
            for (language, name) in [(french, "Western"), (.korean, "서부극"), (french, "Western")] {
                let genres = try await movies.movie(id, language: language)?.summary.genres
                #expect(genres == [Genre(id: .western, name: name)])
            }
            #expect(fixture.upstream.requests.count == 1)
        }
    }

    @Test func aFilmWithWhatItCosts() async throws {
        let id = try #require(MovieID("itunes:5"))
        try await withAdapters { fixture in
            let more = """
                , "trackPrice": 7.99, "trackHdPrice": -1, "trackRentalPrice": 3, "currency": "USD", \
                "artworkUrl30": "https://a.test/30x30bb.jpg", "contentAdvisoryRating": "PG-13", "primaryGenreName": "Western", \
                "longDescription": "Long.", "shortDescription": "Short."
                """
            fixture.upstream.on("GET", "/lookup", query: ["id": "5", "lang": "en_us"], Self.results([Self.film(more)]))
            let movies = ITunesMovies(fixture.iTunes, country: try #require(ITunesCountry("us")))
            let movie = try #require(try await movies.movie(id, language: .english))
            #expect(
                movie.summary.title == "True Grit" && movie.summary.overview == "Long." && movie.runtimeMinutes == 138)
            #expect(
                movie.directors == ["Joel Coen", "Ethan Coen"]
                    && movie.certificate == Certificate("PG-13", in: .unitedStates))
            #expect(
                movie.summary.releaseDate?.description == "2010-12-22"
                    && movie.summary.genres == [Genre(id: .western, name: "Western")])
            #expect(movie.summary.poster?.location == .web(url: "https://a.test/3000x3000bb.jpg"))
            #expect(movie.information.map(\.name) == [.price, .rentalPrice], "-1 is no price")
            #expect(movie.information.first?.value == "7.99 USD")
        }
    }

    @Test(
        "a preview is a trailer, when it is Apple's",
        arguments: [
            ("https://video-ssl.itunes.apple.com/a/b.m4v", true), ("http://video-ssl.itunes.apple.com/a/b.m4v", false),
            ("https://apple.com.evil.test/a.m4v", false), ("https://evil.test/.apple.com", false),
            ("https://evil.test@video.apple.com/a.m4v", false), ("https://video.apple.com:8080/a.m4v", false),
            ("https://evilapple.com/a.m4v", false), ("javascript:x", false),
        ])
    func previews(url: String, isVideo: Bool) async throws {
        let id = try #require(MovieID("itunes:5"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", Self.results([Self.film(#", "previewUrl": "\#(url)""#)]))
            let videos = try #require(try await ITunesMovies(fixture.iTunes).videos(of: id, language: .korean))
            let trailer = Video(
                id: "5", kind: .trailer, site: .itunes, key: "5", name: "True Grit", isOfficial: true, url: url)
            #expect(videos == (isVideo ? [trailer].compactMap { $0 } : []))
        }
    }

    @Test func whatIsNoFilmIsNotThere() async throws {
        let id = try #require(MovieID("itunes:5"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", Self.results([Self.film("", kind: "song"), Self.app]))
            let answer = try await ITunesMovies(fixture.iTunes).movie(id, language: .korean)
            #expect(answer == nil)
            #expect(fixture.upstream.requests.first?.query["lang"] == nil)
        }
    }

    @Test func countriesAreTwoLetters() {
        #expect(ITunesCountry("kr") == .korea && ITunesCountry("US")?.description == "US")
        #expect(ITunesCountry("") == nil && ITunesCountry("KOR") == nil && ITunesCountry("k&") == nil)
    }
}
