import FoundationEssentials
import GRDB
import Logging
import MovieData
import MovieDomain
import PosterTesting
import Synchronization

/// A library in a folder of its own, with a way past those who keep things in it.
final class LibraryFile: Sendable {
    let folder = TemporaryFolder()

    var path: String { self.folder.path + "/library.sqlite" }

    func open() throws -> LibraryDatabase { try LibraryDatabase(path: self.path) }

    /// Does what no program of ours does.
    func change(_ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: self.path)
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    func count(_ table: String) throws -> Int {
        let queue = try DatabaseQueue(path: self.path)
        let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
        try queue.close()
        return count ?? 0
    }

    func text(_ sql: String) throws -> String? {
        let queue = try DatabaseQueue(path: self.path)
        let text = try queue.read { try String.fetchOne($0, sql: sql) }
        try queue.close()
        return text
    }

    /// Everything that is on disk: the database and its log.
    func bytes() throws -> [Data] {
        try self.folder.files.map { try Data(contentsOf: URL(filePath: self.folder.path + "/" + $0)) }
    }
}

/// How often was warned.
final class WarningCounter: Sendable {
    private struct Handler: LogHandler {
        let counter: WarningCounter
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) { self.counter.warnings.add(1, ordering: .relaxed) }
    }

    private let warnings = Atomic<Int>(0)

    var count: Int { self.warnings.load(ordering: .relaxed) }

    var logger: Logger { Logger(label: "test") { _ in Handler(counter: self) } }
}

/// A time of day that tests move.
final class WallClock: Sendable {
    private let seconds: Atomic<Int64>

    init(_ seconds: Int64 = 500) {
        self.seconds = Atomic(seconds)
    }

    var now: @Sendable () -> Instant { { Instant(secondsSince1970: self.seconds.load(ordering: .relaxed)) } }

    func advance(seconds: Int64) { self.seconds.add(seconds, ordering: .relaxed) }
}
