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
        abstract: "Renders one picture file at the given width.",
        discussion: "The output file appears complete or not at all.")

    @Argument(help: "The original.")
    var input: String

    @Argument(help: "The file to write.")
    var output: String

    @Option(help: "Width of the box in pixels, 1 to 4096; a picture is never enlarged. Default: the original's.")
    var width: String?

    @Option(help: "Height of the box in pixels, 1 to 4096. Default: by the aspect ratio.")
    var height: String?

    @Option(help: "contain: whole, inside the box; cover: filling it, the rest cut off. Default: contain.")
    var fit: String?

    @Option(help: "Which part a crop keeps: center, top, bottom, left, right or entropy. Default: center.")
    var position: String?

    @Option(help: "Device pixel ratio, 1 to 4, that width and height are multiplied by. Default: 1.")
    var dpr: String?

    @Option(help: "jpeg, webp or png. Default: by the output file's extension, else jpeg.")
    var format: String?

    @Option(help: "Quality, 1 to 100; ignored for png. Default: 82 for jpeg, 80 for webp.")
    var quality: String?

    @Option(help: "Background of transparent pixels where the format has no alpha: RRGGBB. Default: ffffff.")
    var background: String?

    @Option(help: "full, balanced or fast: how much of a progressive JPEG may be left out. Default: balanced.")
    var effort: String?

    @Flag(inversion: .prefixedNo, help: "Print the plan, and time and bytes per stage.")
    var explain: Bool?

    @Option(help: "Render so many times and give medians, 1 to 100000. Default: 1.")
    var `repeat`: String?

    @Flag(inversion: .prefixedNo, help: "Explain as one JSON object on one line.")
    var json: Bool?

    @Option(help: "Largest file. Default: 64MiB")
    var maxBytes: String?

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    func run() async throws {
        do {
            try RenderJob(self).run()
        } catch let error as SettingError {
            throw ValidationError(error.description)
        } catch {
            throw StandardError.failure("\((error as? FileError)?.path ?? self.input): \(error)")
        }
    }
}

/// A render of one file, with its options read.
struct RenderJob {
    let input: String
    let output: String
    let target: RenderTarget
    let limits: CodecLimits
    let repetitions: Int
    let explains: Bool
    let isJSON: Bool

    init(_ command: Render) throws {
        let settings = Settings(command.given)
        let ratio = try settings.value("dpr", allowed: DevicePixelRatio.forms, parse: DevicePixelRatio.init) ?? .one
        self.target = RenderTarget(
            width: try Self.side("width", settings, ratio), height: try Self.side("height", settings, ratio),
            fit: try settings.choice("fit") ?? .contain, position: try settings.choice("position") ?? .center,
            format: try settings.choice("format") ?? Self.format(of: command.output),
            quality: try settings.number("quality", in: 1...100),
            background: try settings.value(
                "background", allowed: RenderTarget.Background.forms, parse: RenderTarget.Background.init(hex:))
                ?? .white,
            effort: try settings.choice("effort") ?? .balanced)
        self.limits = try CodecLimits(ofFiles: settings)
        self.repetitions = try settings.number("repeat", in: 1...100_000) ?? 1
        self.isJSON = try settings.isOn("json")
        self.explains = try settings.isOn("explain") || self.isJSON
        self.input = command.input
        self.output = command.output
    }

    /// A side of the box, in pixels of the device.
    private static func side(_ option: String, _ settings: Settings, _ ratio: DevicePixelRatio) throws -> Int? {
        let limit = CodecLimits.maxTargetSide
        guard let side = try settings.number(option, in: 1...limit) else { return nil }
        guard ratio.applied(to: side) <= limit else {
            throw SettingError(option: option, value: "\(side)", allowed: "at most \(limit) once multiplied by dpr")
        }
        return ratio.applied(to: side)
    }

    private static func format(of path: String) -> OutputFormat {
        let path = path.lowercased()
        return path.hasSuffix(".webp") ? .webp : path.hasSuffix(".png") ? .png : .jpeg
    }

    func run() throws {
        let bytes = try LoadedBytes.reading(self.input, limit: self.limits.maxBytes)
        var reports: [RenderReport.Milliseconds] = []
        var last: (plan: RenderPlan, picture: RenderedPicture)?
        for _ in 0..<self.repetitions {
            let start = Uptime.nanoseconds()
            let header = try bytes.withSpan { (span) throws(CodecError) in try inspect(span, limits: self.limits) }
            let fitted = try RenderPlan(header, target: self.target, limits: self.limits)
            let plan = bytes.withSpan { fitted.choosingScans(in: $0, limits: self.limits) }
            let probed = Uptime.nanoseconds()
            let picture = try bytes.withSpan { (span) throws(CodecError) in
                try PosterCodec.render(
                    span, plan: plan, limits: self.limits,
                    control: RenderControl(now: Uptime.nanoseconds, cpuTime: ThreadTime.nanoseconds))
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
