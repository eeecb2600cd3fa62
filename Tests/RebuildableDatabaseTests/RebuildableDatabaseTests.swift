import FoundationEssentials
import GRDB
import Logging
import PosterTesting
import Testing

@testable import RebuildableDatabase

@Suite(.timeLimit(.hang))
struct RebuildableDatabaseTests {
    private static let schema = DatabaseSchema(
        migrations: [
            { db in try db.execute(sql: "CREATE TABLE note (text TEXT NOT NULL) STRICT") },
            { db in try db.execute(sql: "ALTER TABLE note ADD COLUMN size INTEGER NOT NULL DEFAULT 1") },
        ]
    ) { db in _ = try Row.fetchOne(db, sql: "SELECT text, size FROM note LIMIT 1") }

    private let folder = TemporaryFolder()
    private let log = LogRecorder()

    private var path: String { self.folder.path + "/notes.sqlite" }

    private func make(_ schema: DatabaseSchema = Self.schema, inMemory: Bool = false) -> RebuildableDatabase {
        RebuildableDatabase(
            path: inMemory ? nil : self.path, schema: schema, store: "notes", logger: self.log.logger(),
            rebuildMessage: "Rebuilt")
    }

    private func open(_ schema: DatabaseSchema = Self.schema, inMemory: Bool = false) throws -> RebuildableDatabase {
        let database = self.make(schema, inMemory: inMemory)
        #expect(try database.open())
        return database
    }

    private func add(_ text: String, to database: RebuildableDatabase) throws {
        try database.perform { writer in
            try writer.write { db in try db.execute(sql: "INSERT INTO note (text) VALUES (?)", arguments: [text]) }
        }
    }

    private func notes(_ database: RebuildableDatabase) async throws -> [String] {
        try await database.perform { writer in
            try await writer.read { db in try String.fetchAll(db, sql: "SELECT text FROM note") }
        }
    }

    private func change(_ sql: String) throws {
        let queue = try DatabaseQueue(path: self.path)
        try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
        try queue.close()
    }

    @Test func contentsOutliveTheProcessAndTheLogIsEmptied() async throws {
        let first = try self.open()
        try self.add("a", to: first)
        #expect(try first.open() == false, "it is open already")
        try first.close()
        let log = try? Data(contentsOf: URL(filePath: self.path + "-wal"))
        #expect(log?.isEmpty ?? true)
        let second = try self.open()
        #expect(try await self.notes(second) == ["a"])
        #expect(second.rebuildCount == 0 && self.log.warnings().count == 0)
        try second.close()
    }

    @Test func aFileOfAnEarlierVersionIsMigrated() async throws {
        let earlier = DatabaseSchema(migrations: [
            { db in try db.execute(sql: "CREATE TABLE note (text TEXT NOT NULL) STRICT") }
        ])
        let first = try self.open(earlier)
        try self.add("a", to: first)
        try first.close()
        let second = try self.open()
        #expect(try await self.notes(second) == ["a"])
        let version = try second.perform { writer in
            try writer.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") }
        }
        #expect(version == 2)
        try second.close()
    }

    @Test(
        "a damaged file is replaced when it is opened",
        arguments: ["no database", "zeros", "other tables", "a newer version", "tables without a version"])
    func damagedAtOpening(how: String) async throws {
        switch how {
        case "no database": try Data("this is no database, and never was".utf8).write(to: URL(filePath: self.path))
        case "zeros": try Data(repeating: 0, count: 5000).write(to: URL(filePath: self.path))
        default:
            try self.open().close()
            try self.change(
                how == "other tables"
                    ? "DROP TABLE note; CREATE TABLE note (x)"
                    : "PRAGMA user_version = \(how == "a newer version" ? 99 : 0)")
        }
        let database = try self.open()
        try self.add("a", to: database)
        #expect(try await self.notes(database) == ["a"])
        #expect(database.rebuildCount == 1 && self.log.warnings().count == 1)
        try database.close()
    }

    @Test func aNewerVersionIsLeftAloneWhereThatIsWanted() throws {
        try self.open().close()
        try self.change("PRAGMA user_version = 3")
        let careful = self.make(DatabaseSchema(migrations: [{ _ in }, { _ in }], newerVersions: .refuse))
        let refusal = #expect(throws: DatabaseSchema.NewerVersion.self) { try careful.open() }
        #expect(refusal?.version == 3)
        #expect(careful.rebuildCount == 0)
        try self.change("PRAGMA user_version = 2")
        #expect(try careful.open())
        try careful.close()
    }

    @Test(arguments: [false, true])
    func aDatabaseThatIsDamagedInUseIsReplaced(inMemory: Bool) async throws {
        let database = try self.open(inMemory: inMemory)
        try self.add("a", to: database)
        try database.perform { writer in try writer.write { try $0.execute(sql: "DROP TABLE note") } }
        #expect(try await self.notes(database) == [])
        try self.add("b", to: database)
        #expect(try await self.notes(database) == ["b"])
        #expect(database.rebuildCount == 1)
        try database.close()
    }

    @Test func usersThatMeetTheSameDamageReplaceTheFileOnce() async throws {
        let database = try self.open()
        try database.perform { writer in try writer.write { try $0.execute(sql: "DROP TABLE note") } }
        try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    do { _ = try await self.notes(database) } catch is DatabaseNotOpen {
                        // The database is being replaced.
                    } catch let error as DatabaseError
                        where [.SQLITE_MISUSE, .SQLITE_CANTOPEN].contains(error.resultCode)
                    {
                        // The damaged database was closed or removed before the read.
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(database.rebuildCount == 1)
        try database.close()
    }

    @Test func withoutADatabaseEveryUseFailsAtOnce() async throws {
        let database = RebuildableDatabase(
            path: self.folder.path + "/missing/notes.sqlite", schema: Self.schema, store: "notes",
            logger: self.log.logger(), rebuildMessage: "Rebuilt")
        #expect(throws: DatabaseError.self) { try database.open() }
        await #expect(throws: DatabaseNotOpen.self) { try await self.notes(database) }
        try FileManager.default.createDirectory(
            atPath: self.folder.path + "/missing", withIntermediateDirectories: false)
        #expect(try database.open())
        try self.add("a", to: database)
        try database.close()
        #expect(throws: DatabaseNotOpen.self) { try self.add("b", to: database) }
        #expect(try database.open() == false, "closed for good")
        #expect(throws: DatabaseNotOpen.self) { try self.add("b", to: database) }
    }
}
