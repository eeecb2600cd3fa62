import ArgumentParser
import FoundationEssentials
import PosterCodec

/// The measuring itself: `poster-bench [--width N] [--repeat N] [--json FILE] [FILE...]`.
struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Time and peak memory of each file's way to a poster (the default).",
        discussion: "Without files: two committed originals, found from the repository's root."
    )

    @Option(help: "The posters' width in pixels.")
    var width = 368

    @Option(help: "How often each way is timed; the median counts.")
    var `repeat` = 15

    @Option(help: ArgumentHelp("Also write the figures to this file.", valueName: "file"))
    var json: String?

    @Argument(help: "JPEG files.")
    var files = [
        "bench-data/originals/nosferatu-1922.jpg",  // 2000×3000, baseline, 4:2:0
        "bench-data/originals/metropolis-1927.jpg",  // 2000×3000, progressive, 4:4:4
    ]

    func run() throws {
        guard self.width >= 1 else { throw BenchError("--width must be at least 1") }
        guard self.repeat >= 1 else { throw BenchError("--repeat must be at least 1") }
        let machine = Machine.current
        print(machine.text)
        var report = OldReport(machine: machine, width: self.width, rounds: self.repeat, files: [])
        for file in self.files {
            let result = try FileResult(measuring: file, width: self.width, rounds: self.repeat)
            print("", result.text, separator: "\n")
            report.files.append(result)
        }
        if let json = self.json { try self.write(report, to: json) }
    }

    private func write(_ report: OldReport, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(report)
        do {
            try data.write(to: URL(filePath: path))
        } catch {
            throw BenchError("cannot write \(path)")
        }
    }
}
