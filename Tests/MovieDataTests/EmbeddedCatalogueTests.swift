import FoundationEssentials
import MovieData
import MovieDomain
import PosterTesting
import Testing

struct EmbeddedCatalogueTests {
    private func movies() throws -> SQLiteMovieRepository {
        let library = try LibraryDatabase()
        try library.importCatalogue(CatalogueResource())
        return SQLiteMovieRepository(library)
    }

    @Test func keepsTheRepositorysPromises() async throws {
        #expect(try await brokenPromises(of: self.movies()) == [])
    }

    @Test func holdsFortyEightFilmsOf1902To1968WithAllTheirFacts() async throws {
        let all = try await self.movies().movies(limit: 1000)
        #expect(all.count == 48)
        for movie in all {
            #expect((1902...1968).contains(movie.year), "\(movie.id)")
            #expect(movie.id.rawValue.hasSuffix("-\(movie.year)"), "\(movie.id)")
            #expect(Set(movie.title.byLanguage.keys) == ["en", "ko", "ja"], "\(movie.id)")
            #expect(movie.releaseDate.map { $0.year == movie.year } ?? true, "\(movie.id)")
            #expect((1...400).contains(try #require(movie.runtimeMinutes)), "\(movie.id)")
            #expect(!movie.genres.isEmpty && !movie.directors.isEmpty && !movie.countries.isEmpty, "\(movie.id)")
            #expect(movie.overview.count > 80, "\(movie.id)")
        }
        #expect(all.filter { $0.originalLanguage == "ko" }.count >= 6)
        #expect(all.filter { $0.originalLanguage == "ja" }.count >= 6)
    }

    @Test func keepsTheOrderOfCastAndTheNamesAsTheyAreWritten() async throws {
        let housemaid = try #require(try await self.movies().movie(Movie.ID(rawValue: "the-housemaid-1960")!))
        #expect(housemaid.originalTitle == "하녀")
        #expect(housemaid.title.text(in: "ja") != housemaid.title.text(in: "ko"))
        #expect(housemaid.directors == ["Kim Ki-young"])
        #expect(housemaid.cast.count >= 3)
    }

    @Test func everyFilmHasItsPosterFileInTheSizeItSays() async throws {
        let resource = try CatalogueResource()
        let all = try await self.movies().movies(limit: 1000)
        var large = 0
        var total = 0
        for movie in all {
            let poster = try #require(movie.poster, "\(movie.id)")
            let path = resource.posterDirectory + "/" + poster.location
            total += try Data(contentsOf: URL(filePath: path)).count
            #expect([[2000, 3000], [1000, 1500]].contains([poster.width, poster.height]), "\(movie.id)")
            large += poster.width == 2000 ? 1 : 0
        }
        #expect(large == 12)
        #expect(total <= 20 << 20)
    }

    @Test func isImportedOnceAndAgainWhenItChanges() async throws {
        let folder = TemporaryFolder()
        func resource(title: String) throws -> CatalogueResource {
            let film = """
                {"id": "heat", "titles": {"en": "\(title)"}, "originalTitle": "\(title)", "originalLanguage": "en",
                 "year": 1995, "countries": [], "genres": [], "directors": [], "cast": [], "overview": ""}
                """
            for (name, text) in [
                ("Resources/catalogue.json", "{\"version\": 1, \"films\": [\(film)]}"),
                ("originals/manifest.json", "{\"posters\": {}}"),
            ] {
                let url = URL(filePath: folder.path).appending(path: name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
            return try CatalogueResource(directory: folder.path)
        }
        let library = try LibraryDatabase()
        #expect(try library.importCatalogue(resource(title: "Heat")))
        #expect(try !library.importCatalogue(resource(title: "Heat")))
        #expect(try library.importCatalogue(resource(title: "Heat 2")))
        let movies = try await SQLiteMovieRepository(library).movies(limit: 10)
        #expect(movies.map(\.originalTitle) == ["Heat 2"])
        #expect(movies.first?.poster == nil)
    }

    @Test func survivesAReopeningOfItsFile() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        try LibraryDatabase(path: path).importCatalogue(CatalogueResource())
        let reopened = try LibraryDatabase(path: path)
        #expect(try !reopened.importCatalogue(CatalogueResource()))
        #expect(try await SQLiteMovieRepository(reopened).movies(limit: 1000).count == 48)
    }

    @Test func saysWhatIsMissing() throws {
        let error = #expect(throws: CatalogueResource.Failure.self) {
            try CatalogueResource(directory: "/nowhere/at/all")
        }
        #expect(error.map { "\($0)".contains("/nowhere/at/all/Resources/catalogue.json") } == true)
    }
}
