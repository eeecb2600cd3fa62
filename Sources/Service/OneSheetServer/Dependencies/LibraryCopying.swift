import Glibc
import Logging
import MovieLibrary
import MovieLibraryPostgres
package import OneSheetConfiguration

/// Copies what users keep from one library to another, without a server.
package struct LibraryCopying: Sendable {
    /// A library by its address.
    package enum Place: Sendable {
        /// The path of a file.
        case file(String)
        case server(LibraryAddress)

        package init(_ text: String) {
            self = LibraryAddress(text).map { .server($0) } ?? .file(text)
        }
    }

    /// There is no such file.
    package struct MissingFile: Error, CustomStringConvertible {
        let path: String

        package var description: String { "there is no library at \(self.path)" }
    }

    /// Failures are thrown, and need no lines.
    let logger = Logger(label: "onesheet") { _ in SwiftLogNoOpLogHandler() }

    package init() {}

    /// - Parameter report: Called for each table: its name, the rows that were copied, and those that were there already.
    /// - Throws: `StorageFailure`, ``MissingFile``, errors of SQLite.
    package func copy(
        from source: Place, to destination: Place, report: (_ table: String, _ copied: Int, _ present: Int) -> Void
    ) async throws {
        let ends = (try self.openExisting(source), try self.open(destination))
        defer { for end in [ends.0, ends.1] { self.close(end) } }
        try await copyLibrary(from: ends.0, to: ends.1) { report($0.table, $0.copied, $0.present) }
    }

    /// - Throws: ``MissingFile``, errors of SQLite.
    func openExisting(_ place: Place) throws -> LibraryEnd {
        // A new file would be empty.
        if case .file(let path) = place, access(path, F_OK) != 0 { throw MissingFile(path: path) }
        return try self.open(place)
    }

    private func open(_ place: Place) throws -> LibraryEnd {
        switch place {
        case .file(let path): .file(try LibraryDatabase(path: path, logger: self.logger))
        case .server(let address):
            .server(
                PostgresLibrary(url: address.url, limits: .ofCopies, logger: self.logger, metrics: PostgresMetrics()))
        }
    }

    func close(_ end: LibraryEnd) {
        switch end {
        case .file(let database):
            do {
                try database.close()
            } catch {
                // The log stays beside the file, and nothing is lost.
                self.logger.debug("A database's log was not written back", metadata: ["error.message": "\(error)"])
            }
        case .server(let library): library.close()
        }
    }
}

extension PostgresLimits {
    /// For batches of hundreds of rows.
    fileprivate static let ofCopies = {
        var limits = PostgresLimits()
        limits.connections = 1
        (limits.statementMilliseconds, limits.callMilliseconds) = (30_000, 60_000)
        limits.patienceMilliseconds = 90_000
        return limits
    }()
}
