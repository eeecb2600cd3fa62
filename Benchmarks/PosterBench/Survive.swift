import ArgumentParser
import CPosterBench
import FoundationEssentials
import Glibc
import PosterCodec

/// Whatever the files are, one process survives them: `poster-bench survive FOLDER...`
struct Survive: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Probes and renders every file below some folders in this process, and says what the worst took.",
        discussion: """
            Each file is rendered to JPEG, WebP, PNG and AVIF; it may fail, but only by throwing, and must not take more memory than \
            1.25 times what was planned for it and 2 MiB.
            """)

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

    /// What became of one file.
    private struct Attempt {
        /// Whether there was a picture in any format.
        var isRendered = false
        /// CPU time in seconds of the format that took longest, from header to bytes or error.
        var seconds = 0.0
        /// Beyond what there was before, of the format that took most.
        var peak = 0
        /// A sentence for each format that took more than was planned.
        var excesses: [String] = []
    }

    func run() throws {
        let files = try self.paths.flatMap(Self.files).sorted()
        guard !files.isEmpty else { throw BenchError("there are no files") }
        ProcessHeap.configure()
        // What the first picture leaves in memory is code and tables; they are no file's fault.
        for file in files.prefix(20) { _ = try self.attempt(file) }
        let before = try PeakMemory.residentOfThisProcess()
        var (time, memory) = (Cost(), Cost())
        var outcomes = (rendered: 0, refused: 0)
        var excesses: [String] = []
        for file in files {
            let attempt = try self.attempt(file)
            if attempt.isRendered { outcomes.rendered += 1 } else { outcomes.refused += 1 }
            if attempt.seconds > time.value { time = Cost(path: file, value: attempt.seconds) }
            if Double(attempt.peak) > memory.value { memory = Cost(path: file, value: Double(attempt.peak)) }
            excesses += attempt.excesses
        }
        poster_bench_heap_trim()
        let growth = Double(try PeakMemory.residentOfThisProcess() - before) / 1_048_576
        print("\(files.count) files: \(outcomes.rendered) rendered, \(outcomes.refused) refused, none fatal")
        print("most CPU time for one render: \(time.value.fixed(3)) s, \(time.path)")
        print("most memory: \((memory.value / 1_048_576).fixed(1)) MiB, \(memory.path)")
        print("memory afterwards: \(growth.fixed(1)) MiB more than before")
        guard excesses.isEmpty else {
            throw BenchError("more memory than planned:\n" + excesses.joined(separator: "\n"))
        }
    }

    /// What a render may take beyond its estimate: malloc's own, and what the kernel counts in batches.
    private static func allowance(for plan: RenderPlan, resultBytes: Int) -> Int {
        plan.workingBytes / 4 * 5 + (2 << 20) + 2 * resultBytes
    }

    private func attempt(_ path: String) throws -> Attempt {
        var attempt = Attempt()
        guard let input = try? MappedFile(path) else { return attempt }
        // So that reading the file does not count.
        input.touch()
        let control = RenderControl(cpuTime: { UInt64(Self.cpuTime() * 1e9) })
        for format in OutputFormat.allCases {
            poster_bench_heap_trim()
            try PeakMemory.beginAnew()
            let calm = try PeakMemory.residentOfThisProcess()
            let start = Self.cpuTime()
            var plan: RenderPlan?
            var resultBytes = 0
            do throws(CodecError) {
                let header = try inspect(input.bytes.bytes, limits: .init())
                let made = try RenderPlan(header, target: RenderTarget(width: self.width, format: format))
                plan = made
                resultBytes = try render(input.bytes.bytes, plan: made, control: control).bytes.count
                attempt.isRendered = true
            } catch {}  // what it was does not matter here
            attempt.seconds = max(attempt.seconds, Self.cpuTime() - start)
            let peak = try PeakMemory.ofThisProcess() - calm
            attempt.peak = max(attempt.peak, peak)
            if let plan, peak > Self.allowance(for: plan, resultBytes: resultBytes) {
                attempt.excesses.append("\(path) as \(format): \(peak) bytes, planned were \(plan.workingBytes)")
            }
        }
        return attempt
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
