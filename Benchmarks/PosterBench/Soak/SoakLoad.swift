import CodecWorkers
import Dispatch
import Flights
import Glibc
import Logging
import PosterCodec
import PosterPipeline
import Synchronization

/// Runs the renders and samples memory meanwhile.
final class SoakLoad: Sendable {
    struct Sample {
        let renders: Int
        /// Resident bytes while nothing is rendered: in total, and without pages of programs and originals.
        let resident, anonymous: Int
        /// Peak in bytes since the previous sample.
        let peak: Int
        /// Bytes counted by the caches of variants and planes.
        let cached: Int
        /// Anonymous bytes of all workers; 0 without workers.
        let workers: Int
    }

    /// Number of samples; between them all threads render.
    static let sampleCount = 100

    private static let leastWidth = 40
    private static let mostWidth = 800

    private let ids: [PosterID]
    private let widths: [Int]
    private let renders: Int
    private let lanes: Int
    private let threads: BoundedThreadPool
    private let pipeline: PosterPipeline
    private let variants: VariantCache
    private let planes: PlaneCache
    private let workers: CodecWorkerPool?
    private let next = Atomic<Int>(0)
    private let failed = Atomic<Int>(0)
    private let samples = Mutex<[Sample]>([])

    init(
        files: [String], renders: Int, memoryBudget: Int, planesBudget: Int, threads: Int, workers: CodecWorkerPool?
    ) throws {
        self.workers = workers
        let originals = try MappedOriginals(files: files) { Self.width(of: $0, $1) > Self.leastWidth }
        self.ids = originals.ids
        self.widths = originals.sizes.map { Self.width(of: $0.width, $0.height) }
        self.renders = renders
        self.lanes = 2 * threads
        self.threads = BoundedThreadPool(count: threads, queueLimit: 4 * threads)
        self.variants = VariantCache(byteBudget: memoryBudget)
        self.planes = PlaneCache(byteBudget: planesBudget)
        var logger = Logger(label: "poster-bench")
        logger.logLevel = .error
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(locator: originals, store: originals, source: originals),
            renderer: VariantRenderer(threads: self.threads, workers: workers, now: Uptime.nanoseconds),
            variants: self.variants, planes: self.planes, environment: PipelineEnvironment(logger: logger))
    }

    /// The widest poster of an original. It does not exceed the original, and requested heights are up to half more
    /// than widths.
    private static func width(of width: Int, _ height: Int) -> Int { min(width, height * 2 / 3) }

    /// Number of renders; a render shared by two requests counts once.
    var renderCount: Int { self.pipeline.status.renders }

    var planeHitCount: Int { self.pipeline.status.planeHits }

    var failures: Int { self.failed.load(ordering: .relaxed) }

    /// Runs the whole load, blocking the calling thread.
    func run() throws(BenchError) -> [Sample] {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            self.sample(0)
            for round in 1...Self.sampleCount {
                let until = self.renders * round / Self.sampleCount
                await withTaskGroup { group in
                    for _ in 0..<self.lanes { group.addTask { await self.lane(until: until) } }
                }
                await self.settle()
                self.sample(until)
            }
            end.signal()
        }
        var progress = Progress(count: 10)
        var shown = 0
        while end.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
            let done = self.next.load(ordering: .relaxed)
            while shown <= 10 * done / self.renders, shown < 10 {
                progress.step("\(done) renders")
                shown += 1
            }
        }
        progress.finish()
        return self.samples.withLock { $0 }
    }

    /// Returns once no thread renders: a decode that retains planes continues after its last response.
    private func settle() async {
        while self.threads.usage.held > 0 {
            do { try await Task.sleep(for: .milliseconds(1)) } catch { return }
        }
    }

    private func lane(until end: Int) async {
        while true {
            let index = self.next.load(ordering: .relaxed)
            guard index < end else { return }
            guard self.next.compareExchange(expected: index, desired: index + 1, ordering: .relaxed).exchanged else {
                continue
            }
            do {
                _ = try await self.pipeline.response(to: PosterQuery(self.request(index)))
            } catch {
                self.failed.add(1, ordering: .relaxed)
            }
        }
    }

    private func sample(_ renders: Int) {
        guard let resident = try? PeakMemory.residentOfThisProcess(), let peak = try? PeakMemory.ofThisProcess(),
            let anonymous = try? PeakMemory.anonymousOfThisProcess()
        else { return }
        try? PeakMemory.beginAnew()
        let cached = self.variants.usage.bytes + self.planes.usage.bytes
        let processes = self.workers?.idleProcesses ?? []
        let workers = processes.reduce(0) { $0 + ((try? PeakMemory.anonymous(of: $1)) ?? 0) }
        self.samples.withLock {
            $0.append(
                Sample(
                    renders: renders, resident: resident, anonymous: anonymous, peak: peak, cached: cached,
                    workers: workers))
        }
    }

    /// Returns distinct requests: the width steps through its range, and each time it wraps around, each width gets its
    /// next height, starting with a different one per width. Sizes, formats and qualities are spread evenly over the
    /// run, so that the load is the same at its start and end.
    private func request(_ index: Int) -> PosterRequest {
        let formats: [OutputFormat] = [.jpeg, .webp, .jpeg, .webp, .jpeg, .webp, .jpeg, .png]
        let (round, which) = index.quotientAndRemainder(dividingBy: self.ids.count)
        let span = min(self.widths[which], Self.mostWidth) - Self.leastWidth
        let width = Self.leastWidth + (round * 389) % span
        let (turn, step) = round.quotientAndRemainder(dividingBy: span)
        let target = RenderTarget(
            width: width, height: width + (turn + step) % (width / 2), fit: .cover,
            format: formats[round % formats.count], quality: .fixed(50 + (round * 17) % 46))
        return PosterRequest(id: self.ids[which], rendition: .variant(target))
    }
}
