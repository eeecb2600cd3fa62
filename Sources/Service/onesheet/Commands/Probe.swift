import ArgumentParser
import Flights
import OneSheetConfiguration
import OneSheetServer
import PosterCodec
import PosterOrigins
import PosterPipeline

/// `onesheet probe FILE...`
struct Probe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Describes picture files from their headers.",
        discussion: "Width and height are as stored; orientations 5 to 8 exchange them when the picture is shown.")

    @Argument(help: "Pictures: files, pipes, or - for standard input.", completion: .file())
    var files: [String]

    @Flag(inversion: .prefixedNo, help: "One JSON object a line; an unusable file has one with its error.")
    var json: Bool?

    @Flag(inversion: .prefixedNo, help: "Decode the pictures, and add dominant colour, ThumbHash and BlurHash.")
    var hash: Bool?

    @Option(help: "Largest file. Default: 64MiB")
    var maxBytes: String?

    @OptionGroup(title: FileCommandHelp.limits)
    var limits: LimitOptions

    private struct Failure: Encodable {
        let path: String
        let error: String
    }

    func validate() throws {
        guard self.files.count(where: { $0 == PictureInput.standard }) <= 1 else {
            throw ValidationError("standard input can be read only once")
        }
    }

    func run() async throws {
        let isJSON: Bool
        let hashes: Bool
        let limits: CodecLimits
        do {
            let settings = Settings(self.given)
            isJSON = try settings.isOn("json")
            hashes = try settings.isOn("hash")
            limits = try CodecLimits(ofFiles: settings)
        } catch let error as SettingError {
            throw ValidationError(error.description)
        }
        var failed = false
        for file in self.files {
            let input = PictureInput(path: file)
            let line: String
            do {
                let bytes = try await input.read(limit: limits.maxBytes)
                let info = try bytes.withSpan { (span) throws(CodecError) in
                    let header = try inspect(span, limits: limits)
                    let control = RenderControl(cpuTime: ThreadTime.nanoseconds)
                    return PictureInfo(
                        path: file, header: header, bytes: span.byteCount,
                        hashes: hashes
                            ? try PictureHashes(of: span, header: header, limits: limits, control: control) : nil)
                }
                line = isJSON ? try JSONLine.encode(info) : info.text
            } catch {
                failed = true
                StandardError.write("onesheet: \(PictureFileError.line(error, name: input.name))")
                guard isJSON, let failure = try? JSONLine.encode(Failure(path: file, error: "\(error)")) else {
                    continue
                }
                line = failure
            }
            do {
                try StandardOutput.write(line)
            } catch {
                throw StandardError.failure("\(error)")
            }
        }
        if failed { throw ExitCode.failure }
    }
}
