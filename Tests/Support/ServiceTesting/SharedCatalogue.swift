package import EmbeddedCatalogue
import Foundation
import HTTPFetch
import Logging
import MovieLibrary
import OneSheetConfiguration
package import OneSheetServer
import PosterTesting

/// The embedded catalogue, read once per test process because that takes most of a second without optimisation.
package enum SharedCatalogue {
    private static let createdMovies = Result {
        try MovieDependencies(
            ConfigurationSource(commandLine: [:], environment: [:]).read().configuration, directory: nil,
            fetcher: Fetcher(), clock: { 0 }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
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

    /// The service's film domain with the catalogue's films, in memory. Tests only read from it, and never close it.
    package static var movies: MovieDependencies { get throws { try self.createdMovies.get() } }

    package static var resource: CatalogueResource { get throws { try self.movies.catalogue } }

    /// Creates the `library.sqlite` of a data directory with the catalogue's films, unless there is one: the import at
    /// the service's first start takes half a second without optimisation.
    package static func copyLibrary(to dataDirectory: String) throws {
        let path = dataDirectory + "/library.sqlite"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try self.libraryFile.get().write(to: URL(filePath: path))
    }
}
