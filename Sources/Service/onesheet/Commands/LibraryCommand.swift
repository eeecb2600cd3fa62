import ArgumentParser
import MovieDomain
import OneSheetServer

/// `onesheet library`
struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Copies, exports and erases what users keep.",
        subcommands: [LibraryCopy.self, LibraryExport.self, LibraryErase.self])
}

/// `onesheet library copy --from library.sqlite --to postgres://…`
struct LibraryCopy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies favourites, watchlists, sessions, guests, ratings and links of films.",
        discussion: """
            From a library.sqlite to PostgreSQL, or back. What is there already stays, so that it may be repeated. Sessions \
            of accounts go on where the same --secret-key-file is used. Stop the servers before, or repeat it afterwards.
            """)

    @Option(help: "Path of a library.sqlite, or postgres://user@host/database")
    var from: String

    @Option(help: "Path of a library.sqlite, which is made when it is missing, or postgres://user@host/database")
    var to: String

    @Flag(help: "As one JSON object on one line.")
    var json = false

    func run() async throws {
        var counts: [String: [String: Int]] = [:]
        do {
            try await LibraryCopying().copy(
                from: LibraryCopying.Place(self.from), to: LibraryCopying.Place(self.to)
            ) { table, copied, present in
                counts[table] = ["copied": copied, "present": present]
                guard !self.json else { return }
                try? StandardOutput.write("\(table): \(copied) copied, \(present) there already\n")
            }
            if self.json { try StandardOutput.write(try JSONLine.encode(counts)) }
        } catch let failure as StorageFailure {
            throw StandardError.failure(failure.reason)
        } catch {
            throw StandardError.failure("\(error)")
        }
    }
}
