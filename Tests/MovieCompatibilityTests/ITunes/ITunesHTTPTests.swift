import Foundation
import HTTPTesting
import MovieCompatibility
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct ITunesHTTPTests {
    private static let search = "/compat/itunes/search"
    private static let lookup = "/compat/itunes/lookup"

    /// The rows of a response. The response begins with empty lines.
    private static func rows(_ answer: HTTPConnection.Answer) throws -> [[String: Any]] {
        let object = JSON.object(answer.body)
        let rows = try #require(object["results"] as? [[String: Any]])
        #expect(object["resultCount"] as? Int == rows.count)
        return rows
    }

    @Test func appsOfTheEmbeddedStoreAreFoundAndLookedUpByTheirNumbers() async throws {
        let fixture = try MovieServicesFixture()
        let id = try #require(fixture.services.store.ids.first)
        let app = try #require(
            try await fixture.services.store.app(id, language: LanguagePreference([.english])))
        let term = try #require(app.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        try await fixture.run(.compatible()) { server in
            let answer = try await server.get("\(Self.search)?term=\(term)&media=software&limit=5")
            #expect(answer.status == 200 && answer.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(answer.text.hasPrefix("\n\n\n{"))
            let row = try #require(try Self.rows(answer).first { $0["trackName"] as? String == app.name })
            #expect(row["wrapperType"] as? String == "software" && row["kind"] as? String == "software")
            #expect(row["sellerName"] as? String == app.seller && row["artistName"] as? String == app.developer)
            #expect(row["fileSizeBytes"] as? String == app.byteCount.map { String($0) })
            #expect(row["primaryGenreName"] as? String == app.category && row["version"] as? String == app.version)
            #expect((row["screenshotUrls"] as? [String])?.count == app.screenshots.count)
            for name in ["artworkUrl60", "artworkUrl100", "artworkUrl512"] {
                #expect((row[name] as? String)?.hasPrefix("http://localhost/compat/itunes/image/") == true)
            }
            let number = try #require(row["trackId"] as? Int)
            let bundle = try #require(row["bundleId"] as? String)
            for query in ["id=\(number)", "id=1,\(number)&country=kr", "bundleId=\(bundle)"] {
                let found = try Self.rows(try await server.get("\(Self.lookup)?\(query)"))
                #expect(found.compactMap { $0["trackId"] as? Int } == [number], "\(query)")
            }
            #expect(try Self.rows(try await server.get("\(Self.lookup)?id=12")).isEmpty)
        }
    }

    @Test func filmsAreFoundWithPostersOfThisServer() async throws {
        let fixture = try MovieServicesFixture()
        let film = try #require(
            MovieSummary(
                id: MovieServicesFixture.film, title: "Heat", releaseDate: CalendarDate("1995-12-15"),
                directors: ["Michael Mann"], poster: PosterReference(.packaged(file: "a.jpg", version: "1"))))
        fixture.catalogue.set([film], for: .search(try #require(MovieQuery("heat"))))
        fixture.catalogue.set([film], for: .list(.popular))
        try await fixture.run(.compatible()) { server in
            let row = try #require(
                try Self.rows(try await server.get("\(Self.search)?term=heat&media=movie")).first)
            #expect(row["kind"] as? String == "feature-movie" && row["artistName"] as? String == "Michael Mann")
            #expect(row["releaseDate"] as? String == "1995-12-15T00:00:00Z")
            #expect((row["artworkUrl100"] as? String)?.hasSuffix("/image/sample%3Aheat-1995/100x100bb.jpg") == true)
            let number = try #require(row["trackId"] as? Int)
            let found = try Self.rows(try await server.get("\(Self.lookup)?id=\(number)"))
            #expect(found.first?["trackName"] as? String == "Heat")
            #expect(try Self.rows(try await server.get("\(Self.search)?term=heat&media=music")).isEmpty)
        }
    }

    @Test func anOffsetCountsFilmsAndTheAppsBehindThem() async throws {
        let fixture = try MovieServicesFixture()
        let id = try #require(fixture.services.store.ids.first)
        let app = try #require(
            try await fixture.services.store.app(id, language: LanguagePreference([.english])))
        let films = try (1...150).map { number in
            let id = try #require(MovieID("film-\(number)"))
            return try #require(MovieSummary(id: id, title: "Film \(number)"))
        }
        fixture.catalogue.set(films, for: .search(try #require(MovieQuery(app.name))))
        let term = try #require(app.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        try await fixture.run(.compatible()) { server in
            let names = { (range: String) in
                try Self.rows(try await server.get("\(Self.search)?term=\(term)&\(range)"))
                    .compactMap { $0["trackName"] as? String }
            }
            let all = try await names("limit=200")
            #expect(all.prefix(150) == films.map(\.title)[...] && all.count > 150)
            for (offset, limit) in [(0, 120), (90, 100), (149, 2), (150, 5), (5000, 5)] {
                let range = try await names("offset=\(offset)&limit=\(limit)")
                #expect(range == Array(all.dropFirst(offset).prefix(limit)), "\(offset)")
            }
        }
    }

    @Test func limitsOfTheStoreAreKept() async throws {
        let documents = ScriptedDocuments()
        let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(iTunes: documents))
        try await MovieServicesFixture().run(settings) { server in
            _ = try await server.get("\(Self.search)?term=a&limit=9999")
            let query = documents.requests.first?.query ?? []
            #expect(query.first { $0.name == "limit" }?.value == "200")
        }
    }

    @Test func anArtworksURLLeadsToThePictureInTheSizeThatAClientPutsIntoIt() async throws {
        try await MovieServicesFixture().run(.compatible()) { server in
            for (path, location) in [
                ("sample%3Aheat-1995/100x100bb.jpg", "/poster/heat-1995?w=100"),
                ("sample%3Aheat-1995/600x600bb.png", "/poster/heat-1995?w=600"),
                ("itunes:361309726/512x512.jpg", "/poster/itunes:361309726?w=512"),
                ("itunes%3A361309726~2/392x696bb.jpg", "/poster/itunes:361309726~2?w=392"),
                ("itunes:x/60x60bb.jpg", nil), ("itunes:1~0/60x60bb.jpg", nil), ("itunes:1/1x1bb.jpg", nil),
                ("itunes:1/bb.jpg", nil),
            ] as [(String, String?)] {
                let answer = try await server.get("/compat/itunes/image/\(path)")
                #expect(answer.status == (location == nil ? 404 : 307), "\(path): \(answer.text)")
                #expect(answer.headers["location"]?.replacing("%3A", with: ":") == location)
            }
        }
    }

    @Test func aCallbackIsCalled() async throws {
        try await MovieServicesFixture().run(.compatible()) { server in
            let answer = try await server.get("\(Self.search)?term=&callback=app.found_1")
            #expect(answer.text == "\n\n\napp.found_1({\"resultCount\":0,\"results\":[]});")
        }
    }

    @Test func invalidParametersAreNamed() async throws {
        try await MovieServicesFixture().run(.compatible()) { server in
            for (query, name) in [
                ("term=a&limit=x", "limit"), ("term=a&offset=-1", "offset"), ("term=a&country=korea", "country"),
                ("term=a&callback=a(b)", "callback"), ("term=a&callback=1a", "callback"),
                ("term=a&callback=%3Cscript%3E", "callback"),
            ] {
                let answer = try await server.get("\(Self.search)?\(query)")
                #expect(answer.status == 400)
                let message = JSON.object(answer.body)["errorMessage"] as? String
                #expect(message == "Invalid value(s) for key(s): [\(name)]", "\(query)")
            }
        }
    }

    @Test func aBusyStoreIsForbiddenAsApplesIs() async throws {
        let documents = ScriptedDocuments()
        documents.fail("/search", with: .busy(.itunes, retryAfterSeconds: 60))
        let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(iTunes: documents))
        try await MovieServicesFixture().run(settings) { server in
            let answer = try await server.get("\(Self.search)?term=a")
            #expect(answer.status == 403 && answer.headers["retry-after"] == "60")
        }
    }
}

