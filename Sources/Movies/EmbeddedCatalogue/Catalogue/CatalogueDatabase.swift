import GRDB
import MovieDomain
package import MovieLibrary
import Synchronization

/// The embedded films in the library's database.
///
/// Decodes the films at the first use and after an import, and caches them: the process needs a single instance. The
/// lock protects the decoded catalogue.
package final class CatalogueDatabase: Sendable {
    package let library: LibraryDatabase
    private let decoded = Mutex<LoadedCatalogue?>(nil)

    package init(_ library: LibraryDatabase) {
        self.library = library
    }

    /// Reads in one transaction, together with the catalogue of that transaction.
    func read<Value: Sendable>(
        _ read: @escaping @Sendable (Database, LoadedCatalogue) throws -> Value
    ) async throws -> Value {
        do {
            return try await self.library.writer.read { db in try read(db, try self.loaded(db)) }
        } catch let error as DatabaseError {
            self.library.health.failed(.reading, error)
            throw SourceFailure.unavailable(.embedded, reason: "the library cannot be read: \(error)")
        }
    }

    func store(_ catalogue: LoadedCatalogue) {
        self.decoded.withLock { $0 = catalogue }
    }

    private func loaded(_ db: Database) throws -> LoadedCatalogue {
        let statement = try db.cachedStatement(sql: "SELECT fingerprint FROM catalogue WHERE name = 'embedded'")
        let fingerprint = try String.fetchOne(statement) ?? ""
        // Two concurrent first readers both decode it: the lock is not held while decoding.
        if let catalogue = self.decoded.withLock({ $0 }), catalogue.fingerprint == fingerprint { return catalogue }
        let catalogue = try LoadedCatalogue(db, fingerprint: fingerprint, self.library.damage)
        self.store(catalogue)
        return catalogue
    }
}
