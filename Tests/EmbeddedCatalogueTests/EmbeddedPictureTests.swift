import Cryptography
import EmbeddedCatalogue
import FoundationEssentials
import GRDB
import MovieDomain
import MovieLibrary
import PictureTesting
import PosterTesting
import Testing

struct EmbeddedPictureTests {
    private let language = LanguagePreference([.english])

    private func films(_ movies: EmbeddedMovies) async throws -> [Movie] {
        var films: [Movie] = []
        for summary in try await movies.all(limit: 1000, language: self.language) {
            films.append(try #require(try await movies.movie(summary.id, language: self.language)))
        }
        return films
    }

    @Test func everyFilmHasABackdropAndTwoMorePictures() async throws {
        let fixture = try EmbeddedFixture()
        let films = try await self.films(fixture.movies)
        #expect(films.count == 48)
        var locations: Set<PictureLocation> = []
        for film in films {
            #expect(film.gallery.count == 3 && film.gallery.allSatisfy { $0.kind == .backdrop }, "\(film.id)")
            #expect(film.summary.backdrop?.location == film.gallery.first?.location, "\(film.id)")
            #expect(film.summary.backdrop?.size == PictureSize(width: 1280, height: 720), "\(film.id)")
            locations.formUnion(film.gallery.map(\.location))
        }
        #expect(locations.count == 3 * 48, "no two films share one")
        let page = try await fixture.catalogue.list(.popular, page: 1, language: self.language)
        #expect(page.results.allSatisfy { $0.backdrop != nil }, "rows have it, too")
    }

    @Test func everyPictureIsThereInItsSizeAndVersion() async throws {
        let fixture = try EmbeddedFixture()
        let resource = try CatalogueResource()
        var total = 0
        for film in try await self.films(fixture.movies) {
            for picture in film.gallery {
                guard case .packaged(let file, let version) = picture.location else {
                    Issue.record("\(film.id) has a picture at \(picture.location)")
                    continue
                }
                let data = try Data(contentsOf: URL(filePath: resource.path(of: file)))
                total += data.count
                let digest = SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                #expect(digest.joined() == version, "\(file)")
                let size = try #require(picture.size)
                #expect(JPEGSize([UInt8](data)) == JPEGSize(width: size.width, height: size.height), "\(file)")
            }
        }
        #expect((1...10 << 20).contains(total))
    }

    @Test func imagesAreThePosterAndTheGalleryAndSayWhichHaveNoText() async throws {
        let movies = try EmbeddedFixture().movies
        let nosferatu = try #require(MovieID("nosferatu-1922"))
        let film = try #require(try await movies.movie(nosferatu, language: self.language))
        let images = try #require(try await movies.images(of: film.id))
        #expect(images.map(\.picture.kind) == [.poster, .backdrop, .backdrop, .backdrop])
        #expect(images.map(\.isTextless) == [false, true, true, true])
        #expect(images.map(\.place) == [nil, 1, 2, 3])
        #expect(images.dropFirst().map(\.picture) == film.gallery)
        // This film's drawing consists of letters.
        let madness = try #require(MovieID("a-page-of-madness-1926"))
        let lettered = try #require(try await movies.images(of: madness))
        #expect(lettered.map(\.isTextless) == [false, false, false, false])
        let unknown = try #require(MovieID("no-such-film-1000"))
        #expect(try await movies.images(of: unknown) == nil)
    }

    @Test func aLibraryOfTheVersionBeforeGetsThePictures() async throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let old = try DatabaseQueue(path: path)
        try LibraryDatabase.migrator.migrate(old, upTo: "watchlist")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO film (id, position, originalTitle, originalLanguage, year)
                    VALUES ('m-1931', 0, 'M', 'de', 1931);
                    INSERT INTO filmTitle VALUES ('m-1931', 'en', 'M');
                    INSERT INTO catalogue VALUES ('embedded', '1-5-old')
                    """)
        }
        try old.close()
        let database = CatalogueDatabase(try LibraryDatabase(path: path))
        let movies = EmbeddedMovies(database)
        let id = try #require(MovieID("m-1931"))
        let before = try await movies.movie(id, language: self.language)
        #expect(before == nil, "the tables of the catalogue are made again")
        #expect(try database.importCatalogue(CatalogueResource()))
        let after = try await movies.movie(id, language: self.language)
        #expect(after?.gallery.count == 3 && after?.summary.backdrop != nil)
    }

    @Test func aFileWithAFolderIsInThatFolderAndOneWithoutIsAPoster() throws {
        let resource = try CatalogueResource()
        #expect(resource.path(of: "m-1931.jpg").hasSuffix("/originals/m-1931.jpg"))
        #expect(resource.path(of: "scenes/m-1931-0.jpg").hasSuffix("/scenes/m-1931-0.jpg"))
        #expect(!resource.path(of: "scenes/m-1931-0.jpg").contains("originals"))
    }
}
