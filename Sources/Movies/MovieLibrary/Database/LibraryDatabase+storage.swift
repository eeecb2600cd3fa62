package import GRDB
import MovieDomain

extension LibraryDatabase {
    /// One reading transaction.
    ///
    /// - Throws: `StorageFailure` for what SQLite says, `CancellationError`, and what `body` throws else.
    package func reading<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    {
        try await self.telling(.reading) { try await self.writer.read(body) }
    }

    /// One writing transaction: all of it or nothing, and nothing when the task is cancelled before its end.
    ///
    /// - Throws: `StorageFailure` for what SQLite says, `CancellationError`, and what `body` throws else.
    package func writing<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value
    {
        try await self.telling(.writing) { try await self.writer.write(body) }
    }

    /// What went wrong is told here, where everybody comes by.
    private func telling<Value: Sendable>(
        _ work: LibraryHealth.Work, _ transaction: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await transaction()
            self.succeeded(work)
            return value
        } catch let error as DatabaseError {
            self.health.failed(work, error)
            throw StorageFailure(reason: "\(error)")
        } catch let failure as StorageFailure {
            self.health.failed(.adding, failure)
            throw failure
        }
    }
}
