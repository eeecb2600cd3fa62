import EmbeddedCatalogue
import FoundationEssentials
import MovieDomain
import Testing

struct MisspellingTests {
    private struct Line {
        let kind: String
        let query: String
        let film: String
    }

    private static func lines() throws -> [Line] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "misspellings.tsv")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            let columns = $0.split(separator: "\t").map { String($0) }
            return Line(kind: columns[0], query: columns[1], film: columns[2])
        }
    }

    private static func first(_ count: Int, _ text: String, _ catalogue: EmbeddedMovieCatalogue) async throws
        -> [String]
    {
        let query = try #require(MovieQuery(text))
        let page = try await catalogue.search(query, page: 1, language: LanguagePreference())
        return page.results.prefix(count).map(\.id.key)
    }

    @Test func theFilmIsAmongTheFirstThree() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        let lines = try Self.lines()
        #expect(lines.count >= 150)
        var missed: [String] = []
        for line in lines where try await !Self.first(3, line.query, catalogue).contains(line.film) {
            missed.append("\(line.kind): \(line.query)")
        }
        #expect(missed.count * 100 <= lines.count * 8, "\(missed)")
    }

    @Test func everyTitleFindsItsFilmFirst() async throws {
        let fixture = try EmbeddedFixture()
        for language in [Language.english, .korean, try #require(Language("ja"))] {
            let preference = LanguagePreference([language])
            var page = 1
            while true {
                let list = try await fixture.catalogue.list(.popular, page: page, language: preference)
                guard !list.results.isEmpty else { break }
                for film in list.results {
                    #expect(try await Self.first(1, film.title, fixture.catalogue) == [film.id.key], "\(film.title)")
                }
                page += 1
            }
        }
    }

    @Test(arguments: ["metropolis", "casablanca", "vertigo", "하녀", "ゴジラ"])
    func whatIsWrittenRightIsNotMixedWithCorrections(title: String) async throws {
        let catalogue = try EmbeddedFixture().catalogue
        #expect(try await Self.first(20, title, catalogue).count == 1)
    }

    @Test(arguments: ["matrix", "살인의추억", "inception", "qwrtpsd", "xyzzy plugh", "ㅂㅈㄷㄱㅂㅈㄷ"])
    func whatResemblesNothingFindsNothing(query: String) async throws {
        let catalogue = try EmbeddedFixture().catalogue
        #expect(try await Self.first(20, query, catalogue).isEmpty)
    }
}
