package import EmbeddedCatalogue
import MovieLibrary

/// The embedded catalogue, read once for all tests of a process: it takes most of a second without optimisation.
package enum SharedCatalogue {
    private static let readResource = Result { try CatalogueResource() }
    private static let importedFilms = Result {
        let films = CatalogueDatabase(try LibraryDatabase())
        try films.importCatalogue(SharedCatalogue.resource)
        return EmbeddedMovies(films)
    }

    /// What is packaged.
    package static var resource: CatalogueResource { get throws { try self.readResource.get() } }

    /// Its films, in a database that no test changes.
    package static var films: EmbeddedMovies { get throws { try self.importedFilms.get() } }
}
