import Flights
import PosterCodec
import Tracing

/// Gathers variants of an original that are wanted at the same time into jobs of one decode each, and runs these on the
/// codec threads.
///
/// A job gathers until a thread takes it. Then it also takes announced variants, and begins; later ones form the next
/// job. Each variant is cached and delivered as soon as it is encoded.
final class RenderScheduler: Sendable {
    typealias Table = SharedRenderTable.Table

    let renderer: VariantRenderer
    let early: EarlyRenderRegistry
    let table: SharedRenderTable
    let variants: VariantCache
    /// `nil` without a variant store.
    let stored: StoredVariants?
    let planes: PlaneCache
    /// `nil` disables rendering ahead.
    let ahead: LadderAhead?
    let targets: FrequentRenderTargets
    let library: OriginalLibrary
    let counters: PipelineCounters

    init(
        _ context: RenderContext, early: EarlyRenderRegistry, variants: VariantCache, stored: StoredVariants?,
        ahead: LadderAhead?, library: OriginalLibrary
    ) {
        self.renderer = context.renderer
        self.table = context.table
        self.planes = context.planes
        self.targets = context.targets
        self.counters = context.counters
        self.early = early
        self.variants = variants
        self.stored = stored
        self.ahead = ahead
        self.library = library
    }

    /// Renders a variant, together with other wanted variants of its original; once for all requests that wait for it.
    ///
    /// If the task is cancelled, its request leaves the flight; ``RenderTable`` decides whether that ends the flight.
    ///
    /// - Returns: The variant, and whether other requests already waited for it.
    /// - Throws: ``PosterError``, also about the original, which has been rejected then; ``OriginalBytes/Unreadable``;
    ///   ``Unopened``; `CancellationError`.
    func poster(
        _ key: VariantKey, target: RenderTarget, of original: Original, level: Urgency.Level
    ) async throws -> (poster: RenderedPoster, isShared: Bool) {
        // Another job may have ended since the request's miss.
        if let poster = self.variants.poster(for: key) { return (self.cached(poster, of: original), false) }
        let plan: RenderPlan
        do {
            plan = try self.renderer.plan(target, of: original)
        } catch let error as CodecError {
            await self.library.reject(original, because: error)
            throw PosterError(error)
        }
        let flight = Table.Flight(
            key: key, target: target, plan: plan, original: original,
            epoch: self.library.metadata.epoch(of: original.id), level: level)
        var isShared = false
        let poster = try await withWaiter { waiter in
            let joining = self.table.withLock { table in
                let joining = table.join(waiter, flight)
                self.start(joining.begun, in: &table)
                return joining
            }
            joining.raised?.raise(to: level)
            isShared = joining.isShared
        } cancel: { waiter in
            self.leave(waiter, of: key)
        }
        return (poster, isShared)
    }

    /// Whether a request waits for the variant.
    func isAwaited(_ key: VariantKey) -> Bool { self.table.withLock { $0.isAwaited(key) } }

    func cached(_ poster: Poster, of original: Original) -> RenderedPoster {
        RenderedPoster(
            poster: poster, timings: .init(), isCached: true, isCurrent: self.library.isCurrent(original))
    }

    // MARK: Requests

    /// Announces targets while `body` runs: a decode of the poster that begins meanwhile serves them, too.
    func announcing<Value>(
        _ targets: [RenderTarget], of id: PosterID, level: Urgency.Level, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let announced = self.table.withLock { $0.announce(targets, of: id, level: level) }
        defer {
            if !announced.isEmpty {
                let droppedCount = self.table.withLock { $0.withdraw(announced, of: id, level: level) }
                self.counters.count(.dropped, by: droppedCount)
                self.early.endUnwanted(id)
            }
        }
        return try await body()
    }

    private func leave(_ waiter: Waiter<RenderedPoster>.ID, of key: VariantKey) {
        let leaving = self.table.withLock { $0.leave(waiter, of: key) }
        leaving.cancelled?.cancel()
        if leaving.isLast { self.counters.count(.cancelled) }
        self.counters.count(.dropped, by: leaving.droppedCount)
        leaving.caller?.resume(throwing: CancellationError())
    }

    // MARK: Jobs

    func start(_ queued: Table.Queued?, in table: inout Table) {
        guard let queued else { return }
        // Unstructured, because it outlives the flight that begins it. Cancelled with its last waiter while it is
        // queued, and stopped by its control afterwards.
        table.setTask(Task { await self.run(queued) }, of: queued.id)
    }

    private func run(_ queued: Table.Queued) async {
        let error: any Error
        do {
            try await withSpan("render") { span in
                let threads = self.renderer.threads
                let (encoding, held) = try await threads.run(
                    weight: self.weight(of: queued.flights), urgency: queued.urgency
                ) { permit -> (JobEncoding?, WeightedSemaphore.HeldWeight?) in
                    let encoding = try self.decode(queued, permit)
                    encoding?.run()
                    // If it gives way, its pictures stay in memory.
                    if let encoding, !encoding.isTaken { return (encoding, permit.keepWeight()) }
                    if let encoding { self.renderAhead(after: encoding, permit) }
                    if threads.hasSpareTime { self.planes.prepareMemory() }
                    return (encoding, nil)
                }
                defer { held?.release() }
                guard let encoding else { return }
                span.attributes["render.targets"] = encoding.flights.count
                while !encoding.isTaken {
                    let urgency = Urgency(.warming)
                    self.table.withLock { $0.setUrgency(urgency, of: queued.id) }
                    urgency.raise(to: encoding.level)
                    try await threads.run(urgency: urgency) {
                        encoding.run(isResumed: true)
                        if encoding.isTaken { held?.release() }
                    }
                }
            }
            return
        } catch let failure as CodecError where failure != .stopped {
            await self.library.reject(queued.flights[0].original, because: failure)
            error = PosterError(failure)
        } catch CodecError.stopped {
            error = CancellationError()
        } catch let failure {
            error = failure
        }
        self.end(queued.id, error)
    }

    /// Removes a job with all its flights, and resumes their callers.
    func end(_ id: Table.JobID, _ error: any Error) {
        for caller in self.table.withLock({ $0.end(id) }) { caller.resume(throwing: error) }
    }

    /// Removes a flight from its job, and resumes its callers.
    /// - Returns: Whether it had a caller.
    @discardableResult
    func finish(_ id: Table.JobID, _ key: VariantKey, _ outcome: Result<RenderedPoster, any Error>) -> Bool {
        let callers = self.table.withLock { $0.finish(id, key) }
        for caller in callers { caller.resume(with: outcome) }
        return !callers.isEmpty
    }

    /// As ``finish(_:_:_:)``, and rejects the original if the error is about it: before requests get the error, if any
    /// waits.
    func fail(_ id: Table.JobID, _ flight: Table.Flight, _ error: CodecError) {
        guard error != .stopped else {
            self.finish(id, flight.key, .failure(CancellationError()))
            return
        }
        let isAwaited = self.isAwaited(flight.key)
        if !isAwaited { self.finish(id, flight.key, .failure(PosterError(error))) }
        // Unstructured, because a codec thread cannot wait for the store of originals. Until it is rejected, requests
        // join the flight.
        Task {
            await self.library.reject(flight.original, because: error)
            if isAwaited { self.finish(id, flight.key, .failure(PosterError(error))) }
        }
    }
}
