import ArgumentParser
import CPosterBench
import FoundationEssentials
import Glibc
import PosterCodec

/// Whatever the files are, one process survives them: `poster-bench survive FOLDER...`
struct Survive: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Probes and renders every file below some folders in this process, and says what the worst took.",
        discussion: "Each file is rendered to JPEG, WebP and PNG; it may fail, but only by throwing.")

    @Option(help: "The posters' width in pixels.")
    var width = 368

    @Argument(help: "Files, and folders of files.")
    var paths: [String]

    /// What one file took, over all formats.
    private struct Cost {
        var path = ""
        /// Of the file with the highest figure, in seconds and bytes.
        var value = 0.0
    }

    func run() throws {
        let files = try self.paths.flatMap(Self.files).sorted()
        guard !files.isEmpty else { throw BenchError("there are no files") }
        // What the first picture leaves in memory is code and tables; they are no file's fault.
        for file in files.prefix(20) { _ = self.attempt(file) }
        let before = try PeakMemory.residentOfThisProcess()
        var (time, memory) = (Cost(), Cost())
        var outcomes = (rendered: 0, refused: 0)
        for file in files {
            poster_bench_heap_trim()
            try PeakMemory.beginAnew()
            let calm = try PeakMemory.residentOfThisProcess()
            let (isRendered, seconds) = self.attempt(file)
            if isRendered { outcomes.rendered += 1 } else { outcomes.refused += 1 }
            let bytes = Double(try PeakMemory.ofThisProcess() - calm)
            if seconds > time.value { time = Cost(path: file, value: seconds) }
            if bytes > memory.value { memory = Cost(path: file, value: bytes) }
        }
        poster_bench_heap_trim()
        let growth = Double(try PeakMemory.residentOfThisProcess() - before) / 1_048_576
        print("\(files.count) files: \(outcomes.rendered) rendered, \(outcomes.refused) refused, none fatal")
        print("most CPU time for one render: \(time.value.fixed(3)) s, \(time.path)")
        print("most memory: \((memory.value / 1_048_576).fixed(1)) MiB, \(memory.path)")
        print("memory afterwards: \(growth.fixed(1)) MiB more than before")
    }

    /// Whether there was a picture in any format, and the CPU time in seconds of the format that took longest, from
    /// header to bytes or error.
    private func attempt(_ path: String) -> (isRendered: Bool, seconds: Double) {
        guard let input = try? MappedFile(path) else { return (false, 0) }
        let control = RenderControl(cpuTime: { UInt64(Self.cpuTime() * 1e9) })
        var isRendered = false
        var longest = 0.0
        for format in OutputFormat.allCases {
            let start = Self.cpuTime()
            defer { longest = max(longest, Self.cpuTime() - start) }
            do throws(CodecError) {
                let header = try inspect(input.bytes.bytes, limits: .init())
                let plan = try RenderPlan(header, target: RenderTarget(width: self.width, format: format))
                _ = try render(input.bytes.bytes, plan: plan, control: control)
                isRendered = true
            } catch {}  // what it was does not matter here
        }
        return (isRendered, longest)
    }

    private static func files(_ path: String) throws -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw BenchError("there is no \(path)")
        }
        guard isFolder else { return [path] }
        return try FileManager.default.contentsOfDirectory(atPath: path).flatMap { try Self.files(path + "/" + $0) }
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
