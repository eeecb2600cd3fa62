import GRDB
import MovieDomain

extension LibraryDatabase {
    /// One reading transaction.
    ///
    /// - Throws: `StorageFailure` for what SQLite says, `CancellationError`, and what `body` throws else.
    func reading<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await self.writer.read(body)
        } catch let error as DatabaseError {
            throw StorageFailure(reason: "\(error)")
        }
    }

    /// One writing transaction: all of it or nothing, and nothing when the task is cancelled before its end.
    ///
    /// - Throws: `StorageFailure` for what SQLite says, `CancellationError`, and what `body` throws else.
    func writing<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await self.writer.write(body)
        } catch let error as DatabaseError {
            throw StorageFailure(reason: "\(error)")
        }
    }
}
