import EmbeddedCatalogue
import MovieDomain
import MovieTesting
import Testing

struct EmbeddedListTests {
    @Test func keepsTheCataloguesPromises() async throws {
        let broken = try await checkContract(
            of: EmbeddedFixture().catalogue, found: #require(MovieQuery("kurosawa")),
            notFound: #require(MovieQuery("matrix reloaded")),
            filters: FilmFilter.Sort.allCases.flatMap {
                [FilmFilter(sort: $0), FilmFilter(genres: [.drama, .romance], years: 1920...1969, sort: $0)]
            })
        #expect(broken == [])
    }

    @Test func popularHasThreePagesTheLastOfEight() async throws {
        let catalogue = try EmbeddedFixture().catalogue
        var ids: [MovieID] = []
        var counts: [Int] = []
        for number in 1...3 {
            let page = try await catalogue.list(.popular, page: number, language: LanguagePreference([.korean]))
            #expect(page.number == number && page.totalPages == 3 && page.totalResults == 48)
            counts.append(page.results.count)
            ids += page.results.map(\.id)
        }
        #expect(counts == [20, 20, 8])
        #expect(Set(ids).count == 48)
        #expect(try await catalogue.list(.popular, page: 4, language: LanguagePreference([.korean])).results.isEmpty)
    }

    @Test func topRatedIsByScore() async throws {
        let page = try await EmbeddedFixture().catalogue.list(
            .topRated, page: 1, language: LanguagePreference([.korean]))
        let scores = page.results.map { $0.score?.average ?? 0 }
        #expect(scores == scores.sorted(by: >))
        #expect(page.results.first?.id.key == "seven-samurai-1954")
    }

    @Test func whatIsShownAndWhatIsToComeChangeOnThursdays() async throws {
        let fixture = try EmbeddedFixture()
        func ids(_ list: MovieList, on day: String) async throws -> [MovieID] {
            fixture.clock.turn(to: try #require(CalendarDate(day)))
            var ids: [MovieID] = []
            for page in 1...2 {
                ids += try await fixture.catalogue.list(list, page: page, language: LanguagePreference([.korean]))
                    .results.map(
                        \.id)
            }
            return ids
        }
        let wednesday = try await ids(.nowPlaying, on: "2026-06-10")
        let next = try await ids(.upcoming, on: "2026-06-10")
        let thursday = try await ids(.nowPlaying, on: "2026-06-11")
        let again = try await ids(.nowPlaying, on: "2026-06-17")
        #expect(wednesday.count == 16 && next.count == 32)
        #expect(Set(wednesday).isDisjoint(with: next))
        #expect(thursday == Array(next.prefix(2)) + wednesday.dropLast(2))
        #expect(again == thursday)
    }

    @Test func whatRunsInCinemasAgainSaysSoWithTheDay() async throws {
        let fixture = try EmbeddedFixture()
        let today = try #require(CalendarDate("2026-06-10"))
        fixture.clock.turn(to: today)
        for list in [MovieList.upcoming, .nowPlaying] {
            let films = try await fixture.catalogue.list(list, page: 1, language: LanguagePreference([.korean])).results
            for film in films {
                let again = try #require(film.rerelease)
                #expect((again.date > today) == (list == .upcoming) && again.date.weekday == 4)
                #expect(again.anniversary == again.date.year - (film.year ?? 0))
                #expect(film.releaseDate.map { $0.year == film.year } ?? true, "that of the first showing")
            }
        }
        let popular = try await fixture.catalogue.list(.popular, page: 1, language: LanguagePreference([.korean]))
            .results
        #expect(popular.allSatisfy { $0.rerelease == nil })
    }

    @Test func theDayIsThatOfSeoul() async throws {
        let films = try EmbeddedFixture().films
        // 2026-06-10T15:00:00Z is midnight in Seoul, the start of Thursday.
        func first(at seconds: Int64) async throws -> MovieID? {
            let catalogue = EmbeddedMovieCatalogue(films) { Instant(secondsSince1970: seconds) }
            return try await catalogue.list(.nowPlaying, page: 1, language: LanguagePreference([.korean])).results
                .first?.id
        }
        let before = try await first(at: 1_781_103_599)
        let midnight = try await first(at: 1_781_103_600)
        #expect(before != midnight)
    }

    @Test func genresAndPeopleAreInTheLanguageAskedFor() async throws {
        let fixture = try EmbeddedFixture()
        let japanese = LanguagePreference([try #require(Language("ja"))])
        let french = LanguagePreference([try #require(Language("fr"))])
        let genres = try await fixture.catalogue.genres(language: LanguagePreference([.korean]))
        #expect(genres.count == 16)
        #expect(genres.first == Genre(id: .adventure, name: "모험"))
        let id = try #require(MovieID("tokyo-story-1953"))
        let inKorean = try #require(try await fixture.movies.movie(id, language: LanguagePreference([.korean])))
        let inJapanese = try #require(try await fixture.movies.movie(id, language: japanese))
        let inFrench = try #require(try await fixture.movies.movie(id, language: french))
        #expect(inKorean.directors == ["오즈 야스지로"])
        #expect(inKorean.summary.genres.first?.name == "드라마")
        #expect(inJapanese.directors == ["小津安二郎"])
        #expect(inFrench.directors == ["Yasujirō Ozu"])
        // Without French, the film's original language is next.
        #expect(inFrench.summary.title == "東京物語")
        let cast = try #require(inKorean.credits.cast.first)
        #expect(cast.name == "류 지슈" && cast.originalName == "笠智衆")
        #expect(inJapanese.credits.cast.first?.originalName == "")
        #expect(inKorean.information.contains(InformationItem(name: .color, value: "흑백")))
        #expect(inKorean.summary.overview.contains("노리코"))
    }
}
