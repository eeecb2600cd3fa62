import ArgumentParser
import MovieDomain
import OneSheetServer

/// `onesheet library`
struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library", abstract: "Copies, exports and erases user data.",
        subcommands: [LibraryCopy.self, LibraryExport.self, LibraryErase.self])
}

/// `onesheet library copy --from library.sqlite --to postgres://…`
struct LibraryCopy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copies favourites, watchlists, sessions, guests, ratings and links of films.",
        discussion: """
            From a library.sqlite to PostgreSQL, or back. Existing rows are kept, so the copy may be repeated. \
            Sessions of accounts stay valid with the same --secret-key-file. Stop the servers first, or repeat the \
            copy afterwards.
            """)

    @Option(help: "Path of a library.sqlite, or postgres://user@host/database", completion: .file())
    var from: String

    @Option(
        help: "Path of a library.sqlite, which is created if missing, or postgres://user@host/database",
        completion: .file())
    var to: String

    @Flag(help: "Print one JSON object on one line.")
    var json = false

    func run() async throws {
        var counts: [String: [String: Int]] = [:]
        var lines: [String] = []
        do {
            try await LibraryCopying().copy(
                from: LibraryCopying.Place(self.from), to: LibraryCopying.Place(self.to)
            ) { table, copied, present in
                counts[table] = ["copied": copied, "present": present]
                lines.append("\(table): \(copied) copied, \(present) already present")
            }
            // After the copy: a closed pipe ends the program.
            guard !self.json else { return try StandardOutput.write(try JSONLine.encode(counts)) }
            for line in lines { try StandardOutput.write(line) }
            if counts.values.allSatisfy({ $0.values.allSatisfy { $0 == 0 } }) {
                try StandardOutput.write("There is nothing to copy: the source has no user data.")
            }
        } catch let failure as StorageFailure {
            throw StandardError.failure(failure.reason)
        } catch {
            throw StandardError.failure("\(error)")
        }
    }
}
