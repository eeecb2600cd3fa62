import ArgumentParser
import PosterCodec
import PosterOrigins
import PosterPipeline

/// `onesheet render IN OUT --width 368`
struct Render: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Renders one picture file at the width asked for.",
        discussion: "The output file appears complete or not at all.")

    @Argument(help: "The original.")
    var input: String

    @Argument(help: "The file to write.")
    var output: String

    @Option(help: "Width in pixels, 1 to 8192; never wider than the original. Default: the original's.")
    var width: String?

    @Option(help: "jpeg or webp. Default: by the output file's extension, else jpeg.")
    var format: String?

    @Option(help: "Quality, 1 to 100. Default: 82 for jpeg, 80 for webp.")
    var quality: String?

    @Flag(inversion: .prefixedNo, help: "Print the plan, and time and bytes per stage.")
    var explain: Bool?

    @Option(name: .customLong("repeat"), help: "Render so many times and give medians, 1 to 100000. Default: 1.")
    var repetitions: String?

    @Flag(inversion: .prefixedNo, help: "Explain as one JSON object on one line.")
    var json: Bool?

    func run() async throws {
        do {
            let job = try RenderJob(self)
            try job.run()
        } catch let error as SettingError {
            throw ValidationError(error.description)
        } catch {
            StandardError.write("onesheet: \(ErrorText.file(of: error) ?? self.input): \(ErrorText.describe(error))")
            throw ExitCode.failure
        }
    }
}

extension ErrorText {
    /// A file operation names its own file already.
    static func file(of error: any Error) -> String? {
        (error as? FileError)?.path
    }
}

/// A render of one file, with its options read.
struct RenderJob {
    let input: String
    let output: String
    let target: RenderTarget
    let repetitions: Int
    let explains: Bool
    let isJSON: Bool

    init(_ command: Render) throws {
        var given: [String: [String]] = [:]
        given["width"] = command.width.map { [$0] }
        given["format"] = command.format.map { [$0] }
        given["quality"] = command.quality.map { [$0] }
        given["repeat"] = command.repetitions.map { [$0] }
        given["explain"] = command.explain.map { ["\($0)"] }
        given["json"] = command.json.map { ["\($0)"] }
        let settings = Settings(given)
        let format = try settings.value("format", allowed: "jpeg or webp") { OutputFormat(rawValue: $0) }
        self.target = RenderTarget(
            width: try settings.number("width", in: 1...CodecLimits.maxRenderedSide),
            format: format ?? (command.output.lowercased().hasSuffix(".webp") ? .webp : .jpeg),
            quality: try settings.number("quality", in: 1...100))
        self.repetitions = try settings.number("repeat", in: 1...100_000) ?? 1
        self.isJSON = try settings.isOn("json")
        self.explains = try settings.isOn("explain") || self.isJSON
        self.input = command.input
        self.output = command.output
    }

    func run() throws {
        let bytes = try OriginalBytes.mapping(self.input)
        var reports: [RenderReport.Milliseconds] = []
        var last: (plan: RenderPlan, picture: RenderedPicture)?
        for _ in 0..<self.repetitions {
            let start = Uptime.nanoseconds()
            let header = try bytes.withSpan { (span) throws(CodecError) in try inspect(span, limits: .init()) }
            let plan = try RenderPlan(header, target: self.target)
            let probed = Uptime.nanoseconds()
            let picture = try bytes.withSpan { (span) throws(CodecError) in
                try PosterCodec.render(span, plan: plan, control: RenderControl(now: Uptime.nanoseconds))
            }
            reports.append(.init(probe: probed - start, stages: picture.timings, total: Uptime.nanoseconds() - start))
            last = (plan, picture)
        }
        guard let (plan, picture) = last else { return }
        try AtomicFile.write(picture.bytes, to: self.output)
        guard self.explains else { return }
        let report = RenderReport(
            plan: .init(plan, sourceBytes: bytes.count), milliseconds: .medians(of: reports),
            bytes: picture.bytes.count)
        try StandardOutput.write(self.isJSON ? try JSONLine.encode(report) : report.text)
    }
}
