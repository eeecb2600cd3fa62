import Glibc
import Logging
import MovieLibrary
import MovieLibraryPostgres
package import OneSheetConfiguration

/// Copies user data from one library to another, without a server.
package struct LibraryCopying: Sendable {
    /// The address of a library.
    package enum Place: Sendable {
        /// The path of a file.
        case file(String)
        case server(LibraryAddress)

        package init(_ text: String) {
            self = LibraryAddress(text).map { .server($0) } ?? .file(text)
        }
    }

    package struct MissingFile: Error, CustomStringConvertible {
        let path: String

        package var description: String { "there is no library at \(self.path)" }
    }

    /// Discards messages: failures are thrown.
    let logger = Logger(label: "onesheet") { _ in SwiftLogNoOpLogHandler() }

    package init() {}

    /// - Parameter report: Called for each table with its name, the number of copied rows and of rows that existed
    ///   already.
    /// - Throws: `StorageFailure`, ``MissingFile``, errors of SQLite.
    package func copy(
        from source: Place, to destination: Place, report: (_ table: String, _ copied: Int, _ present: Int) -> Void
    ) async throws {
        let ends = (try self.openExisting(source), try self.open(destination))
        defer { for end in [ends.0, ends.1] { self.close(end) } }
        try await copyLibrary(from: ends.0, to: ends.1) { report($0.table, $0.copied, $0.present) }
    }

    func openExisting(_ place: Place) throws -> LibraryEnd {
        // Opening a missing file would create an empty one.
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
                self.logger.debug("A database's log was not checkpointed", metadata: ["error.message": "\(error)"])
            }
        case .server(let library): library.close()
        }
    }
}

extension PostgresLimits {
    /// Limits for batches of hundreds of rows.
    fileprivate static let ofCopies = {
        var limits = PostgresLimits()
        limits.connections = 1
        (limits.statementMilliseconds, limits.callMilliseconds) = (30_000, 60_000)
        limits.patienceMilliseconds = 90_000
        return limits
    }()
}
