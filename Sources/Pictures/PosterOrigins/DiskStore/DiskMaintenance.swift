import Flights
import Logging
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Background work of a store: writes access times, evicts, compares files and index, probes a disk that has refused files.
///
/// In small steps on the store's threads, after all work that requests wait for.
final class DiskMaintenance: Sendable {
    /// How many originals a step of eviction or of adoption takes.
    static let batchCount = 64
    /// How many last uses are written in one transaction.
    static let usesCount = 1000
    /// When room is made, then for so many hundredths of the budget more, so that not every new original needs some.
    static let spareHundredths: Int64 = 5
    /// Files and index are compared at most once in so many seconds, also when the index does not take what it lacks.
    static let sweepSeconds: Int64 = 60

    let fileStore: OriginalFileStore
    private let faults: FaultLog
    private let lastSweep = Mutex<Int64?>(nil)
    private let threads: BoundedThreadPool
    private let wishes: AsyncStream<Void>
    private let wish: @Sendable () -> Void
    private let untilNextRound: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - wishes: For rounds before their time; `wish` adds one.
    ///   - untilNextRound: Returns when it is time for a round; throws when it is cancelled.
    init(
        fileStore: OriginalFileStore, threads: BoundedThreadPool, wishes: AsyncStream<Void>,
        wish: @escaping @Sendable () -> Void,
        untilNextRound: @escaping @Sendable () async throws -> Void
    ) {
        self.fileStore = fileStore
        self.faults = FaultLog(
            "The upkeep of stored originals fails", logger: fileStore.logger,
            secondsSince1970: fileStore.secondsSince1970)
        self.threads = threads
        self.wishes = wishes
        self.wish = wish
        self.untilNextRound = untilNextRound
    }

    /// Does rounds until it is cancelled: the first at once, then when it is time, or when one is wished for.
    /// - Throws: What `untilNextRound` throws, but not when it was cancelled.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    self.wish()
                    try await self.untilNextRound()
                }
            }
            group.addTask {
                for await _ in self.wishes { try await self.round() }
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is CancellationError {}
        }
    }

    func round() async throws {
        do {
            try await self.perform { fileStore in
                fileStore.index.reopenIfNeeded()
                fileStore.probeDisk()
            }
            try await self.flush()
            try await self.evict()
            try await self.sweepIfNeeded()
            self.faults.end()
        } catch let error as CancellationError {
            throw error
        } catch let error as PosterError {
            // The threads are busy with requests; the next round continues.
            self.fileStore.logger.debug("Upkeep put off", metadata: ["error.message": "\(error)"])
        } catch {
            self.faults.begin(error)
        }
    }

    private func sweepIfNeeded() async throws {
        let now = self.fileStore.secondsSince1970()
        let isDue = self.lastSweep.withLock { last in last.map { now - $0 >= Self.sweepSeconds } ?? true }
        guard isDue, self.fileStore.index.takeIncompleteness() else { return }
        self.lastSweep.withLock { $0 = now }
        do {
            try await self.sweep()
        } catch {
            self.fileStore.index.markIncomplete()
            throw error
        }
    }

    /// Writes last uses to the index. Those that cannot be written are forgotten: only an order is lost.
    func flush() async throws {
        try await self.perform { fileStore in
            let uses = fileStore.accessTimes.take()
            let now = fileStore.secondsSince1970()
            for start in stride(from: 0, to: uses.count, by: Self.usesCount) {
                let batch = uses[start..<min(start + Self.usesCount, uses.count)]
                guard fileStore.index.attempt({ try $0.note(batch, now: now) }) != nil else { return }
            }
        }
    }

    /// Deletes the originals that were not used for longest, if there is more than the budget.
    func evict() async throws {
        let budget = self.fileStore.byteBudget
        let kept = budget - budget / 100 * Self.spareHundredths
        guard let taken = try await self.taken(), taken > budget else { return }
        while let taken = try await self.taken(), taken > kept {
            try await self.flush()
            let evicted = try await self.perform { fileStore in try Self.evictBatch(fileStore, over: taken - kept) }
            // All candidates were used meanwhile, or there is no index: another round.
            guard evicted > 0 else { return }
        }
    }

    /// Runs a step on the store's threads.
    /// - Parameter weight: What it reads into memory, in bytes.
    /// - Throws: What `step` throws, `PosterError.overloaded`, `CancellationError`.
    func perform<Value: Sendable>(
        weight: Int = 0, _ step: @escaping @Sendable (OriginalFileStore) throws -> Value
    ) async throws -> Value {
        // Short, and one after the other: behind all that clients want it might never have its turn.
        try await self.threads.run(weight: weight, urgency: Urgency(.interactive)) { try step(self.fileStore) }
    }

    private func taken() async throws -> Int64? {
        try await self.perform { fileStore in
            let totals = fileStore.index.attempt { try $0.totals() }
            // What was counted after several originals at once may have been noted in another order.
            fileStore.count(totals)
            return totals?.bytes
        }
    }

    private static func evictBatch(_ fileStore: OriginalFileStore, over excess: Int64) throws -> Int {
        var freed: Int64 = 0
        var evicted = 0
        for row in fileStore.index.attempt({ try $0.leastRecentlyUsed(limit: Self.batchCount) }) ?? []
        where freed < excess {
            do throws(FileError) {
                guard try fileStore.evict(row) else { continue }
            } catch {
                // It stays, and the others go in its place: it counts as used, so that it is not the first again.
                fileStore.removalFaults.begin(error)
                _ = fileStore.accessTimes.note(row.key)
                continue
            }
            fileStore.removalFaults.end()
            freed += row.space
            evicted += 1
        }
        return evicted
    }

    /// Compares files and index, folder by folder, and repairs what differs: what a crash left behind, files that were
    /// copied or deleted by hand, an index that was lost. Bytes are not read; their digests are checked at first use.
    ///
    /// - Throws: ``FileError``, `PosterError.overloaded`, `CancellationError`; what was done until then stays.
    func sweep() async throws {
        _ = try await self.removeLeftovers()
        for byte in UInt8.min...UInt8.max {
            let differing = Array(try await self.perform { try Self.differing($0, beginningWith: byte) })
            for start in stride(from: 0, to: differing.count, by: Self.batchCount) {
                let batch = differing[start..<min(start + Self.batchCount, differing.count)]
                try await self.perform { fileStore in
                    for key in batch { fileStore.reconcile(key) }
                }
            }
        }
    }

    /// Deletes what was half written when an earlier process ended.
    func removeLeftovers() async throws -> Int {
        try await self.perform { fileStore in
            let leftovers = try fileStore.layout.leftovers()
            for path in leftovers { _ = try fileStore.layout.remove(path) }
            return leftovers.count
        }
    }

    private static func differing(_ fileStore: OriginalFileStore, beginningWith byte: UInt8) throws -> Set<Digest> {
        guard let known = fileStore.index.attempt({ try $0.keys(beginningWith: byte) }) else {
            throw PosterError.storageFailed(reason: "the index of originals cannot be used")
        }
        return try fileStore.layout.keys(beginningWith: byte).symmetricDifference(known)
    }
}
