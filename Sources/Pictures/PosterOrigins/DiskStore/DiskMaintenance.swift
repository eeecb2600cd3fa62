import Flights
import Logging
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// What a store does for itself while nobody waits: writes last uses, makes room, compares files and index.
///
/// All in small steps on the store's threads, behind everything that somebody waits for.
final class DiskMaintenance: Sendable {
    /// How many originals a step of eviction or of adoption takes.
    static let batchCount = 64
    /// How many last uses are written in one transaction.
    static let usesCount = 1000
    /// When room is made, then for so many hundredths of the budget more, so that not every new original needs some.
    static let spareHundredths: Int64 = 5
    /// Files and index are compared at most once in so many seconds, also when the index does not take what it lacks.
    static let sweepSeconds: Int64 = 60

    let shelf: OriginalShelf
    private let trouble: FaultLog
    private let lastSweep = Mutex<Int64?>(nil)
    private let threads: WorkThreads
    private let wishes: AsyncStream<Void>
    private let wish: @Sendable () -> Void
    private let untilNextRound: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - wishes: For rounds before their time; `wish` adds one.
    ///   - untilNextRound: Returns when it is time for a round; throws when it is cancelled.
    init(
        shelf: OriginalShelf, threads: WorkThreads, wishes: AsyncStream<Void>, wish: @escaping @Sendable () -> Void,
        untilNextRound: @escaping @Sendable () async throws -> Void
    ) {
        self.shelf = shelf
        self.trouble = FaultLog(
            "The upkeep of stored originals fails", logger: shelf.logger, secondsSince1970: shelf.secondsSince1970)
        self.threads = threads
        self.wishes = wishes
        self.wish = wish
        self.untilNextRound = untilNextRound
    }

    /// Does rounds until it is cancelled: the first at once, then when it is time, or when one is wished for.
    ///
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

    /// - Throws: `CancellationError`.
    func round() async throws {
        do {
            try await self.perform { $0.index.reopenIfNeeded() }
            try await self.flush()
            try await self.evict()
            try await self.sweepIfNeeded()
            self.trouble.end()
        } catch let error as CancellationError {
            throw error
        } catch let error as PosterError {
            // Too much to do for others; the next round goes on.
            self.shelf.logger.debug("Upkeep put off", metadata: ["error.message": "\(error)"])
        } catch {
            self.trouble.begin(error)
        }
    }

    private func sweepIfNeeded() async throws {
        let now = self.shelf.secondsSince1970()
        let isDue = self.lastSweep.withLock { last in last.map { now - $0 >= Self.sweepSeconds } ?? true }
        guard isDue, self.shelf.index.takeIncompleteness() else { return }
        self.lastSweep.withLock { $0 = now }
        do {
            try await self.sweep()
        } catch {
            self.shelf.index.markIncomplete()
            throw error
        }
    }

    /// Writes last uses to the index. Those that cannot be written are forgotten: only an order is lost.
    ///
    /// - Throws: `PosterError.overloaded`, `CancellationError`.
    func flush() async throws {
        try await self.perform { shelf in
            let uses = shelf.uses.take()
            let now = shelf.secondsSince1970()
            for start in stride(from: 0, to: uses.count, by: Self.usesCount) {
                let batch = uses[start..<min(start + Self.usesCount, uses.count)]
                guard shelf.index.attempt({ try $0.note(batch, now: now) }) != nil else { return }
            }
        }
    }

    /// Deletes the originals that were not used for longest, if there is more than the budget.
    ///
    /// - Throws: ``FileError``, `PosterError.overloaded`, `CancellationError`.
    func evict() async throws {
        let budget = self.shelf.byteBudget
        let kept = budget - budget / 100 * Self.spareHundredths
        guard let taken = try await self.taken(), taken > budget else { return }
        while let taken = try await self.taken(), taken > kept {
            try await self.flush()
            let evicted = try await self.perform { shelf in try Self.evictBatch(shelf, over: taken - kept) }
            // All candidates were used meanwhile, or there is no index: another round.
            guard evicted > 0 else { return }
        }
    }

    /// Runs a step on the store's threads.
    ///
    /// - Parameter weight: What it reads into memory, in bytes.
    /// - Throws: What `step` throws, `PosterError.overloaded`, `CancellationError`.
    func perform<Value: Sendable>(
        weight: Int = 0, _ step: @escaping @Sendable (OriginalShelf) throws -> Value
    ) async throws -> Value {
        // Short, and one after the other: behind all that clients want it might never have its turn.
        try await self.threads.run(weight: weight, urgency: Urgency(.interactive)) { try step(self.shelf) }
    }

    private func taken() async throws -> Int64? {
        try await self.perform { shelf in
            let totals = shelf.index.attempt { try $0.totals() }
            // What was counted after several originals at once may have been noted in another order.
            shelf.count(totals)
            return totals?.bytes
        }
    }

    private static func evictBatch(_ shelf: OriginalShelf, over excess: Int64) throws -> Int {
        var freed: Int64 = 0
        var evicted = 0
        for row in shelf.index.attempt({ try $0.leastRecentlyUsed(limit: Self.batchCount) }) ?? [] where freed < excess
        {
            do throws(FileError) {
                guard try shelf.evict(row) else { continue }
            } catch {
                // It stays, and the others go in its place: it counts as used, so that it is not the first again.
                shelf.removalTrouble.begin(error)
                _ = shelf.uses.note(row.key)
                continue
            }
            shelf.removalTrouble.end()
            freed += row.space
            evicted += 1
        }
        return evicted
    }
}
