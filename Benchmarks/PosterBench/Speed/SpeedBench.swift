import ArgumentParser
import PosterCodec

/// `poster-bench speed`
struct SpeedBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speed",
        abstract: "Milliseconds of each stage on one thread, throughput of all cores, and other programs beside them.",
        discussion: """
            Without files: one committed poster in every coding and size, made on the first run. Each round measures \
            everything once, by turns, so that a neighbour's load falls on all; medians count.
            """)

    @Option(help: "The posters' width in pixels.")
    var width = 368

    @Option(help: "Formats of the posters, separated by commas: avif, jpeg, webp, png.")
    var formats = "jpeg,webp"

    @Option(help: "How often each file is measured.")
    var rounds = 5

    @Option(help: "Renders of a file in each round.")
    var runs = 3

    @Flag(help: "Also measure libvips, Pillow and OpenCV, where the Python has them.")
    var peers = false

    @Option(help: ArgumentHelp("The Python for --peers.", valueName: "program"))
    var python = "python3"

    @Option(help: ArgumentHelp("Every JPEG, PNG, WebP, AVIF and GIF below this folder instead.", valueName: "folder"))
    var corpus: String?

    @Argument(help: "Files instead.")
    var files: [String] = []

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.width >= 1 else { throw BenchError("--width must be at least 1") }
        guard self.rounds >= 1, self.runs >= 1 else { throw BenchError("--rounds and --runs must be at least 1") }
        let formats = try self.formats.split(separator: ",").map { name in
            guard let format = OutputFormat(rawValue: String(name)) else {
                throw BenchError("--formats: unknown format '\(name)'; use avif, jpeg, webp or png")
            }
            return format
        }
        let files = try self.corpus.map { try PictureFiles.below($0) } ?? self.files
        let originals = files.isEmpty ? try Self.made() : files.map { SpeedOriginal(file: $0, below: self.corpus) }
        try self.output.begin()
        let peers = self.peers ? try Peers(python: self.python) : nil
        var outcome = Outcome()
        for format in formats {
            var speed = SpeedOfFiles(width: self.width, format: format, rounds: self.rounds, runs: self.runs)
            try speed.measure(originals, beside: format == .png ? nil : peers)
            outcome.append(speed.outcome)
        }
        outcome.append(try Throughput(originals: originals.map(\.file), width: self.width).outcome())
        try self.output.finish(outcome)
    }

    private static func made() throws -> [SpeedOriginal] {
        let originals = MadeOriginals()
        return try OriginalKind.allCases.flatMap { kind in
            try OriginalSize.allCases.map { size in
                SpeedOriginal(file: try originals.file(kind, size), name: "\(kind.rawValue) \(size.name)")
            }
        }
    }
}

struct SpeedOriginal {
    let file: String
    let name: String

    init(file: String, name: String) {
        (self.file, self.name) = (file, name)
    }

    /// - Parameter folder: Omitted from the name.
    init(file: String, below folder: String?) {
        self.file = file
        self.name = folder.map { String(file.dropFirst($0.count + 1)) } ?? file
    }
}
