import ArgumentParser

/// `poster-bench memory`
struct MemoryBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory",
        abstract: "Memory of one poster, beside decoding the whole picture and resizing it afterwards.",
        discussion: """
            Each poster is made in a fresh process that has the original and the program in memory; the lowest of \
            three counts. The originals are one committed poster in every coding and size, made on the first run.
            """)

    @Option(help: "The posters' width in pixels.")
    var width = 368

    @Option(help: ArgumentHelp("Every JPEG, PNG, WebP, AVIF and GIF below this folder instead.", valueName: "folder"))
    var corpus: String?

    @Flag(help: "Also count pages of the program's code first touched by a poster, which all processes share.")
    var coldCode = false

    @Flag(help: "Measure jobs of six widths in two formats instead.")
    var ladder = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard self.width >= 1 else { throw BenchError("--width must be at least 1") }
        guard !self.ladder || self.corpus == nil else { throw BenchError("--ladder has originals of its own") }
        try self.output.begin()
        if self.ladder {
            try self.output.finish(
                MemoryOfLadders(
                    kinds: OriginalKind.allCases, sizes: [.medium, .usual, .large], hasColdCode: self.coldCode
                )
                .outcome)
        } else if let corpus = self.corpus {
            try self.output.finish(
                MemoryOfFiles(
                    folder: corpus, files: PictureFiles.below(corpus), width: self.width, hasColdCode: self.coldCode
                )
                .outcome())
        } else {
            let memory = try MemoryOfKinds(
                kinds: OriginalKind.allCases, sizes: OriginalSize.allCases, width: self.width,
                hasColdCode: self.coldCode)
            try self.output.finish(memory.outcome)
        }
    }
}
