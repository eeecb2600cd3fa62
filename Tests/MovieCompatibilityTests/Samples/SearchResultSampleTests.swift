import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Recorded results of Naver's search: their films are found in the catalogue, and the results are generated again.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct SearchResultSampleTests {
    private static let references = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ]

    /// Decodes character references and removes the marks of matches.
    private static func plain(_ text: String) -> String {
        let text = text.replacing("<b>", with: "").replacing("</b>", with: "")
        return Self.references.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// The film of an item; it has a poster if the item has a picture.
    private static func film(_ number: Int, _ item: OrderedJSON) throws -> MovieSummary {
        let text = { (name: String) in item[name]?.string ?? "" }
        let names = { (name: String) in text(name).split(separator: "|").map { Self.plain(String($0)) } }
        let rating = Double(text("userRating")) ?? 0
        let poster = PosterReference(.packaged(file: "a.jpg", version: "1"))
        let id = try #require(MovieID("film-\(number)"))
        return try #require(
            MovieSummary(
                id: id, title: Self.plain(text("title")),
                originalTitle: Self.plain(text("subtitle")), year: Int(text("pubDate")), directors: names("director"),
                cast: names("actor"), score: rating > 0 ? AudienceScore(average: rating, count: 9) : nil,
                poster: text("image").isEmpty ? nil : poster))
    }

    @Test("what the apps read of results is there", arguments: RecordedResponse.ofNaver)
    func results(_ recorded: RecordedResponse) async throws {
        let sample = try recorded.json
        let items = sample["items"]?.elements ?? []
        let query = try #require(items.first?["title"]?.string?.split(separator: "<b>").last?.prefix { $0 != "<" })
        var fixture = try MovieServicesFixture()
        let films = try items.enumerated().map { try Self.film($0.offset + 1, $0.element) }
        fixture.catalogue.set(films, for: .search(try #require(MovieQuery(String(query)))))
        fixture.services.isPosterless = { _ in true }
        let paths = AppField.all(of: recorded.kind).filter { $0.difference == nil && $0.path != "start" }.map(\.path)
        try await fixture.run(.compatible()) { server in
            let answer = try await server.get(recorded.localTarget)
            let found = try OrderedJSON(parsing: answer.body)
            #expect(Self.plainItems(of: found).differences(from: Self.plainItems(of: sample), at: paths) == [])
            #expect(Self.marks(found) == Self.marks(sample))
            #expect(found["start"] == 1 && found["display"]?.integer == items.count)
            #expect(found["total"]?.integer == items.count && found["lastBuildDate"]?.string?.isEmpty == false)
            for (own, item) in zip(found["items"]?.elements ?? [], items) {
                #expect(own["image"]?.string?.isEmpty == item["image"]?.string?.isEmpty)
                #expect(own["link"]?.string?.hasPrefix("http://localhost/films/") == true)
            }
        }
    }

    /// The items without character references: Naver escapes some characters twice, and others not at all.
    private static func plainItems(of document: OrderedJSON) -> OrderedJSON {
        document.replacing("items") { items in
            .array(
                items.elements.map { item in
                    item.mapMembers { member in .string(Self.plain(member.value.string ?? "")) }
                })
        }
    }

    /// The marked parts of each title.
    private static func marks(_ document: OrderedJSON) -> [[String]] {
        document.values(at: "items/*/title").map { title in
            let parts = (title?.string ?? "").split(separator: "<b>", omittingEmptySubsequences: false)
            return parts.dropFirst().map { part in String(part.prefix { $0 != "<" }) }
        }
    }
}
