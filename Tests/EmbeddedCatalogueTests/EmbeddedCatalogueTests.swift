import EmbeddedCatalogue
import FoundationEssentials
import MovieDomain
import MovieLibrary
import MovieTesting
import PosterTesting
import Testing

struct EmbeddedCatalogueTests {
    private func movies() throws -> EmbeddedMovies {
        let films = CatalogueDatabase(try LibraryDatabase())
        try films.importCatalogue(CatalogueResource())
        return EmbeddedMovies(films)
    }

    @Test func keepsTheRepositorysPromises() async throws {
        let movies = try self.movies()
        let known = try await movies.all(limit: 1000, language: LanguagePreference([.korean])).map(\.id)
        let unknown = try #require(MovieID("no-such-film-1000"))
        #expect(try await checkContract(of: movies, known: known, unknown: unknown) == [])
    }

    @Test func holdsFortyEightFilmsOf1902To1968WithAllTheirFacts() async throws {
        let movies = try self.movies()
        let all = try await movies.all(limit: 1000, language: LanguagePreference([.korean]))
        #expect(all.count == 48)
        for summary in all {
            let (id, year) = (summary.id, try #require(summary.year))
            let movie = try #require(try await movies.movie(id, language: LanguagePreference([.korean])))
            #expect((1902...1968).contains(year), "\(id)")
            #expect(id.key.hasSuffix("-\(year)"), "\(id)")
            #expect(summary.releaseDate.map { $0.year == year } ?? true, "\(id)")
            #expect((1...400).contains(try #require(movie.runtimeMinutes)), "\(id)")
            #expect(!summary.genres.isEmpty && !movie.directors.isEmpty && !movie.countries.isEmpty, "\(id)")
            #expect(movie.status == .released && movie.reviewCount != nil, "\(id)")
            #expect(summary.overview.count > 50, "\(id)")
        }
        #expect(all.filter { $0.originalLanguage == .korean }.count >= 6)
        #expect(all.filter { $0.originalLanguage?.code == "ja" }.count >= 6)
    }

    @Test func keepsTheOrderOfCastAndTheNamesAsTheyAreWritten() async throws {
        let id = try #require(MovieID("the-housemaid-1960"))
        let movies = try self.movies()
        let housemaid = try #require(try await movies.movie(id, language: LanguagePreference([.korean])))
        let inJapanese = try await movies.movie(id, language: LanguagePreference([try #require(Language("ja"))]))
        #expect(housemaid.summary.originalTitle == "하녀")
        #expect(housemaid.summary.title == "하녀")
        #expect(inJapanese?.summary.title == "下女")
        #expect(housemaid.directors == ["김기영"])
        #expect(inJapanese?.directors == ["金綺泳"])
        #expect(housemaid.credits.cast.count >= 3)
    }

    @Test func everyFilmHasItsPosterFileInTheSizeItSays() async throws {
        let resource = try CatalogueResource()
        let all = try await self.movies().all(limit: 1000, language: LanguagePreference([.korean]))
        var large = 0
        var total = 0
        for movie in all {
            let poster = try #require(movie.poster, "\(movie.id)")
            guard case .packaged(let file, _) = poster.location, let size = poster.size else {
                Issue.record("\(movie.id)")
                continue
            }
            let path = resource.path(of: file)
            total += try Data(contentsOf: URL(filePath: path)).count
            #expect([[2000, 3000], [1000, 1500]].contains([size.width, size.height]), "\(movie.id)")
            large += size.width == 2000 ? 1 : 0
        }
        #expect(large == 12)
        #expect(total <= 20 << 20)
    }

    @Test func isImportedOnceAndAgainWhenItChanges() async throws {
        let folder = TemporaryFolder()
        func resource(title: String) throws -> CatalogueResource {
            let film = """
                {"id": "heat", "titles": {"en": "\(title)"}, "originalTitle": "\(title)", "originalLanguage": "en",
                 "year": 1995, "countries": [], "genres": [], "directors": [], "cast": [], "overviews": {}}
                """
            for (name, text) in [
                ("catalogue.json", "{\"version\": 1, \"films\": [\(film)]}"),
                ("names.json", "{\"genres\": {}, \"words\": {}, \"people\": {}}"),
                ("reviews.json", "{\"reviews\": {}}"),
                ("originals/manifest.json", "{\"posters\": {}}"), ("scenes/manifest.json", "{\"scenes\": {}}"),
            ] {
                let url = URL(filePath: folder.path).appending(path: name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
            return try CatalogueResource(directory: folder.path)
        }
        let films = CatalogueDatabase(try LibraryDatabase())
        #expect(try films.importCatalogue(resource(title: "Heat")))
        #expect(try !films.importCatalogue(resource(title: "Heat")))
        #expect(try films.importCatalogue(resource(title: "Heat 2")))
        let movies = try await EmbeddedMovies(films).all(limit: 10, language: LanguagePreference([.korean]))
        #expect(movies.map(\.originalTitle) == ["Heat 2"])
        #expect(movies.first.map { $0.poster == nil && $0.backdrop == nil } == true)
    }

    @Test func survivesAReopeningOfItsFile() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        try CatalogueDatabase(LibraryDatabase(path: path)).importCatalogue(CatalogueResource())
        let reopened = CatalogueDatabase(try LibraryDatabase(path: path))
        #expect(try !reopened.importCatalogue(CatalogueResource()))
        #expect(
            try await EmbeddedMovies(reopened).all(limit: 1000, language: LanguagePreference([.korean])).count == 48)
    }

    @Test func saysWhatIsMissing() throws {
        let error = #expect(throws: CatalogueResource.Failure.self) {
            try CatalogueResource(directory: "/nowhere/at/all")
        }
        #expect(error.map { "\($0)".contains("/nowhere/at/all/catalogue.json") } == true)
    }
}
