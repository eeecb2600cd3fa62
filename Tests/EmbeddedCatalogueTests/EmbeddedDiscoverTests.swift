import EmbeddedCatalogue
import FoundationEssentials
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

struct EmbeddedDiscoverTests {
    /// A film in the catalogue's file.
    private struct Film: Decodable {
        let id: String
        let titles: [String: String]
        let originalLanguage: String
        let year: Int
        let releaseDate: String?
        let countries: [String]
        let genres: [String]
    }

    private struct File: Decodable {
        let films: [Film]
    }

    private static let english = LanguagePreference([.english])
    private let fixture: EmbeddedFixture
    private let films: [Film]

    init() throws {
        self.fixture = try EmbeddedFixture()
        let path = try CatalogueResource().directory + "/catalogue.json"
        self.films = try JSONDecoder().decode(File.self, from: Data(contentsOf: URL(filePath: path))).films
    }

    private func ids(_ filter: FilmFilter) async throws -> [String] {
        try await self.ids {
            try await self.fixture.catalogue.discover(filter, page: $0, language: Self.english, region: nil)
        }
    }

    private func ids(_ page: (Int) async throws -> Page<MovieSummary>) async throws -> [String] {
        var ids: [String] = []
        for number in 1... {
            let page = try await page(number)
            ids += page.results.map(\.id.key)
            if number >= page.totalPages { break }
        }
        return ids
    }

    private func expect(_ filter: FilmFilter, leaves: (Film) -> Bool, _ what: String) async throws {
        let found = try await self.ids(filter)
        #expect(Set(found) == Set(self.films.filter(leaves).map(\.id)), "\(what)")
        #expect(Set(found).count == found.count, "\(what)")
    }

    @Test func aFormOffersWhatFilmsHaveAndNothingElse() async throws {
        let choices = try await self.fixture.catalogue.filterChoices(language: Self.english)
        let decades = try #require(choices.decades)
        let expected = Set(self.films.map { $0.year / 10 * 10 })
        #expect(decades == expected.sorted(by: >))
        #expect(Set(try #require(choices.countries).map(\.code)) == Set(self.films.flatMap(\.countries)))
        #expect(Set(choices.genres.map(\.id.rawValue)) == Set(self.films.flatMap(\.genres)))
        for decade in decades {
            let films = try await self.ids(FilmFilter(years: decade...(decade + 9)))
            #expect(!films.isEmpty)
        }
    }

    @Test func eachFilterLeavesTheFilmsOfTheFileThatHaveIt() async throws {
        for id in GenreID.allCases {
            try await self.expect(FilmFilter(genres: [id]), leaves: { $0.genres.contains(id.rawValue) }, "\(id)")
        }
        for year in 1900...1970 {
            try await self.expect(FilmFilter(years: year...year), leaves: { $0.year == year }, "\(year)")
        }
        for decade in stride(from: 1890, through: 1970, by: 10) {
            try await self.expect(
                FilmFilter(years: decade...decade + 9), leaves: { $0.year / 10 == decade / 10 }, "\(decade)")
        }
        for code in Set(self.films.flatMap(\.countries)).union(["BR"]) {
            let country: Country = try #require(Country(code: code))
            try await self.expect(FilmFilter(country: country), leaves: { $0.countries.contains(code) }, code)
        }
        for code in Set(self.films.map(\.originalLanguage)).union(["pt"]) {
            let language: Language = try #require(Language(code))
            try await self.expect(
                FilmFilter(originalLanguage: language), leaves: { $0.originalLanguage == code }, code)
        }
    }

    @Test func severalFiltersLeaveWhatFitsAllOfThem() async throws {
        let german = try #require(Country(code: "DE"))
        try await self.expect(
            FilmFilter(genres: [.drama, .crime], years: 1920...1939, country: german),
            leaves: {
                Set(["drama", "crime"]).isSubset(of: $0.genres) && (1920...1939).contains($0.year)
                    && $0.countries.contains("DE")
            }, "German dramas about crime")
        #expect(try await self.ids(FilmFilter(genres: [.drama, .crime], country: german)).count >= 2)
        #expect(try await self.ids(FilmFilter(genres: [.western], country: german)).isEmpty)
        #expect(try await self.ids(FilmFilter(keyword: "tmdb:818")).isEmpty)
        #expect(!self.fixture.catalogue.filters.contains(.keyword))
    }

