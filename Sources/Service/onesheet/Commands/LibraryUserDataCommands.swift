import ArgumentParser
import MovieDomain
import OneSheetConfiguration
import OneSheetServer

struct LibraryUser: ParsableArguments {
    @Argument(
        help: "tmdb:548 or sample:4ecui3ah for an account, as GET /account names it, or device:ID as in an export.",
        transform: { text in
            guard let owner = Owner(key: text) else {
                throw ValidationError("'\(TerminalText.escaped(text))' is not a user: use SOURCE:ID or device:ID.")
            }
            return owner
        })
    var user: Owner

    @Option(help: "Path of a library.sqlite, or postgres://user@host/database", completion: .file())
    var library: String

    /// - Throws: `ExitCode`, after a line on standard error.
    func use<Value>(_ body: (LibraryUserData) async throws -> Value) async throws -> Value {
        do {
            return try await body(LibraryUserData(LibraryCopying.Place(self.library)))
        } catch let failure as StorageFailure {
            throw StandardError.failure(failure.reason)
        } catch {
            throw StandardError.failure("\(error)")
        }
    }
}

/// `onesheet library export USER --library PLACE`
struct LibraryExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints all data stored about a user as JSON.",
        discussion: """
            The response of GET /account/export: favourites, watchlist, ratings, accounts and sessions, without \
            tokens; for a device, together with its guests. Data that TMDB stores about its users is not included.
            """)

    @OptionGroup
    var target: LibraryUser

    func run() async throws {
        guard let json = try await self.target.use({ try await $0.export(self.target.user) }) else {
            throw StandardError.failure("nothing is stored about \(TerminalText.escaped(self.target.user.key))")
        }
        try StandardOutput.write(String(decoding: json, as: UTF8.self))
    }
}

/// `onesheet library erase USER --library PLACE`
struct LibraryErase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Deletes all data stored about a user. Cannot be undone.",
        discussion: """
            Like DELETE /account: favourites, watchlist, ratings, guests and sessions, in one transaction. Sessions at \
            TMDB are not ended. A server that uses a library.sqlite must be stopped first; one that uses PostgreSQL \
            may run.
            """)

    @OptionGroup
    var target: LibraryUser

    @Flag(help: "Print one JSON object on one line.")
    var json = false

    func run() async throws {
        let erased = try await self.target.use { try await $0.erase(self.target.user) }
        let counts: KeyValuePairs = [
            "favourites": erased.favourites, "watchlist": erased.watchlist, "ratings": erased.ratings,
            "guests": erased.guests, "sessions": erased.sessions,
        ]
        guard !self.json else {
            try StandardOutput.write(try JSONLine.encode(Dictionary(uniqueKeysWithValues: counts.map { ($0, $1) })))
            return
        }
        guard counts.contains(where: { $0.value > 0 }) else {
            let user = TerminalText.escaped(self.target.user.key)
            return try StandardOutput.write("There is nothing to delete: nothing is stored about \(user).")
        }
        let texts = counts.map { "\($0) \($1)" }
        try StandardOutput.write("deleted: \(texts.joined(separator: ", "))")
    }
}
