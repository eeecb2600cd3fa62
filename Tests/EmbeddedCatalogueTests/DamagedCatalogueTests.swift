import DatabaseTesting
import GRDB
import LibraryTesting
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

@testable import EmbeddedCatalogue

@Suite(.timeLimit(.hang))
struct DamagedCatalogueTests {
    private let language = LanguagePreference([.korean])

    /// Number of damaged cells between two readings of the catalogue, which take longest.
    private static let cellsPerReading = 100

    @Test func damagedCellsCostTheirRowsAtMost() async throws {
        let fixture = try EmbeddedFixture()
        for reading in 0..<max(1, CellMutator.count / Self.cellsPerReading) {
            try await fixture.library.writer.writeWithoutTransaction { db in
                var mutator = CellMutator(seed: reading)
                for _ in 0..<Self.cellsPerReading { try mutator.mutate(db) }
            }
            try await self.readAll(CatalogueDatabase(fixture.library), at: fixture.clock)
            // The next start repairs detected damage.
            let films = CatalogueDatabase(fixture.library)
            try films.importCatalogue(EmbeddedFixture.resource.get())
            #expect(try await EmbeddedMovies(films).all(limit: 1000, language: self.language).count == 48)
        }
    }

    private func readAll(_ films: CatalogueDatabase, at clock: ManualTimeOfDay) async throws {
        let movies = EmbeddedMovies(films)
        let catalogue = EmbeddedMovieCatalogue(films, now: clock.now)
        for film in try await movies.all(limit: 1000, language: self.language) {
            _ = try await movies.movie(film.id, language: self.language)
            _ = try await movies.credits(of: film.id, language: self.language)
            _ = try await movies.images(of: film.id)
            _ = try await movies.reviews(of: film.id, page: 1, language: self.language)
            _ = try await movies.similar(to: film.id, page: 1, language: self.language)
            _ = try await movies.recommendations(for: film.id, page: 1, language: self.language)
        }
        for list in MovieList.allCases {
            _ = try await catalogue.list(list, page: 1, language: self.language)
        }
        _ = try await catalogue.trending(.week, page: 1, language: self.language)
        _ = try await catalogue.filterChoices(language: self.language)
        let query = try #require(MovieQuery("하녀"))
        _ = try await catalogue.search(query, page: 1, language: self.language)
        let today = clock.now().dateInSeoul
        _ = try await EmbeddedBoxOffice(films, now: clock.now).boxOffice(
            of: BoxOfficePeriod(day: today.adding(days: -1)), matching: BoxOfficeFilter(), language: self.language)
        _ = try await EmbeddedPeople(films).search(query, page: 1, language: self.language)
    }

    @Test func noDamagedCellOfAnAccountMakesARequestFailOtherwise() async throws {
        let fixture = try EmbeddedFixture()
        let accounts = EmbeddedAccounts(
            fixture.library, publicBase: "", movies: fixture.movies, now: fixture.clock.now)
        let film = try #require(MovieID("metropolis-1927"))
        let rating = try #require(Rating(4))
        var (session, token) = (UpstreamSession(source: .embedded, secret: "", accountID: ""), "")
        for seed in 0..<CellMutator.count {
            if seed % 5 == 0 {
                // The sequence may also be one that SQLite cannot continue.
                try await fixture.library.writer.write { db in
                    try db.execute(
                        sql: """
                            DELETE FROM localRating; DELETE FROM localAccount; DELETE FROM approvalWish;
                            DELETE FROM sqlite_sequence;
                            """)
                }
                token = try await accounts.requestAuthorization(returningTo: "app://a").token
                _ = try await accounts.decide(token, approves: true)
                session = try await accounts.session(for: token)
                _ = try await accounts.rate(film, rating, with: session)
                token = try await accounts.requestAuthorization(returningTo: "app://a").token
            }
            let mutation = try await fixture.library.writer.writeWithoutTransaction { db in
                var mutator = CellMutator(seed: seed, tables: ["localAccount", "localRating", "approvalWish"])
                return try mutator.mutate(db)
            }
            do {
                let page = try await accounts.ratings(page: 1, language: self.language, with: session)
                #expect(page.results.count <= page.totalResults, "\(mutation)")
                _ = try await accounts.ratings(of: [film], with: session)
                _ = try await accounts.account(of: session)
                _ = try await accounts.rate(film, rating, with: session)
                #expect(try await accounts.rating(of: film, with: session) == rating, "\(mutation)")
            } catch is SessionExpired {
                // The guest's own row is damaged.
            } catch is StorageFailure {
                // SQLite cannot continue the sequence.
            }
            _ = try await accounts.approval(of: token)
            do {
                _ = try await accounts.decide(token, approves: false)
                _ = try await accounts.session(for: token)
            } catch is AuthorizationFailure {
            } catch is StorageFailure {}
        }
    }
}
