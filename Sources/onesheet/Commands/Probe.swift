import ArgumentParser
import PosterCodec
import PosterOrigins
import PosterPipeline

/// `onesheet probe FILE...`
struct Probe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what picture files are, from their headers.",
        discussion: "Width and height are as stored; orientations 5 to 8 exchange them when the picture is shown.")

    @Argument(help: "Picture files.")
    var files: [String]

    @Flag(inversion: .prefixedNo, help: "One JSON object a line.")
    var json: Bool?

    func run() async throws {
        let isJSON = try Settings(self.json.map { ["json": ["\($0)"]] } ?? [:]).isOn("json")
        var failed = false
        for file in self.files {
            let line: String
            do {
                let bytes = try OriginalBytes.mapping(file)
                let header = try bytes.withSpan { (span) throws(CodecError) in try inspect(span, limits: .init()) }
                let report = ProbeReport(path: file, header: header, bytes: bytes.count)
                line = isJSON ? try JSONLine.encode(report) : report.text
            } catch {
                failed = true
                StandardError.write("onesheet: \(file): \(ErrorText.describe(error))")
                continue
            }
            do {
                try StandardOutput.write(line)
            } catch {
                StandardError.write("onesheet: \(error)")
                throw ExitCode.failure
            }
        }
        if failed { throw ExitCode.failure }
    }
}

/// What `probe` tells of a file.
struct ProbeReport: Encodable {
    let path: String
    let format: String
    let width: Int
    let height: Int
    let orientation: Int
    let progressive: Bool
    let subsampling: String?
    let bitDepth: Int
    let hasAlpha: Bool
    let frames: Int
    let icc: Bool
    let bytes: Int

    init(path: String, header: ImageHeader, bytes: Int) {
        self.path = path
        self.format = "\(header.format)"
        self.width = header.width
        self.height = header.height
        self.orientation = header.orientation.rawValue
        self.progressive = header.isProgressive
        self.subsampling = header.subsampling
        self.bitDepth = header.bitDepth
        self.hasAlpha = header.hasAlpha
        self.frames = header.frameCount
        self.icc = header.hasICCProfile
        self.bytes = bytes
    }

    enum CodingKeys: CodingKey {
        case path, format, width, height, orientation, progressive, subsampling, bitDepth, hasAlpha, frames, icc, bytes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.path, forKey: .path)
        try container.encode(self.format, forKey: .format)
        try container.encode(self.width, forKey: .width)
        try container.encode(self.height, forKey: .height)
        try container.encode(self.orientation, forKey: .orientation)
        try container.encode(self.progressive, forKey: .progressive)
        // Written out, because the synthesised code leaves a nil away.
        try container.encode(self.subsampling, forKey: .subsampling)
        try container.encode(self.bitDepth, forKey: .bitDepth)
        try container.encode(self.hasAlpha, forKey: .hasAlpha)
        try container.encode(self.frames, forKey: .frames)
        try container.encode(self.icc, forKey: .icc)
        try container.encode(self.bytes, forKey: .bytes)
    }

    var text: String {
        let coding = self.progressive ? "progressive" : "baseline"
        let chroma = self.subsampling ?? "gray"
        return "\(self.path): \(self.width)×\(self.height) \(self.format) \(coding) \(chroma), "
            + "\(self.bitDepth) bits, orientation \(self.orientation)\(self.icc ? ", ICC profile" : ""), "
            + ByteCount.describe(self.bytes)
    }
}
