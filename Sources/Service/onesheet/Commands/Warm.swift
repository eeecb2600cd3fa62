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
