import Glibc
import Logging
import MovieAPI
package import MovieDomain
import MovieLibrary
import MovieLibraryPostgres
import PosterOrigins

/// Exports and erases a user's data in a library, without a server.
package struct LibraryUserData: Sendable {
    /// The file is in use by a server, which caches sessions.
    package struct FileInUse: Error, CustomStringConvertible {
        let path: String

        package var description: String {
            "a running onesheet uses \(self.path): stop it first, or erase by DELETE /account with a token of the user"
        }
    }

    private let libraries = LibraryCopying()
    private let place: LibraryCopying.Place
    private let now: @Sendable () -> Instant

    package init(_ place: LibraryCopying.Place, now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay) {
        self.place = place
        self.now = now
    }

    /// The document of `GET /account/export`; `nil` if nothing is stored.
    ///
    /// - Throws: `StorageFailure`, `LibraryCopying.MissingFile`, errors of SQLite.
    package func export(_ owner: Owner) async throws -> [UInt8]? {
        try await self.withUserData { userData in
            let data = try await userData.data(of: owner)
            return data.isEmpty ? nil : try UserDataObject(data, at: self.now()).json()
        }
    }

    /// Erases the user's data. Sessions at the source stay open: ending them requires the server's key.
    ///
    /// - Throws: `StorageFailure`, `LibraryCopying.MissingFile`, ``FileInUse``, `DataDirectory.Failure`, errors of SQLite.
    package func erase(_ owner: Owner) async throws -> ErasedUserData {
        let directory = try self.lockedDirectory()
        defer { withExtendedLifetime(directory) {} }
        return try await self.withUserData { try await $0.erase(owner) }
    }

    /// Locks the file's data directory; `nil` for a database server, and for a file outside of a data directory.
    private func lockedDirectory() throws -> DataDirectory? {
        guard case .file(let path) = self.place else { return nil }
        let target = Self.withoutLinks(path)
        let parent = target.lastIndex(of: "/").map { String(target[..<$0]) } ?? "."
        guard access("\(parent)/lock", F_OK) == 0 else { return nil }
        do {
            return try DataDirectory(path: parent)
        } catch {
            guard case DataDirectory.Failure.inUse = error else { throw error }
            throw FileInUse(path: path)
        }
    }

    /// Resolves symbolic links; returns the path of a missing file unchanged.
    private static func withoutLinks(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private func withUserData<Value>(_ body: (any UserDataRepository) async throws -> Value) async throws -> Value {
        let library = try self.libraries.openExisting(self.place)
        defer { self.libraries.close(library) }
        switch library {
        case .file(let database):
            return try await body(
                SQLiteUserData(database, key: nil, logger: self.libraries.logger, now: self.now))
        case .server(let library):
            return try await body(PostgresUserData(library, key: nil, now: self.now))
        }
    }
}
