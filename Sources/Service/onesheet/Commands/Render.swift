import ArgumentParser
import Flights
import OneSheetConfiguration
import OneSheetServer
import PosterCodec
import PosterOrigins
import PosterPipeline

/// `onesheet render IN OUT --width 368`
struct Render: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Renders one picture file, at one or several sizes and in one or several formats.",
        discussion: """
            Widths, heights and formats may be lists, such as --width 92,154 --format jpeg,webp: every combination is \
            rendered, from as few decodes as possible, and the output is a pattern such as 'out-{width}.{format}'. \
            An output file appears complete or not at all. '-' is standard input or output; reports of a picture on \
            standard output go to standard error.
            """)

    /// The options that take a list.
    static let lists: Set = ["--width", "--height", "--format"]

    @Argument(help: "The original: a file, a pipe, or - for standard input.", completion: .file())
    var input: String

    @Argument(
        help: """
            The file to write, or - for standard output; {width}, {height}, {format} and {name}, the input's, are \
            replaced.
            """, completion: .file())
    var output: String

    @Option(
        name: [.customShort("w"), .long],
        help: "Width of the box in pixels, 1 to 4096, or a list; a picture is never enlarged. Default: the original's.")
    var width: String?

    @Option(help: "Height of the box in pixels, 1 to 4096, or a list. Default: by the aspect ratio.")
    var height: String?

    @Option(help: "contain: fit inside the box; cover: fill the box and crop the rest. Default: contain.")
    var fit: String?

    @Option(help: "Part that a crop keeps: center, top, bottom, left, right, entropy or attention. Default: center.")
    var position: String?

    @Option(help: "Device pixel ratio, 1 to 4, which multiplies width and height. Default: 1.")
    var dpr: String?

    @Option(help: "jxl, avif, webp, jpeg or png, or a list. Default: by the output file's extension; jpeg for -.")
    var format: String?

    @Option(
        help: """
            low, auto or high: the likeness to the original; or the encoder's quality, 1 to 100. Ignored for png. \
            Default: auto
            """)
    var quality: String?

    @Option(help: "Background of transparent pixels where the format has no alpha: RRGGBB. Default: ffffff.")
    var background: String?

    @Option(help: "full, balanced or fast: how much of a progressive JPEG may be left out. Default: balanced.")
    var effort: String?

    @Flag(inversion: .prefixedNo, help: "Print the plan, and time and bytes per stage.")
    var explain: Bool?

    @Option(help: "Number of renders, 1 to 100000; times are their medians. Default: 1.")
    var `repeat`: String?

    @Flag(inversion: .prefixedNo, help: "Print the explanation as one JSON object on one line.")
    var json: Bool?

    @Flag(inversion: .prefixedNo, help: "Decode the original separately for each result, for comparisons.")
    var alone: Bool?

    @Option(help: "Where to decode: process, thread or required, as for 'serve'. Default: thread")
    var isolation: String?

    @Option(help: "Largest file. Default: 64MiB")
    var maxBytes: String?

    @OptionGroup(title: FileCommandHelp.limits)
    var limits: LimitOptions

    func run() async throws {
        do {
            try await FileRender(self).run()
        } catch let error as SettingError {
            throw ValidationError(error.description)
        } catch let error where error is ValidationError || error is ExitCode {
            throw error
        } catch {
            throw StandardError.failure(PictureFileError.line(error, name: PictureInput(path: self.input).name))
        }
    }
}

/// The renders of one file, with parsed options.
struct FileRender {
    let input: PictureInput
    let outputs: [RenderOutput]
    let pattern: OutputPattern
    let limits: CodecLimits
    let codec: FileCodec
    let repetitions: Int
    let explains: Bool
    let isJSON: Bool
    /// Whether each target is decoded separately.
    let isAlone: Bool

    init(_ command: Render) throws {
        let settings = Settings(command.given)
        self.limits = try CodecLimits(ofFiles: settings)
        self.codec = try FileCodec(settings, limits: self.limits)
        self.repetitions = try settings.number("repeat", in: 1...100_000) ?? 1
        self.isJSON = try settings.isOn("json")
        self.explains = try settings.isOn("explain") || self.isJSON
        self.isAlone = try settings.isOn("alone")
        self.input = PictureInput(path: command.input)
        self.pattern = OutputPattern(command.output, input: self.input)
        try PictureOutput.check(command.output)
        self.outputs = try RenderOutput.all(
            settings, defaultFormat: try self.pattern.format(isGiven: settings.text("format") != nil))
        try self.pattern.check(self.outputs)
    }

    func run() async throws {
        let bytes = try await self.input.read(limit: self.limits.maxBytes)
        try self.checkPaths(try self.header(of: bytes))
        if self.outputs.count > 1 {
            try MultiOutputRender(render: self, bytes: bytes).run()
        } else {
            try self.run(bytes)
        }
    }

    /// - Throws: `ValidationError` if an output would replace the input.
    private func checkPaths(_ header: ImageHeader) throws {
        for output in self.outputs {
            let size = try? Framing(of: header.uprightSize, as: output.target).size
            guard self.input.isFile(at: self.pattern.path(of: output, size: size)) else { continue }
            throw ValidationError("the output is the input; choose another name")
        }
    }

    private func run(_ bytes: LoadedBytes) throws {
        var reports: [RenderReport.Milliseconds] = []
        var last: (plan: RenderPlan, picture: RenderedPicture)?
        for _ in 0..<self.repetitions {
            let start = Uptime.nanoseconds()
            let header = try self.header(of: bytes)
            let fitted = try RenderPlan(header, target: self.outputs[0].target, limits: self.limits)
            let plan = bytes.withSpan { fitted.choosingScans(in: $0, limits: self.limits) }
            let probed = Uptime.nanoseconds()
            let picture = try self.codec.picture(bytes, plan: plan, target: self.outputs[0].target)
            reports.append(.init(probe: probed - start, stages: picture.timings, total: Uptime.nanoseconds() - start))
            last = (plan, picture)
        }
        guard let (plan, picture) = last else { return }
        let path = self.pattern.path(of: self.outputs[0], size: plan.size)
        try PictureOutput.write(picture.bytes, to: path)
        guard self.explains else { return }
        let report = RenderReport(
            plan: .init(plan, sourceBytes: bytes.count), milliseconds: .medians(of: reports),
            bytes: picture.bytes.count)
        try PictureOutput.writeReport(self.isJSON ? try JSONLine.encode(report) : report.text, besides: path)
    }

    func header(of bytes: LoadedBytes) throws(CodecError) -> ImageHeader {
        try bytes.withSpan { (span) throws(CodecError) in try inspect(span, limits: self.limits) }
    }
}
