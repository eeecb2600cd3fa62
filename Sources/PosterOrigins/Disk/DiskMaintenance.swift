import Flights
import Logging
import PosterPipeline

/// What a store does for itself while nobody waits: writes last uses, makes room, compares files and index.
///
/// All in small steps on the store's threads, behind everything that somebody waits for.
final class DiskMaintenance: Sendable {
    /// How many originals a step of eviction or of adoption takes.
    static let batchCount = 64
    /// How many last uses are written in one transaction.
    static let usesCount = 1000
    /// Room is made until so many hundredths of the budget are taken, so that not every new original needs some.
    static let keptPercent: Int64 = 95

    let shelf: OriginalShelf
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
            if self.shelf.index.takeIncompleteness() { try await self.sweep() }
        } catch let error as CancellationError {
            self.shelf.index.markIncomplete()
            throw error
        } catch {
            // Too much to do, or a disk that fails. The next round begins where this one ended.
            self.shelf.index.markIncomplete()
            self.shelf.logger.debug("Upkeep put off", metadata: ["error.message": "\(error)"])
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
        let kept = budget / 100 * Self.keptPercent
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
    /// - Throws: What `step` throws, `PosterError.overloaded`, `CancellationError`.
    func perform<Value: Sendable>(_ step: @escaping @Sendable (OriginalShelf) throws -> Value) async throws -> Value {
        try await self.threads.run(urgency: Urgency(.warming)) { try step(self.shelf) }
    }

    private func taken() async throws -> Int64? {
        try await self.perform { shelf in shelf.index.attempt { try $0.totals() }?.bytes }
    }

    private static func evictBatch(_ shelf: OriginalShelf, over excess: Int64) throws -> Int {
        var freed: Int64 = 0
        var evicted = 0
        for row in shelf.index.attempt({ try $0.leastRecentlyUsed(limit: Self.batchCount) }) ?? [] where freed < excess
        {
            guard try shelf.evict(row) else { continue }
            freed += row.space
            evicted += 1
        }
        return evicted
    }
}
