import Flights
import Logging
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Background maintenance of a store: writes access times, evicts, compares files and index, and probes a disk that has
/// refused files.
///
/// Runs in small sequential steps on the store's threads.
final class DiskMaintenance: Sendable {
    /// Number of originals per step of eviction or adoption.
    static let batchCount = 64
    /// Number of access times per transaction.
    static let usesCount = 1000
    /// Hundredths of the budget freed beyond it by an eviction, so that not every new original causes another one.
    static let spareHundredths: Int64 = 5
    /// Minimum seconds between comparisons of files and index, even while the index rejects missing rows.
    static let sweepSeconds: Int64 = 60

    let fileStore: OriginalFileStore
    private let faults: FaultLog
    private let lastSweep = Mutex<Int64?>(nil)
    private let threads: BoundedThreadPool
    private let wishes: AsyncStream<Void>
    private let wish: @Sendable () -> Void
    private let untilNextRound: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - wishes: Requests for rounds ahead of schedule; `wish` adds one.
    ///   - untilNextRound: Suspends until the next round is due; throws when it is cancelled.
    init(
        fileStore: OriginalFileStore, threads: BoundedThreadPool, wishes: AsyncStream<Void>,
        wish: @escaping @Sendable () -> Void,
        untilNextRound: @escaping @Sendable () async throws -> Void
    ) {
        self.fileStore = fileStore
        self.faults = FaultLog(
            "Maintenance of stored originals fails", logger: fileStore.logger,
            secondsSince1970: fileStore.secondsSince1970)
        self.threads = threads
        self.wishes = wishes
        self.wish = wish
        self.untilNextRound = untilNextRound
    }

    /// Runs rounds until it is cancelled: the first at once, then on schedule or on request.
    /// - Throws: The error of `untilNextRound`, except `CancellationError`.
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
            self.fileStore.logger.debug("Maintenance postponed", metadata: ["error.message": "\(error)"])
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

    /// Writes access times to the index, and drops any that cannot be written: only their order is lost.
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

    /// Deletes the least recently used originals if the store exceeds its budget.
    func evict() async throws {
        let budget = self.fileStore.byteBudget
        let kept = budget - budget / 100 * Self.spareHundredths
        guard let taken = try await self.taken(), taken > budget else { return }
        while let taken = try await self.taken(), taken > kept {
            try await self.flush()
            let evicted = try await self.perform { fileStore in try Self.evictBatch(fileStore, over: taken - kept) }
            // All candidates were used meanwhile, or there is no index: the next round tries again.
            guard evicted > 0 else { return }
        }
    }

    /// Runs a step on the store's threads.
    /// - Parameter weight: Memory for file contents, in bytes.
    /// - Throws: The error of `step`, `PosterError.overloaded`, `CancellationError`.
    func perform<Value: Sendable>(
        weight: Int = 0, _ step: @escaping @Sendable (OriginalFileStore) throws -> Value
    ) async throws -> Value {
        // Steps are short and sequential; at a lower urgency they might starve behind clients' requests.
        try await self.threads.run(weight: weight, urgency: Urgency(.interactive)) { try step(self.fileStore) }
    }

    private func taken() async throws -> Int64? {
        try await self.perform { fileStore in fileStore.recordTotals { try $0.totals() }?.bytes }
    }

    private static func evictBatch(_ fileStore: OriginalFileStore, over excess: Int64) throws -> Int {
        var freed: Int64 = 0
        var evicted = 0
        for row in fileStore.index.attempt({ try $0.leastRecentlyUsed(limit: Self.batchCount) }) ?? []
        where freed < excess {
            do throws(FileError) {
                guard try fileStore.evict(row) else { continue }
            } catch {
                // The file stays, and others are evicted instead; it counts as used, so that it does not come first
                // again.
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

    /// Compares files and index, folder by folder, and repairs differences: remains of a crash, files copied or deleted
    /// by hand, a lost index. Reads no bytes of pictures; their digests are checked at first use.
    ///
    /// - Throws: ``FileError``, `PosterError.overloaded`, `CancellationError`; completed steps are not undone.
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
