import ArgumentParser
import OneSheetConfiguration
import OneSheetServer

/// `onesheet purge ID...`
struct Purge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forgets posters: their originals, their variants, and that they could not be had.",
        discussion: "Through the running server when one holds the data directory.")

    @Argument(help: "[source:]key")
    var ids: [String]

    @Flag(help: "The result as one JSON object on one line.")
    var json = false

    @OptionGroup
    var options: ServiceOptions

    func run() async throws {
        try await ControlCommand.run(.purge(ids: self.ids), options: self.options.given, isJSON: self.json) { _ in false
        }
    }
}
