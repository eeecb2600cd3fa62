import Foundation
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieTesting
import Testing

@testable import MovieWeb

/// The pages' data for search engines.
struct StructuredDataTests {
    private static func film(
        source: MovieSource = .tmdb, title: String = "히트", hasAll: Bool = true
    ) throws -> Movie {
        let id = try #require(MovieID(source == .tmdb ? "tmdb:949" : "heat-1995"))
        let genre = Genre(id: .crime, name: "Crime")
        let summary = try #require(
            MovieSummary(
                id: id, title: title, originalTitle: hasAll ? "Heat" : "", originalLanguage: hasAll ? .english : nil,
                overview: hasAll ? "Two men." : "", releaseDate: hasAll ? CalendarDate("1995-12-15") : nil,
                genres: hasAll ? [genre] : [], score: hasAll ? AudienceScore(average: 8.26, count: 12_345) : nil))
        let cast = (1...7).map { Credits.CastMember(name: "Actor \($0)", role: "") }
        let crew = [Credits.CrewMember.director("Michael Mann")]
        return Movie(
            summary: summary, runtimeMinutes: hasAll ? 170 : nil,
            credits: Credits(cast: hasAll ? cast : [], crew: hasAll ? crew : []))
    }

    /// The decoded objects of a page, by type.
    private static func data(_ page: MovieWeb.Page) throws -> [String: [String: Any]] {
        let markup = try #require(page.structured?.markup.description)
        let start = "<script type=\"application/ld+json\">"
        #expect(markup.hasPrefix(start) && markup.hasSuffix("</script>"))
        let json = String(markup.dropFirst(start.count).dropLast("</script>".count))
        #expect(!json.utf8.contains(UInt8(ascii: "<")))
        let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(document?["@context"] as? String == "https://schema.org")
        let graph = try #require(document?["@graph"] as? [[String: Any]])
        return Dictionary(graph.map { ($0["@type"] as? String ?? "", $0) }) { first, _ in first }
    }

    private static func page(_ movie: Movie, source: MovieSource = .tmdb) async throws -> MovieWeb.Page {
        let fixture = try PageFixture(source: source)
        fixture.movies.add(movie)
        return try await FilmPage.page(try fixture.request("/films/\(movie.id)?language=en"))
    }

    private static func steps(_ data: [String: [String: Any]]) -> [String] {
        (data["BreadcrumbList"]?["itemListElement"] as? [[String: Any]] ?? []).map { step in
            let parts = [step["position"], step["name"], step["item"]].compactMap { $0.map { "\($0)" } }
            return parts.joined(separator: " ")
        }
    }

    @Test func aFilmIsDescribed() async throws {
        let data = try Self.data(try await Self.page(try Self.film()))
        let film = try #require(data["Movie"])
        let expected = [
            "name": "히트", "alternateName": "Heat", "description": "Two men.", "datePublished": "1995-12-15",
            "duration": "PT170M", "inLanguage": "en", "url": "/films/tmdb:949?language=en",
            "image": "/picture/tmdb/949?w=780",
        ]
        for (name, value) in expected { #expect(film[name] as? String == value, "\(name)") }
        #expect(film["genre"] as? [String] == ["Crime"])
        let directors = try #require(film["director"] as? [[String: String]])
        #expect(directors == [["@type": "Person", "name": "Michael Mann"]])
        #expect((film["actor"] as? [[String: String]])?.map { $0["name"] } == (1...5).map { "Actor \($0)" })
        let score = try #require(film["aggregateRating"] as? [String: Any])
        #expect(score["ratingValue"] as? String == "8.3" && score["ratingCount"] as? Int == 12_345)
        #expect(Self.steps(data) == ["1 OneSheet /?language=en", "2 히트"])
    }

    @Test func unknownFactsAreLeftOut() async throws {
        let film = try #require(try Self.data(try await Self.page(try Self.film(hasAll: false)))["Movie"])
        #expect(Set(film.keys) == ["@type", "name", "url", "image"])
    }

    @Test func inventedScoresAreNoRatings() async throws {
        let film = try Self.film(source: .embedded)
        let data = try Self.data(try await Self.page(film, source: .embedded))
        #expect(data["Movie"]?["name"] != nil && data["Movie"]?["aggregateRating"] == nil)
    }

    @Test(
        "texts cannot end the data block",
        arguments: [
            "</script><script>alert(1)</script>", "<\u{301}/script>", "<!--<script>", "\u{2028}\u{2029}\"\\",
            "]]>&amp;{{t.skip}}",
        ])
    func hostile(title: String) async throws {
        let page = try await Self.page(try Self.film(title: title))
        #expect(try Self.data(page)["Movie"]?["name"] as? String == title)
        let markup = try #require(page.structured?.markup.description)
        #expect(!markup.unicodeScalars.contains("\u{2028}") && !markup.unicodeScalars.contains("\u{2029}"))
        #expect(markup.ranges(of: "<").count == 2)
    }

    @Test func partsOfAFilmAreBelowIt() async throws {
        let fixture = try PageFixture(source: .tmdb)
        fixture.movies.add(try Self.film())
        let target = "/films/tmdb:949"
        for (page, heading) in [
            (try await CreditsPage.page(try fixture.request(target + "/credits?language=en")), "Cast and crew of 히트"),
            (try await ReviewsPage.page(try fixture.request(target + "/reviews?language=en")), "Reviews of 히트"),
            (try await GalleryPage.page(try fixture.request(target + "/pictures?language=en")), "Pictures of 히트"),
            (try await SimilarPage.similar.page(try fixture.request(target + "/similar?language=en")), "Films like 히트"),
        ] {
            let data = try Self.data(page)
            #expect(
                Self.steps(data) == [
                    "1 OneSheet /?language=en", "2 히트 /films/tmdb:949?language=en", "3 \(heading)",
                ])
            #expect(data["Movie"] == nil)
        }
    }

    @Test func withAPublicURLAddressesAreAbsolute() async throws {
        var fixture = try WebFixture()
        fixture.publicURL = PublicURL("https://films.test/site")
        let page = try await fixture.ask(.get, "/films/heat-1995")
        #expect(page.text.contains("\"url\":\"https://films.test/site/films/heat-1995\""))
        #expect(page.text.contains("\"item\":\"https://films.test/site/\""))
        #expect(page.text.contains("\"image\":\"https://films.test/site/poster/sample:heat-1995?w=240\""))
        let list = try await fixture.ask(.get, "/lists/popular?language=en")
        #expect(list.text.contains("\"name\":\"Popular\",\"position\":2"))
        let part = try await fixture.ask(.get, "/lists/popular?part=1")
        #expect(!part.text.contains("ld+json"))
    }
}
