import ArgumentParser
import OneSheetConfiguration
import OneSheetServer

/// `onesheet verify`
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads every stored original, compares it with its digest, and repairs what is wrong.",
        discussion:
            "Through the running server when one holds the data directory. Fails when something could not be kept or, without repair, when anything is wrong."
    )

    @Flag(inversion: .prefixedNo, help: "Drop what is damaged and bring the index up to date. Default: yes")
    var repair = true

    @Flag(help: "The result as one JSON object on one line.")
    var json = false

    @OptionGroup
    var options: ServiceOptions

    func run() async throws {
        let flaws = self.repair ? ["damaged", "unusable"] : ["damaged", "unusable", "unknown", "missing", "leftovers"]
        try await ControlCommand.run(.verify(repair: self.repair), options: self.options.given, isJSON: self.json) {
            summary in flaws.contains { summary[$0, default: 0] > 0 }
        }
    }
}
