import FoundationEssentials
import MovieDomain
import MovieSources
import PosterTesting
import Testing

/// Recorded responses of the iTunes Search API, over HTTP.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"))
struct ITunesSampleTests {
    /// A row in the recorded files.
    private struct Row: Decodable {
        let trackId: Int
        let trackName, primaryGenreName, currency, fileSizeBytes, description, version, sellerName, artistName: String
        let minimumOsVersion, contentAdvisoryRating, artworkUrl512, currentVersionReleaseDate, trackViewUrl: String
        let price: Double
        let formattedPrice: String
        let releaseNotes: String?
        let averageUserRating: Double?
        let userRatingCount: Int?
        let screenshotUrls, languageCodesISO2A: [String]
    }

    private struct Answer: Decodable {
        let results: [Row]
    }

    @Test(
        "every app of a recorded search is there with all that is shown of it",
        arguments: [
            ("search_software_50", 50), ("search_software_bbedit", 1), ("search_software_tweetbot", 7),
            ("lookup_software_things", 1),
        ])
    func apps(file: String, count: Int) async throws {
        let bytes = try Samples.bytes("itunes/\(file).json")
        let rows = try JSONDecoder().decode(Answer.self, from: Data(bytes)).results
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", .json(bytes))
            let found = try await ITunesAppStore(fixture.iTunes).search("term", offset: 0, limit: 50, language: .korean)
            #expect(found.apps.count == count && rows.count == count && found.hasMore == (count == 50))
            for (app, row) in zip(found.apps, rows) {
                #expect(app.id.description == "itunes:\(row.trackId)" && app.name == row.trackName)
                #expect(app.icon?.location == .web(url: row.artworkUrl512.replacing("512x512", with: "1024x1024")))
                #expect(app.category == row.primaryGenreName && app.price == row.price && app.currency == row.currency)
                #expect(app.formattedPrice == (row.price == 0 ? "" : row.formattedPrice))
                #expect(app.byteCount == Int64(row.fileSizeBytes) && app.version == row.version)
                #expect(app.seller == row.sellerName && app.developer == row.artistName)
                #expect(app.description == row.description && app.releaseNotes == row.releaseNotes ?? "")
                #expect(app.minimumOSVersion == row.minimumOsVersion && app.contentRating == row.contentAdvisoryRating)
                #expect(app.ratingCount == row.userRatingCount ?? 0 && app.url == row.trackViewUrl)
                #expect(app.averageRating == ((row.userRatingCount ?? 0) > 0 ? row.averageUserRating : nil))
                #expect(Set(app.languages.map(\.code)) == Set(row.languageCodesISO2A.map { $0.lowercased() }))
                #expect(app.releaseDate?.description == String(row.currentVersionReleaseDate.prefix(10)))
                if !row.screenshotUrls.isEmpty { #expect(app.screenshots.count == row.screenshotUrls.count) }
            }
        }
    }

    @Test func anAppByItsId() async throws {
        let id = try #require(StoreAppID("itunes:904280696"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", .json(try Samples.bytes("itunes/lookup_software_things.json")))
            let app = try #require(try await ITunesAppStore(fixture.iTunes).app(id, language: .korean))
            #expect(app.name == "Things 3" && app.formattedPrice == "$49.99" && app.averageRating == 4.5)
            #expect(app.ratingCount == 1412 && app.languages.count == 8 && app.screenshots.count == 6)
            #expect(app.minimumOSVersion == "10.11.0" && app.releaseDate?.description == "2018-12-12")
        }
    }

    @Test func nothingFound() async throws {
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/search", .json(try Samples.bytes("itunes/search_empty.json")))
            let answer = try await ITunesAppStore(fixture.iTunes).search("a", offset: 0, limit: 10, language: .korean)
            #expect(answer.apps.isEmpty)
        }
    }

    @Test(
        "films among books",
        arguments: [
            ("1063466898", "Star Wars: The Force Awakens", 138, "PG-13", "2015-12-18", "J.J. Abrams"),
            ("978943481", "Star Wars: A New Hope", 125, "PG", "1977-05-25", "George Lucas"),
        ])
    func films(
        key: String, title: String, minutes: Int, certificate: String, date: String, director: String
    ) async throws {
        let id = try #require(MovieID(source: .itunes, key: key))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", .json(try Samples.bytes("itunes/search_movie_star_wars.json")))
            fixture.upstream.on("GET", "/search", .json(try Samples.bytes("itunes/search_movie_star_wars.json")))
            let movie = try #require(try await ITunesMovies(fixture.iTunes).movie(id, language: .korean))
            #expect(
                movie.summary.title == title && movie.runtimeMinutes == minutes
                    && movie.certificate?.rating == certificate)
            #expect(movie.summary.releaseDate?.description == date && movie.directors == [director])
            #expect(movie.summary.genres.map(\.id) == [.action, .adventure] && movie.summary.overview.count > 100)
            guard case .web(let url) = movie.summary.poster?.location else {
                Issue.record("no poster")
                return
            }
            #expect(url.hasPrefix("https://is") && url.hasSuffix("/3000x3000bb.jpg"))
            #expect(movie.information.contains(.init(name: .price, value: "7.99 USD")))
            #expect(movie.videos.map(\.key) == [key])
            let answer = try await ITunesAppStore(fixture.iTunes).search(
                "star wars", offset: 0, limit: 10, language: .korean)
            #expect(answer.apps.isEmpty)
        }
    }
}
