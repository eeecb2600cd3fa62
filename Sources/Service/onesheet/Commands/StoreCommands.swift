import ArgumentParser
import OneSheetConfiguration
import OneSheetServer

/// `onesheet warm ID... --width 368`
struct Warm: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "warm",
        abstract: "Renders posters in advance.",
        discussion: """
            Into the memory of the server that holds the data directory, with lower priority than requests. Without a \
            server, originals are fetched to disk with the options of 'serve', and nothing is rendered. Fails if any \
            poster fails.
            """)

    @Argument(help: "[source:]key")
    var ids: [String]

    @Option(name: .customLong("width"), help: "In pixels, repeatable, or a list. Default: 368, or the next of --widths")
    var widths: [String] = []

    @Option(
        name: .customLong("format"),
        help: """
            jxl, avif, webp, jpeg or png, repeatable, or a list. Default: the server's --formats, without avif
            """,
        completion: .list(["jxl", "avif", "webp", "jpeg", "png"]))
    var formats: [String] = []

    @Flag(help: .jsonResult)
    var json = false

    func validate() throws {
        for text in Self.parts(self.widths) where Int(text) == nil {
            throw ValidationError("--width must be whole numbers of pixels, not '\(text)'.")
        }
    }

    /// The values of an option that may be repeated or a list.
    private static func parts(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    func run(_ given: [String: [String]]) async throws {
        let widths = Self.parts(self.widths).compactMap { Int($0) }
        let request = ControlRequest.warm(ids: self.ids, widths: widths, formats: Self.parts(self.formats))
        try await ControlCommand.run(request, given, isJSON: self.json) { $0["failed", default: 0] > 0 }
    }
}

/// `onesheet purge ID...`
struct Purge: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Removes posters: their originals, their variants, and cached failures.",
        discussion: "Through the running server when one holds the data directory. Fails if a source is unknown.")

    @Argument(help: "[source:]key")
    var ids: [String]

    @Flag(help: .jsonResult)
    var json = false

    func run(_ given: [String: [String]]) async throws {
        try await ControlCommand.run(.purge(ids: self.ids), given, isJSON: self.json) { $0["failed", default: 0] > 0 }
    }
}

/// `onesheet verify`
struct Verify: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies every stored original and variant by its digest, and repairs damage.",
        discussion:
            "Through the running server when one holds the data directory. Fails if anything is damaged or unreadable or, without repair, if anything is inconsistent."
    )

    @Flag(inversion: .prefixedNo, help: "Delete damaged files and update the index. Default: yes")
    var repair: Bool?

    @Flag(help: .jsonResult)
    var json = false

    func run(_ given: [String: [String]]) async throws {
        let repair = self.repair ?? true
        let flaws =
            ["damaged", "unusable", "variantsDamaged", "variantsUnusable", "sharedDamaged", "sharedUnusable"]
            + (repair ? [] : ["unknown", "missing", "leftovers", "variantsOutdated", "variantLeftovers"])
        try await ControlCommand.run(.verify(repair: repair), given, isJSON: self.json) {
            summary in flaws.contains { summary[$0, default: 0] > 0 }
        }
    }
}
