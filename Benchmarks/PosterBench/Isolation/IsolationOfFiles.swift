import CodecWorkers
import Flights
import Glibc
import PosterCodec

/// Compares renders on threads with renders in worker processes.
struct IsolationOfFiles {
    let pool: CodecWorkerPool
    let target: RenderTarget
    let rounds: Int
    let threads: Int

    private final class Input: @unchecked Sendable {
        // Unchecked because of the descriptor, which is only read from.
        let path: String
        let descriptor: Int32
        let byteCount: Int
        let job: RenderJob

        init?(_ path: String, _ target: RenderTarget) throws {
            let mapped = try MappedFile(path)
            guard let header = try? inspect(mapped.bytes.bytes, limits: .init()),
                let plan = try? RenderPlan(header, target: target)
            else { return nil }
            self.path = path
            self.byteCount = mapped.bytes.count
            self.job = RenderJob(
                source: header, byteCount: mapped.bytes.count, targets: [RenderJob.Target(target)], scale: plan.scale)
            self.descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard self.descriptor >= 0 else { throw BenchError("cannot open \(path)") }
        }

        deinit {
            close(self.descriptor)
        }
    }

    func outcome(_ paths: [String]) throws -> Outcome {
        let inputs = try paths.compactMap { try Input($0, self.target) }
        guard !inputs.isEmpty else { throw BenchError("none of the files can be rendered") }
        // Runs both once, so that one-time work is not measured.
        for input in inputs { _ = (try? self.onThread(input), try? self.inWorker(input)) }
        let usable = inputs.filter { (try? self.onThread($0)) != nil && (try? self.inWorker($0)) != nil }
        guard !usable.isEmpty else { throw BenchError("none of the files can be rendered") }
        var (threadTimes, workerTimes, differences) = ([Double](), [Double](), [Double]())
        var progress = Progress(count: usable.count)
        for input in usable {
            progress.step(input.path)
            var (own, theirs) = ([Double](), [Double]())
            for _ in 0..<self.rounds {
                own.append(try self.milliseconds { try self.onThread(input) })
                theirs.append(try self.milliseconds { try self.inWorker(input) })
            }
            threadTimes.append(Median.of(own))
            workerTimes.append(Median.of(theirs))
            differences.append(Median.of(theirs) - Median.of(own))
        }
        progress.finish()
        let throughput = self.throughput(usable)
        let replacement = try self.replacement(usable[0])
        let memory = try self.idleMemory()
        var outcome = Outcome()
        outcome.tables = [
            .init(
                title:
                    "\(usable.count) files to \(self.target.width ?? 0) pixels as \(self.target.format.rawValue)",
                rows: [
                    ["", "threads", "workers", "difference"],
                    [
                        "median of the files' medians, ms", Median.of(threadTimes).fixed(3),
                        Median.of(workerTimes).fixed(3), Median.of(differences).fixed(3),
                    ],
                    [
                        "renders/s of \(self.threads)", throughput.threads.fixed(1), throughput.workers.fixed(1),
                        (throughput.workers / throughput.threads).fixed(3),
                    ],
                ]),
            .init(
                title: "Workers",
                rows: [
                    ["", "median", "most"],
                    [
                        "delay of the next render after a worker's end, ms", Median.of(replacement).fixed(3),
                        (replacement.max() ?? 0).fixed(3),
                    ],
                    ["private memory without a job, MiB", Median.of(memory).fixed(2), (memory.max() ?? 0).fixed(2)],
                ]),
        ]
        outcome.figures = [
            Figure("isolation latency difference", Median.of(differences), "ms"),
            Figure("isolation throughput ratio", throughput.workers / throughput.threads, ""),
            Figure("isolation replacement", Median.of(replacement), "ms"),
            Figure("isolation idle memory", memory.max() ?? 0, "MiB"),
        ]
        return outcome
    }

    private func milliseconds(_ body: () throws -> Int) throws -> Double {
        let start = Clock.now()
        _ = try body()
        return Double(Clock.now() - start) / 1_000_000
    }

    /// - Returns: The result's number of bytes.
    private func onThread(_ input: Input) throws -> Int {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: input.byteCount, alignment: 16)
        defer { memory.deallocate() }
        guard pread(input.descriptor, memory.baseAddress, memory.count, 0) == memory.count else {
            throw BenchError("cannot read \(input.path)")
        }
        let control = JobControl(targetCount: 1, now: Clock.now, cpuTime: ThreadTime.nanoseconds)
        let decoded = try decodeJob(UnsafeRawBufferPointer(memory).bytes, job: input.job, control: control)
        return try Self.encode(decoded, control)
    }

    private func inWorker(_ input: Input) throws -> Int {
        let control = JobControl(targetCount: 1, now: Clock.now, cpuTime: ThreadTime.nanoseconds)
        let decoded = try self.pool.decode(
            .file(descriptor: input.descriptor, offset: 0, byteCount: input.byteCount), job: input.job, limits: .init(),
            control: control)
        return try Self.encode(decoded, control)
    }

    private static func encode(_ decoded: DecodedJob, _ control: JobControl) throws -> Int {
        guard let picture = decoded.pictures.next() else { throw CodecError.stopped }
        return try picture.encode(control: control).bytes.count
    }

    /// Renders per second, in the best round.
    private func throughput(_ inputs: [Input]) -> (threads: Double, workers: Double) {
        var best = (threads: 0.0, workers: 0.0)
        let rounds = 2 * max(1, self.rounds / 4)
        for round in 0..<rounds {
            let isInWorkers = round % 2 == 1
            let time = ThreadTeam.run(self.threads) { index in
                for offset in inputs.indices {
                    let input = inputs[(offset + index * inputs.count / self.threads) % inputs.count]
                    // Both succeeded before for all of these inputs.
                    _ = isInWorkers ? try? self.inWorker(input) : try? self.onThread(input)
                }
            }
            let rate = Double(self.threads * inputs.count) * 1_000_000_000 / Double(max(1, time))
            if isInWorkers { best.workers = max(best.workers, rate) } else { best.threads = max(best.threads, rate) }
        }
        return best
    }

    /// Additional milliseconds of a render after its worker was killed.
    private func replacement(_ input: Input) throws -> [Double] {
        let usual = Median.of(try (0..<9).map { _ in try self.milliseconds { try self.inWorker(input) } })
        return try (0..<9).map { _ in
            // The worker that the next render would use.
            if let process = self.pool.idleProcesses.last { kill(process, SIGKILL) }
            let time = try self.milliseconds { try self.inWorker(input) }
            // Waits until the replacement is ready.
            usleep(200_000)
            return time - usual
        }
    }

    /// Private memory of each worker in MiB. Pages of files do not count: they are shared with the service, which runs
    /// the same program.
    private func idleMemory() throws -> [Double] {
        // Unused memory is returned to the system after half a second.
        sleep(2)
        return try self.pool.idleProcesses.map { process in
            let lines = try TextFile.lines("/proc/\(process)/smaps_rollup").filter { $0.hasPrefix("Private_Dirty") }
            let kibibytes = lines.reduce(0) { sum, line in
                sum + (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            }
            return Double(kibibytes) / 1024
        }
    }
}
