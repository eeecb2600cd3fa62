import Dispatch
import Glibc
import Logging
import PosterCodec
import PosterPipeline
import Synchronization

/// The renders themselves, and how much memory there was on the way.
final class SoakLoad: Sendable {
    struct Sample {
        /// Finished so far.
        let renders: Int
        /// Resident, in bytes.
        let resident: Int
        /// What the variant cache counts, in bytes.
        let cached: Int
    }

    static let sampleCount = 200

    private let ids: [PosterID]
    private let renders: Int
    private let lanes: Int
    private let pipeline: PosterPipeline
    private let variants: VariantCache
    private let next = Atomic<Int>(0)
    private let failed = Atomic<Int>(0)
    private let samples = Mutex<[Sample]>([])

    init(files: [String], renders: Int, memoryBudget: Int, threads: Int) throws {
        let originals = try SoakOriginals(files: files)
        self.ids = originals.ids
        self.renders = renders
        self.lanes = 2 * threads
        self.variants = VariantCache(byteBudget: memoryBudget)
        var logger = Logger(label: "poster-bench")
        logger.logLevel = .error
        self.pipeline = PosterPipeline(
            locator: originals, store: originals, source: originals,
            renderer: VariantRenderer(
                threads: WorkThreads(count: threads, queueLimit: 4 * threads), now: Uptime.nanoseconds),
            variants: self.variants, logger: logger, now: Uptime.nanoseconds)
    }

    /// How many renders ended with an error.
    var failures: Int { self.failed.load(ordering: .relaxed) }

    /// Does all of it, from a thread that may wait.
    func run() throws(BenchError) -> [Sample] {
        let end = DispatchSemaphore(value: 0)
        try self.sample(0)
        Task.detached {
            await withTaskGroup { group in
                for _ in 0..<self.lanes { group.addTask { await self.lane() } }
            }
            end.signal()
        }
        var progress = Progress(count: 10)
        var shown = 0
        while end.wait(timeout: .now() + .milliseconds(200)) == .timedOut {
            let done = min(10, 10 * self.next.load(ordering: .relaxed) / self.renders)
            while shown <= done, shown < 10 {
                progress.step("\(self.next.load(ordering: .relaxed)) renders")
                shown += 1
            }
        }
        progress.finish()
        return self.samples.withLock { $0.sorted { $0.renders < $1.renders } }
    }

    private func lane() async {
        let step = max(1, self.renders / Self.sampleCount)
        while true {
            let index = self.next.add(1, ordering: .relaxed).oldValue
            guard index < self.renders else { return }
            do {
                _ = try await self.pipeline.answer(to: self.request(index)) { _ in false }
            } catch {
                self.failed.add(1, ordering: .relaxed)
            }
            if (index + 1) % step == 0 { try? self.sample(index + 1) }
        }
    }

    /// All different: width and quality count through their ranges one after the other.
    private func request(_ index: Int) -> PosterRequest {
        let formats: [OutputFormat] = [.jpeg, .webp, .jpeg, .webp, .jpeg, .webp, .jpeg, .png]
        let round = index / self.ids.count
        let target = RenderTarget(
            width: 40 + (round * 389) % 761, format: formats[round % formats.count], quality: 50 + (round / 761) % 46)
        return PosterRequest(id: self.ids[index % self.ids.count], rendition: .variant(target))
    }

    private func sample(_ renders: Int) throws(BenchError) {
        let resident = try PeakMemory.residentOfThisProcess()
        let cached = self.variants.usage.bytes
        self.samples.withLock { $0.append(Sample(renders: renders, resident: resident, cached: cached)) }
    }
}