    @Test func withoutAFilterItIsTheListsInTheirOrder() async throws {
        let popular = try await self.ids {
            try await self.fixture.catalogue.list(.popular, page: $0, language: Self.english, region: nil)
        }
        let rated = try await self.ids {
            try await self.fixture.catalogue.list(.topRated, page: $0, language: Self.english, region: nil)
        }
        #expect(popular.count == 48)
        #expect(try await self.ids(FilmFilter()) == popular)
        #expect(try await self.ids(FilmFilter(sort: .rating)) == rated)
    }

    @Test func theOldestAreTheNewestBackwards() async throws {
        let oldest = try await self.ids(FilmFilter(sort: .oldest))
        #expect(oldest.count == 48 && oldest.first == "a-trip-to-the-moon-1902" && oldest.last == "a-day-off-1968")
        let byID = Dictionary(uniqueKeysWithValues: self.films.map { ($0.id, $0) })
        let days = oldest.compactMap { byID[$0] }.map { $0.releaseDate ?? "\($0.year)-01-01" }
        #expect(days == days.sorted())
        #expect(Set(days).count == 48, "no two films are of one day")
        #expect(try await self.ids(FilmFilter(sort: .newest)) == oldest.reversed())
    }

    @Test func titlesAreSortedInTheLanguageThatIsShown() async throws {
        func titles(_ code: String) async throws -> [String] {
            let language = LanguagePreference([try #require(Language(code))])
            var titles: [String] = []
            for page in 1...3 {
                titles += try await self.fixture.catalogue.discover(
                    FilmFilter(sort: .title), page: page, language: language, region: nil
                ).results.map(\.title)
            }
            return titles
        }
        let english = try await titles("en")
        let korean = try await titles("ko")
        #expect(english.count == 48 && korean.count == 48)
        #expect(english.prefix(4) == ["A Day Off", "A Page of Madness", "A Trip to the Moon", "Aimless Bullet"])
        #expect(korean.first == "7인의 사무라이")
        let syllables = korean.filter { ("가"..."힣").contains($0.unicodeScalars.first ?? " ") }
        #expect(syllables.count > 40 && syllables == syllables.sorted())
    }

    @Test func trendingFollowsTheBoxOffice() async throws {
        // On a Monday, the last seven days are the previous week, from Monday to Sunday.
        self.fixture.clock.turn(to: try #require(CalendarDate("2026-06-15")))
        let sunday = try #require(CalendarDate("2026-06-14"))
        for (period, days) in [
            (TrendingPeriod.day, BoxOfficePeriod(day: sunday)),
            (.week, BoxOfficePeriod(.week, around: sunday)),
        ] {
            let shown = try await self.fixture.boxOffice.boxOffice(of: days, language: Self.english).entries
            let trending = try await self.ids {
                try await self.fixture.catalogue.trending(period, page: $0, language: Self.english)
            }
            #expect(shown.count == 10)
            #expect(Array(trending.prefix(10)) == shown.map(\.movieID.key), "\(period)")
            #expect(trending.count > 10 && Set(trending).count == trending.count, "all films in cinemas")
        }
    }

    @Test func recommendationsShareAGenreAndAreNotTheSimilarOnes() async throws {
        let byID = Dictionary(uniqueKeysWithValues: self.films.map { ($0.id, $0) })
        var recommended = 0
        for film in self.films {
            let id = try #require(MovieID(film.id))
            let page = try #require(
                try await self.fixture.movies.recommendations(for: id, page: 1, language: Self.english))
            let similar = try await self.ids {
                try await self.fixture.movies.similar(to: id, page: $0, language: Self.english)
                    ?? Page($0, of: [], size: 1)
            }
            let scores = page.results.map { $0.score?.average ?? 0 }
            #expect(scores == scores.sorted(by: >), "\(id)")
            #expect(page.totalPages <= 1 && page.totalResults == page.results.count, "\(id)")
            for other in page.results {
                #expect(!similar.contains(other.id.key) && other.id != id, "\(id): \(other.id)")
                #expect(
                    !Set(film.genres).isDisjoint(with: byID[other.id.key]?.genres ?? []), "\(id): \(other.id)")
            }
            recommended += page.results.isEmpty ? 0 : 1
        }
        #expect(recommended >= 47)
    }
}
