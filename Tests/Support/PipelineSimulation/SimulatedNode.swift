import Flights
import Logging
import PosterCodec

@testable import PosterPipeline

/// A pipeline on a simulated machine, with limits that are often reached. Used on one thread only.
final class SimulatedNode: @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    /// Random properties of all nodes of a schedule.
    struct Settings {
        let threadCount: Int
        let queueLimit: Int
        let weightLimit: Int
        let variantBudget: Int
        let planeBudget: Int
        let variantStoreLimit: Int
        let isRenderingAhead: Bool
        let isReencoding: Bool
        let hasGate: Bool
        let hasPeers: Bool
        let storeFailureShare: Double

        init(_ machine: SimulatedMachine) {
            self.threadCount = machine.number(1..<4)
            self.queueLimit = machine.choice([0, 1, 3, 1000])
            self.weightLimit = machine.choice([1 << 16, 1 << 18, .max])
            self.variantBudget = machine.choice([0, 3000, 10_000, 1 << 20])
            self.planeBudget = machine.choice([0, 1 << 16, 1 << 20])
            self.variantStoreLimit = machine.choice([0, 0, 4, 100])
            self.isRenderingAhead = machine.chance(0.3)
            self.isReencoding = machine.chance(0.3)
            self.hasGate = machine.chance(0.2)
            self.hasPeers = machine.chance(0.3)
            self.storeFailureShare = machine.choice([0, 0, 0.05])
        }
    }

    /// Lifetimes in seconds.
    static let freshness = {
        var policy = FreshnessPolicy()
        (policy.minimum, policy.maximum, policy.fallback, policy.staleIfError) = (5, 60, 30, 120)
        return policy
    }()
    static let failureSeconds: Int64 = 5

    let store: SimulatedOriginalStore
    let variantStore: SimulatedVariantStore?
    let threads: BoundedThreadPool
    let reencodingThreads: BoundedThreadPool
    let gate: EventGate?
    let pipeline: PosterPipeline

    init(
        _ settings: Settings, _ machine: SimulatedMachine, _ origin: SimulatedOrigin,
        after crashed: SimulatedNode? = nil
    ) {
        let now: @Sendable () -> UInt64 = { machine.nanoseconds }
        // The codec's clocks, which it reads between rows; with a lock held if the original arrives meanwhile.
        let codecTime: @Sendable () -> UInt64 = {
            if !origin.areLong { machine.preempt() }
            return machine.nanoseconds
        }
        let cpuTime: @Sendable () -> UInt64 = {
            if !origin.areLong { machine.preempt() }
            return machine.cpuNanoseconds()
        }
        let sleep: @Sendable (Duration) async throws -> Void = { try await machine.sleep($0) }
        self.store = crashed?.store.crash() ?? SimulatedOriginalStore(machine: machine)
        self.store.failureShare = settings.storeFailureShare
        self.variantStore =
            crashed?.variantStore?.crash()
            ?? (settings.variantStoreLimit > 0
                ? SimulatedVariantStore(countLimit: settings.variantStoreLimit, machine: machine) : nil)
        self.threads = BoundedThreadPool(
            count: settings.threadCount, queueLimit: settings.queueLimit, weightLimit: settings.weightLimit, now: now,
            executor: machine)
        self.reencodingThreads = BoundedThreadPool(count: 1, queueLimit: 1, now: now, executor: machine)
        self.gate = settings.hasGate ? EventGate(.open, now: now, sleep: sleep) : nil
        var policies = PosterPipeline.Policies()
        policies.freshness = Self.freshness
        policies.failureDuration = .seconds(Self.failureSeconds)
        policies.ladderAhead = settings.isRenderingAhead ? LadderAheadLimits() : nil
        policies.reencoding = settings.isReencoding ? ReencodingLimits() : nil
        policies.variantStore.leastCPUNanoseconds = 0
        var logger = Logger(label: "simulation")
        logger.logLevel = .critical
        self.pipeline = PosterPipeline(
            originals: OriginalPorts(
                locator: origin, store: self.store, source: origin,
                events: settings.hasPeers ? SimulatedPeers(machine: machine) : nil, gate: self.gate),
            renderer: VariantRenderer(threads: self.threads, now: codecTime, cpuTime: cpuTime),
            variants: VariantCache(byteBudget: settings.variantBudget), variantStore: self.variantStore,
            planes: PlaneCache(byteBudget: settings.planeBudget), policies: policies,
            reencodingThreads: settings.isReencoding ? self.reencodingThreads : nil,
            environment: PipelineEnvironment(
                logger: logger, now: now,
                secondsSince1970: {
                    machine.preempt()
                    return machine.seconds
                }, sleep: sleep))
    }

    /// Whether an original is decoded while it arrives.
    var isDecodingEarly: Bool { self.pipeline.scheduler.early.budget.usage.count > 0 }

    /// The work and memory that are left; empty once a node without requests has settled.
    var remains: [String] {
        let (scheduler, library) = (self.pipeline.scheduler, self.pipeline.library)
        let (jobCount, isWanted) = scheduler.table.withLock { ($0.jobCount, !$0.wanted.isEmpty) }
        let counts = [
            ("threads", self.threads.usage.held), ("queued calls", self.threads.usage.waitingCount),
            ("weight", self.threads.usage.weight), ("re-encoding threads", self.reencodingThreads.usage.held),
            ("flights of originals", library.retrievals.flightCount), ("jobs", jobCount),
            ("reads", self.pipeline.stored?.readerCount ?? 0), ("early decodes", scheduler.early.budget.usage.count),
            ("announced targets", isWanted ? 1 : 0), ("revalidations", library.revalidations.count),
            ("hashes", self.pipeline.pendingDescriptionCount),
        ]
        return counts.filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
    }
}

/// Other nodes, which are reached most of the time.
private struct SimulatedPeers: OriginalEventPublisher {
    let machine: SimulatedMachine

    func publish(_ event: OriginalEvent) async throws -> Publication {
        await self.machine.pause()
        if self.machine.chance(0.1) { throw PosterError.storageFailed(reason: "no room for an event") }
        return self.machine.chance(0.5) ? .published : .waiting
    }

    func publishLater(_ event: OriginalEvent) {}
}
