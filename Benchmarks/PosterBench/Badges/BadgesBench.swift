import ArgumentParser
import PosterCodec

/// `poster-bench badges`
struct BadgesBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badges",
        abstract: "CPU time and heap of posters with three badges, beside the same posters without.",
        discussion: """
            On one thread, in pairs that begin with either by turns; a ratio belongs to a pair. Without files: the \
            embedded posters.
            """)

    @Option(help: "Widths of the posters in pixels, separated by commas.")
    var widths = "342,780"

    @Option(help: "Formats of the posters, separated by commas: avif, jpeg, jxl, png, webp.")
    var formats = "jpeg,webp"

    @Option(help: "Pairs of each file, width and format.")
    var rounds = 10

    @Flag(help: "Also measure libvips and Pillow at the same work, once in five rounds, where the Python has them.")
    var peers = false

    @Option(help: ArgumentHelp("The Python for --peers.", valueName: "program"))
    var python = "python3"

    @Option(help: ArgumentHelp("Every JPEG, PNG, WebP, AVIF and GIF below this folder instead.", valueName: "folder"))
    var corpus: String?

    @Argument(help: "Files instead.")
    var files: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard (1...1000).contains(self.rounds) else { throw BenchError("--rounds must be from 1 to 1000") }
        let widths = try self.widths.split(separator: ",").map { text in
            guard let width = Int(text), (1...4096).contains(width) else {
                throw BenchError("--widths: '\(text)' is no width from 1 to 4096")
            }
            return width
        }
        let formats = try self.formats.split(separator: ",").map { name in
            guard let format = OutputFormat(rawValue: String(name)) else {
                throw BenchError("--formats: unknown format '\(name)'; use avif, jpeg, jxl, png or webp")
            }
            return format
        }
        guard !widths.isEmpty, !formats.isEmpty else { throw BenchError("--widths and --formats must not be empty") }
        let files = try self.corpus.map { try PictureFiles.below($0) } ?? self.files
        let originals = try files.isEmpty ? PictureFiles.below(PictureFiles.posters) : files
        // As in the service.
        ProcessHeap.configure()
        try self.output.begin()
        let peers = self.peers ? try Peers(python: self.python) : nil
        let targets = widths.flatMap { width in formats.map { (width: width, format: $0) } }
        let badges = try BadgesOfFiles(originals, targets, rounds: self.rounds, beside: peers)
        try self.output.finish(badges.outcome)
    }
}
