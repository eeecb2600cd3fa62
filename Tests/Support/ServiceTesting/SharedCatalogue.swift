package import EmbeddedCatalogue
package import Foundation
import MovieLibrary
import PosterTesting

/// The embedded catalogue, read once per test process because that takes most of a second without optimisation.
package enum SharedCatalogue {
    private static let readResource = Result { try CatalogueResource() }
    private static let importedFilms = Result {
        let films = CatalogueDatabase(try LibraryDatabase())
        try films.importCatalogue(SharedCatalogue.resource)
        return EmbeddedMovies(films)
    }
    private static let libraryFile = Result {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = folder.path + "/library.sqlite"
        let library = try LibraryDatabase(path: path)
        try CatalogueDatabase(library).importCatalogue(SharedCatalogue.resource)
        try library.close()
        return try Data(contentsOf: URL(filePath: path))
    }

    package static var resource: CatalogueResource { get throws { try self.readResource.get() } }

    /// The catalogue's films, in a database that no test changes.
    package static var films: EmbeddedMovies { get throws { try self.importedFilms.get() } }

    /// A `library.sqlite` with the catalogue's films, as created by the first start with an empty data directory.
    package static var library: Data { get throws { try self.libraryFile.get() } }
}
