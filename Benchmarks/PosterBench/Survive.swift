import ArgumentParser
import CPosterBench
import FoundationEssentials
import Glibc
import PosterCodec

/// `poster-bench survive FOLDER...`: renders arbitrary files in one process, which must survive them.
struct Survive: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Probes and renders every file below some folders in this process, and prints the maximum costs.",
        discussion: """
            Each file is rendered to JPEG, WebP, PNG and AVIF; it may fail, but only by throwing, and must not use \
            more memory than 1.25 times the plan's estimate plus 2 MiB.
            """)

    @Option(help: "The posters' width in pixels.")
    var width = 368

    @Argument(help: "Files, and folders of files.")
    var paths: [String]

    /// The highest figure of a run, and its file.
    private struct Cost {
        var path = ""
        /// In seconds or bytes.
        var value = 0.0
    }

    private struct Attempt {
        var isRendered = false
        /// CPU time of the slowest format in seconds, from header to bytes or error.
        var seconds = 0.0
        /// Peak memory of the largest format in bytes, above the level before.
        var peak = 0
        /// A sentence for each format that exceeded its planned memory.
        var excesses: [String] = []
    }

    func run() throws {
        let files = try self.paths.flatMap(Self.files).sorted()
        guard !files.isEmpty else { throw BenchError("there are no files") }
        ProcessHeap.configure()
        // Renders some files first: code and tables that stay in memory afterwards do not count as growth.
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

    /// The memory limit of a render: its estimate, malloc's overhead, the kernel's batched counts, and the result.
    private static func allowance(for plan: RenderPlan, resultBytes: Int) -> Int {
        plan.workingBytes / 4 * 5 + (2 << 20) + 2 * resultBytes
    }

    private func attempt(_ path: String) throws -> Attempt {
        var attempt = Attempt()
        guard let input = try? MappedFile(path) else { return attempt }
        // Reads the file first, which must not count.
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
            } catch {}  // the error does not matter
            attempt.seconds = max(attempt.seconds, Self.cpuTime() - start)
            let peak = try PeakMemory.ofThisProcess() - calm
            attempt.peak = max(attempt.peak, peak)
            if let plan, peak > Self.allowance(for: plan, resultBytes: resultBytes) {
                attempt.excesses.append("\(path) as \(format): \(peak) bytes, planned \(plan.workingBytes)")
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