/// Recorded responses of iTunes, requested in its format.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct ITunesSampleTests {
    @Test(
        "responses are the store's own, but for pictures",
        arguments: [
            ("search_software_50", "search?term=a&media=software"), ("search_software_bbedit", "search?term=bbedit"),
            ("search_software_tweetbot", "search?term=tweetbot"), ("search_empty", "search?term=nonexistent"),
            ("search_movie_star_wars", "search?term=star+wars&media=movie"),
            ("lookup_software_things", "lookup?id=904280696"),
        ])
    func areTheStoresOwn(file: String, target: String) async throws {
        let documents = ScriptedDocuments()
        documents.set(try Samples.bytes("itunes/\(file).json"), for: "/" + target.prefix { $0 != "?" })
        let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(iTunes: documents))
        try await MovieServicesFixture().run(settings) { server in
            let answer = try await server.get("/compat/itunes/\(target)")
            let found = JSON.object(answer.body)["results"] as? [[String: Any]] ?? []
            let expected = try Samples.json("itunes/\(file).json")["results"] as? [[String: Any]] ?? []
            #expect(found.count == expected.count && answer.status == 200)
            for (row, sample) in zip(found, expected) {
                #expect(Set(row.keys) == Set(sample.keys))
                for (name, value) in sample {
                    let (own, theirs) = (row[name] as? NSObject, value as? NSObject)
                    let isPicture = name.hasPrefix("artworkUrl") && row["trackId"] != nil
                    if isPicture {
                        let start = "http://localhost/compat/itunes/image/itunes%3A"
                        #expect((row[name] as? String)?.hasPrefix(start) == true, "\(name)")
                    } else if name.hasSuffix("creenshotUrls") {
                        #expect((row[name] as? [String])?.count == (value as? [String])?.count)
                    } else {
                        #expect(own == theirs, "\(name)")
                    }
                }
                let screenshots = row["screenshotUrls"] as? [String] ?? []
                #expect(screenshots.allSatisfy { $0.hasPrefix("http://localhost/compat/itunes/image/itunes%3A") })
            }
        }
    }
}
