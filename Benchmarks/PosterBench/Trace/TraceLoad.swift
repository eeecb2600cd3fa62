import Dispatch
import Flights
import Glibc
import Logging
import PosterCodec
import PosterPipeline
import Synchronization

/// Simulates visitors of the service's own pipeline, with the settings of one row.
///
/// Sessions begin at their times, regardless of the pipeline. Within a session, a page is opened after the previous one
/// is complete, and requests its posters over six connections, as browsers do.
final class TraceLoad: Sendable {
    struct Result {
        let seconds: Double
        /// CPU time of this process, including the load's, which is the same in all rows.
        let cpuSeconds: Double
        /// CPU time of all other processes on this machine.
        let otherSeconds: Double
        let status: PipelineStatus
        /// Nanoseconds of requests that were not answered from memory, sorted.
        let misses: [UInt64]
        let requests, overloaded, failures: Int

        func percentile(_ percent: Int) -> Double {
            self.misses.isEmpty ? 0 : Double(self.misses[min(self.misses.count - 1, self.misses.count * percent / 100)])
        }
    }

    private static let connections = 6
    /// The service's default.
    private static let queueLimit = 256

    private let originals: MappedOriginals
    private let threads: BoundedThreadPool
    private let pipeline: PosterPipeline
    private let counts = Mutex(Counts())

    private struct Counts {
        var misses: [UInt64] = []
        var requests = 0
        var overloaded = 0
        var failures = 0
    }

    init(originals: MappedOriginals, memoryBudget: Int, threads: Int, row: TraceRow) {
        self.originals = originals
        self.threads = BoundedThreadPool(count: threads, queueLimit: Self.queueLimit)
        var logger = Logger(label: "poster-bench")
        logger.logLevel = .error
        let planesBudget = memoryBudget / 100 * row.planesPercent
        var policies = PosterPipeline.Policies()
        policies.ladderAhead = row.rendersAhead ? LadderAheadLimits() : nil
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(locator: originals, store: originals, source: originals),
            renderer: VariantRenderer(threads: self.threads, now: Uptime.nanoseconds),
            variants: VariantCache(byteBudget: memoryBudget - planesBudget),
            planes: PlaneCache(byteBudget: planesBudget), policies: policies,
            environment: PipelineEnvironment(logger: logger))
    }

    /// Plays a day without pauses, so that caches are filled as after a day, and then another one at its pace. Blocks
    /// the calling thread.
    func measure(_ day: DayTrace, after before: DayTrace) throws(BenchError) -> Result {
        self.wait { await self.play(before, laneCount: 4 * self.threads.count) }
        let statusBefore = self.pipeline.status
        self.counts.withLock { $0 = Counts() }
        let (busy, usage, start) = try (
            CPUTime.busySeconds(), ProcessUsage(of: getpid()).cpuSeconds, Uptime.nanoseconds()
        )
        self.wait { await self.play(day) }
        let seconds = Double(Uptime.nanoseconds() - start) / 1e9
        let (busyAfter, usageAfter) = try (CPUTime.busySeconds(), ProcessUsage(of: getpid()).cpuSeconds)
        let counts = self.counts.withLock { $0 }
        return Result(
            seconds: seconds, cpuSeconds: usageAfter - usage,
            otherSeconds: max(0, busyAfter - busy - (usageAfter - usage)),
            status: self.pipeline.status.since(statusBefore), misses: counts.misses.sorted(), requests: counts.requests,
            overloaded: counts.overloaded, failures: counts.failures)
    }

    func shutDown() {
        self.wait { try? await self.threads.shutDown() }
    }

    private func wait(for work: @escaping @Sendable () async -> Void) {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            await work()
            end.signal()
        }
        end.wait()
    }

    /// Plays a day at its pace.
    private func play(_ day: DayTrace) async {
        let start = ContinuousClock.now
        await withDiscardingTaskGroup { group in
            for session in day.sessions {
                group.addTask {
                    try? await Task.sleep(until: start + .seconds(session.start), clock: .continuous)
                    for page in session.pages {
                        if page.pause > 0 { try? await Task.sleep(for: .seconds(page.pause)) }
                        await self.open(page)
                    }
                }
            }
        }
    }

    /// Plays `laneCount` sessions at a time without pauses.
    private func play(_ day: DayTrace, laneCount: Int) async {
        let next = SharedCount()
        await withDiscardingTaskGroup { group in
            for _ in 0..<laneCount {
                group.addTask {
                    while let session = next.take(below: day.sessions.count) {
                        for page in day.sessions[session].pages { await self.open(page) }
                    }
                }
            }
        }
    }

    private func open(_ page: DayTrace.Page) async {
        let next = SharedCount()
        await withDiscardingTaskGroup { group in
            for _ in 0..<min(Self.connections, page.requests.count) {
                group.addTask {
                    while let index = next.take(below: page.requests.count) { await self.ask(page.requests[index]) }
                }
            }
        }
    }

    /// Sends a request as the service does: to memory on the calling thread, otherwise through the pipeline.
    private func ask(_ wanted: DayTrace.Request) async {
        let request = PosterRequest(id: self.originals.ids[wanted.poster], rendition: .variant(wanted.target))
        let query = PosterQuery(request)
        let start = Uptime.nanoseconds()
        do {
            if try self.pipeline.cachedResponse(to: query) != nil {
                self.counts.withLock { $0.requests += 1 }
                return
            }
            self.pipeline.targets.note(wanted.target, of: request.id)
            _ = try await self.pipeline.response(to: query)
            let took = Uptime.nanoseconds() - start
            self.counts.withLock { counts in
                counts.requests += 1
                counts.misses.append(took)
            }
        } catch PosterError.overloaded {
            self.counts.withLock { counts in
                counts.requests += 1
                counts.overloaded += 1
            }
        } catch {
            self.counts.withLock { counts in
                counts.requests += 1
                counts.failures += 1
            }
        }
    }

    private final class SharedCount: Sendable {
        private let value = Atomic<Int>(0)

        /// The next number from 0; `nil` from `end` on.
        func take(below end: Int) -> Int? {
            let number = self.value.wrappingAdd(1, ordering: .relaxed).oldValue
            return number < end ? number : nil
        }
    }
}

extension PipelineStatus {
    fileprivate func since(_ before: PipelineStatus) -> PipelineStatus {
        var status = self
        status.hits -= before.hits
        status.renders -= before.renders
        status.decodes -= before.decodes
        status.planeHits -= before.planeHits
        status.ladderRendered -= before.ladderRendered
        status.ladderUsed -= before.ladderUsed
        return status
    }
}
