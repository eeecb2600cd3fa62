import MovieDomain
import MovieTesting
import Testing

struct SearchMoviesByOffsetTests {
    private func movies(_ count: Int) throws -> [MovieSummary] {
        try (1...count).map { number in
            let id = try #require(MovieID("m-\(number)"))
            return try #require(MovieSummary(id: id, title: "m", year: 1900 + number))
        }
    }

    private func numbers(_ results: SearchMoviesByOffset.Results) -> [String] {
        results.movies.map { String($0.id.key.dropFirst(2)) }
    }

    /// The results are independent of the page size.
    @Test(arguments: [1, 3, 7, 20, 45, 100])
    func everyPlaceIsReachedOverPagesOfAnySize(pageSize: Int) async throws {
        let catalogue = ScriptedCatalogue(pageSize: pageSize)
        catalogue.set(try self.movies(45), for: .search(try #require(MovieQuery("m"))))
        let search = SearchMoviesByOffset(catalogue: catalogue)
        for (start, display) in [(1, 10), (1, 45), (1, 100), (8, 1), (20, 21), (41, 10), (45, 3), (46, 10), (1000, 1)] {
            let query = try #require(SearchMoviesByOffset.Query("m", start: start, display: display))
            let results = try await search(query, language: LanguagePreference())
            let expected = start > 45 ? [] : (start...min(45, start + display - 1)).map(String.init)
            #expect(self.numbers(results) == expected, "\(start) \(display)")
            #expect(results.total == 45)
        }
    }

    /// A service that sends longer pages than it declares.
    @Test func filmsBeyondAPagesSizeAreNotReached() async throws {
        let catalogue = ScriptedCatalogue(pageSize: 25)
        catalogue.set(try self.movies(22), for: .search(try #require(MovieQuery("m"))))
        let search = SearchMoviesByOffset(catalogue: LongPages(whole: catalogue))
        for (start, expected) in [(20, ["20"]), (21, []), (22, [])] {
            let query = try #require(SearchMoviesByOffset.Query("m", start: start, display: 10))
            let results = try await search(query, language: LanguagePreference())
            #expect(self.numbers(results) == expected && results.total == 20)
        }
    }

    private struct LongPages: MovieCatalogue {
        let whole: ScriptedCatalogue
        var source: MovieSource { self.whole.source }
        var pageLimit: Int { self.whole.pageLimit }
        var pageSize: Int { 20 }

        func list(
            _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
        ) async throws -> Page<MovieSummary> {
            try await self.whole.list(list, page: page, language: language, region: region)
        }

        func search(
            _ query: MovieQuery, page: Int, language: LanguagePreference
        ) async throws -> Page<MovieSummary> {
            try await self.whole.search(query, page: page, language: language)
        }

        func genres(language: LanguagePreference) async throws -> [Genre] {
            try await self.whole.genres(language: language)
        }
    }

    /// Omits some films from its pages, as a source does when films cannot be decoded.
    private struct PatchyCatalogue: MovieCatalogue {
        let whole: ScriptedCatalogue
        let missing: Set<MovieID>
        var source: MovieSource { self.whole.source }
        var pageLimit: Int { self.whole.pageLimit }
        var pageSize: Int { self.whole.pageSize }

        func list(
            _ list: MovieList, page: Int, language: LanguagePreference, region: Country?
        ) async throws -> Page<MovieSummary> {
            self.patchy(try await self.whole.list(list, page: page, language: language, region: region))
        }

        func search(
            _ query: MovieQuery, page: Int, language: LanguagePreference
        ) async throws -> Page<MovieSummary> {
            self.patchy(try await self.whole.search(query, page: page, language: language))
        }

        func genres(language: LanguagePreference) async throws -> [Genre] {
            try await self.whole.genres(language: language)
        }

        private func patchy(_ page: Page<MovieSummary>) -> Page<MovieSummary> {
            Page(
                number: page.number, results: page.results.filter { !self.missing.contains($0.id) },
                totalPages: page.totalPages, totalResults: page.totalResults)
        }
    }

    @Test(
        "films beside those that cannot be used are all reached, once", arguments: [[5], [1, 2], Array(1...20), [45]])
    func patches(missing: [Int]) async throws {
        let whole = ScriptedCatalogue(pageSize: 20)
        let all = try self.movies(45)
        whole.set(all, for: .search(try #require(MovieQuery("m"))))
        let catalogue = PatchyCatalogue(whole: whole, missing: Set(missing.map { all[$0 - 1].id }))
        for display in [7, 20, 100] {
            var seen: [String] = []
            for start in stride(from: 1, through: 45, by: display) {
                let query = try #require(SearchMoviesByOffset.Query("m", start: start, display: display))
                let results = try await SearchMoviesByOffset(catalogue: catalogue)(
                    query, language: LanguagePreference())
                #expect(results.total == 45)
                seen += self.numbers(results)
            }
            let present = (1...45).filter { !missing.contains($0) }
            #expect(seen == present.map(String.init), "\(display)")
        }
    }

    @Test func aSingleYearIsAskedForAndSeveralAreLookedFor() async throws {
        let catalogue = ScriptedCatalogue(pageSize: 20)
        catalogue.set(try self.movies(45), for: .search(try #require(MovieQuery("m"))))
        catalogue.set(try self.movies(2), for: .search(try #require(MovieQuery("m", year: 1930))))
        let search = SearchMoviesByOffset(catalogue: catalogue)
        let one = try await search(
            try #require(SearchMoviesByOffset.Query("m", years: 1930...1930)), language: LanguagePreference())
        #expect(one.total == 2)
        let several = try await search(
            try #require(SearchMoviesByOffset.Query("m", start: 2, years: 1939...1943)), language: LanguagePreference())
        #expect(self.numbers(several) == ["40", "41", "42", "43"] && several.total == 5)
    }

    @Test func nothingIsFoundWhereNothingIs() async throws {
        let search = SearchMoviesByOffset(catalogue: ScriptedCatalogue())
        let results = try await search(try #require(SearchMoviesByOffset.Query("m")), language: LanguagePreference())
        #expect(results.movies.isEmpty && results.total == 0)
        #expect(SearchMoviesByOffset.Query("m", display: 101) == nil && SearchMoviesByOffset.Query(" ") == nil)
    }

    @Test func whatFailsFails() async throws {
        let catalogue = ScriptedCatalogue()
        let query = try #require(SearchMoviesByOffset.Query("m"))
        catalogue.fail(.search(query.movie), with: .tooSlow(.tmdb))
        await #expect(throws: SourceFailure.tooSlow(.tmdb)) {
            try await SearchMoviesByOffset(catalogue: catalogue)(query, language: LanguagePreference())
        }
    }
}
