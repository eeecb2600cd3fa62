package import FoundationEssentials
package import GRDB
package import MovieLibrary
package import PosterTesting

/// A library database in a temporary folder, with direct access to its tables and bytes.
package final class LibraryFile: Sendable {
    package let folder = TemporaryFolder()

    package init() {}

    package var path: String { self.folder.path + "/library.sqlite" }

    package func open() throws -> LibraryDatabase { try LibraryDatabase(path: self.path) }

    /// Executes SQL on a separate connection, as another program would.
    package func change(_ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: self.path)
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    package func count(_ table: String) throws -> Int {
        let queue = try DatabaseQueue(path: self.path)
        let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
        try queue.close()
        return count ?? 0
    }

    package func text(_ sql: String) throws -> String? {
        let queue = try DatabaseQueue(path: self.path)
        let text = try queue.read { try String.fetchOne($0, sql: sql) }
        try queue.close()
        return text
    }

    /// The contents of every file: the database and its write-ahead log.
    package func bytes() throws -> [Data] {
        try self.folder.files.map { try Data(contentsOf: URL(filePath: self.folder.path + "/" + $0)) }
    }
}
