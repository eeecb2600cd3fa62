import EmbeddedCatalogue
import MovieDomain
import Testing

struct HostileSearchTests {
    private static let hostile: [String] = [
        "\"", "'", "*", "-", "^", ":", "(", ")", "\\", "%", "_", "NEAR", "NEAR(a b, 2)", "AND", "OR NOT", "NOT",
        "grams:a", "a*", "\"metropolis", "metro\"polis", "'; DROP TABLE film; --", "{a b}: c", "+ +", "\u{0}",
        "a\u{0}b", "\u{FFFD}\u{FFFD}", "\u{FEFF}", "\u{202E}abc", "\u{200B}", "ㅏ", "ㄳ", "ᆫ", "ﷺ", "½", "①", "İ", "ﬀ",
        "👨‍👩‍👧‍👦", "🇰🇷", "한\u{11A8}\u{11A8}\u{11A8}", "\u{1100}\u{1100}\u{1161}",
    ]

    @Test func neverFailWhateverIsAskedFor() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        for text in Self.hostile {
            guard let query = MovieQuery(text) else { continue }
            let page = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
            #expect(page.results.count <= 20, "\(text.debugDescription)")
            let year = try #require(MovieQuery(text, year: Int.max))
            #expect(try await catalogue.search(year, page: 1, language: LanguagePreference([.korean])).results.isEmpty)
        }
    }

    @Test func wordsOfTheIndexLanguageAreWords() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        for text in ["AND", "NOT", "metropolis NOT m", "\"metropolis\" OR 하녀"] {
            let query = try #require(MovieQuery(text))
            let page = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
            #expect(!page.results.contains { $0.id.key == "metropolis-1927" }, "\(text)")
        }
    }

    @Test func longQueriesAreTruncated() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        let marks = "m" + String(repeating: "\u{0301}", count: 200_000)
        for text in [
            String(repeating: "가", count: 200), String(repeating: "a ", count: 99) + "a",
            String(repeating: "하녀", count: 100), String(repeating: "ﷺ", count: 200), marks,
            String(repeating: "🦍", count: 200), (0..<66).map { "\($0 % 10)" }.joined(separator: ". "),
        ] {
            let query = try #require(MovieQuery(text))
            let page = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
            #expect(page.results.count <= 20)
        }
    }

    @Test func aFloodOfMarksIsOneLetter() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        let query = try #require(MovieQuery("m" + String(repeating: "\u{0301}", count: 100)))
        let page = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
        #expect(page.results.first?.id.key == "m-1931")
    }

    @Test func pagesAfterTheLastAreEmptyAndHaveTheSameTotals() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        let query = try #require(MovieQuery("a"))
        let first = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
        let last = try await catalogue.search(query, page: first.totalPages, language: LanguagePreference([.korean]))
        let behind = try await catalogue.search(
            query, page: first.totalPages + 1, language: LanguagePreference([.korean]))
        let far = try await catalogue.search(query, page: Int.max, language: LanguagePreference([.korean]))
        #expect(first.totalPages > 1 && first.results.count == 20)
        #expect(last.results.count == first.totalResults - 20 * (first.totalPages - 1))
        #expect(behind.results.isEmpty && behind.totalResults == first.totalResults)
        #expect(far.results.isEmpty && far.totalResults == first.totalResults)
    }

    @Test func aYearNarrowsWhatIsFound() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        let both = try #require(MovieQuery("fritz lang"))
        let one = try #require(MovieQuery("fritz lang", year: 1931))
        let none = try #require(MovieQuery("fritz lang", year: 1932))
        let language = LanguagePreference([.english])
        #expect(try await catalogue.search(both, page: 1, language: language).totalResults == 2)
        #expect(try await catalogue.search(one, page: 1, language: language).results.map(\.title) == ["M"])
        #expect(try await catalogue.search(none, page: 1, language: language).totalResults == 0)
    }

    @Test func aShortQueryFindsTheSameAgainAndIsNarrowedByItsYear() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        let (query, ofYear) = (try #require(MovieQuery("m")), try #require(MovieQuery("m", year: 1931)))
        let all = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
        let again = try await catalogue.search(query, page: 1, language: LanguagePreference([.korean]))
        let narrowed = try await catalogue.search(ofYear, page: 1, language: LanguagePreference([.korean]))
        #expect(again.results.map(\.id) == all.results.map(\.id) && all.totalResults > narrowed.totalResults)
        #expect(!narrowed.results.isEmpty && narrowed.results.allSatisfy { $0.releaseDate?.year == 1931 })
    }
}
