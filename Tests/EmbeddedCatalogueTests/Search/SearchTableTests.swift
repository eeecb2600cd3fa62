import EmbeddedCatalogue
import FoundationEssentials
import MovieDomain
import Testing

struct SearchTableTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let query: String
        let expected: [String]
        let why: String

        var testDescription: String { "\(self.query): \(self.why)" }
    }

    static let lines: [Line] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "queries.tsv")
        guard let data = try? Data(contentsOf: file) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            let columns = $0.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            return Line(
                query: columns[0], expected: columns[1].split(separator: ",").map { String($0) }, why: columns[2])
        }
    }()

    @Test func isOfSixtyQueriesAndMore() {
        #expect(Self.lines.count >= 60)
        #expect(Self.lines.filter(\.expected.isEmpty).count >= 6)
    }

    @Test func findsWhatIsMeantAmongTheFirstThree() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        for line in Self.lines {
            let query = try #require(MovieQuery(line.query))
            let page = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
            let first = page.results.prefix(max(1, line.expected.count)).map(\.id.key)
            if line.expected.isEmpty {
                #expect(first.isEmpty, "\(line.testDescription)")
            } else {
                #expect(Set(line.expected) == Set(first), "\(line.testDescription)")
            }
        }
    }
}
