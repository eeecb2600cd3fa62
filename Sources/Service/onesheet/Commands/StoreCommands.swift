import ArgumentParser
import OneSheetConfiguration
import OneSheetServer

/// `onesheet warm ID... --width 368`
struct Warm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes posters before anybody asks for them.",
        discussion: """
            In the memory of the server that holds the data directory, after everything that clients wait for. Without a server \
            originals are fetched to disk, with the options of 'serve', and nothing is rendered. Fails when one could not be had.
            """)

    @Argument(help: "[source:]key")
    var ids: [String]

    @Option(name: .customLong("width"), help: "In pixels, repeatable. Default: 368, or the next of --widths")
    var widths: [Int] = []

    @Option(name: .customLong("format"), help: "jpeg, webp or png, repeatable. Default: webp and jpeg")
    var formats: [String] = []

    @Flag(help: "The result as one JSON object on one line.")
    var json = false

    @OptionGroup
    var options: ServiceOptions

    func run() async throws {
        let request = ControlRequest.warm(ids: self.ids, widths: self.widths, formats: self.formats)
        try await ControlCommand.run(request, options: self.options.given, isJSON: self.json) {
            $0["failed", default: 0] > 0
        }
    }
}

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
