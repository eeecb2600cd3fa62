import Flights
import PosterCodec
import Synchronization
import Tracing

/// Gathers variants of an original that are wanted at the same time into jobs of one decode each, and runs these on the
/// codec threads.
///
/// A job gathers until a thread takes it. Then it also takes announced variants, and begins; later ones form the next
/// job. Each variant is cached and delivered as soon as it is encoded.
final class RenderScheduler: Sendable {
    typealias Book = JobBook<Waiter<RenderedPoster>>

    let renderer: VariantRenderer
    let early: EarlyRenderRegistry
    let wanted: WantedTargets
    let variants: VariantCache
    /// `nil` without a variant store.
    let stored: StoredVariants?
    let planes: PlaneCache
    /// `nil` disables rendering ahead.
    let ahead: LadderAhead?
    let targets: FrequentRenderTargets
    let library: OriginalLibrary
    let counters: PipelineCounters
    let book = Mutex(Book())

    init(
        _ context: RenderContext, early: EarlyRenderRegistry, variants: VariantCache, stored: StoredVariants?,
        ahead: LadderAhead?, library: OriginalLibrary
    ) {
        self.renderer = context.renderer
        self.wanted = context.wanted
        self.planes = context.planes
        self.targets = context.targets
        self.counters = context.counters
        self.early = early
        self.variants = variants
        self.stored = stored
        self.ahead = ahead
        self.library = library
    }

    var jobCount: Int { self.book.withLock { $0.count } }

    /// Renders a variant, together with other wanted variants of its original.
    ///
    /// If the task is cancelled, the variant leaves its job unless another request has announced it; a job without
    /// variants is stopped.
    ///
    /// - Parameter urgency: May rise during the call.
    /// - Throws: `CodecError` about the variant; ``PosterError``, also about the original, which has been rejected
    ///   then; ``OriginalBytes/Unreadable``; `CancellationError`.
    func poster(
        _ key: VariantKey, target: RenderTarget, of original: Original, urgency: Urgency
    ) async throws -> RenderedPoster {
        let plan = try self.renderer.plan(target, of: original)
        let epoch = self.library.metadata.epoch(of: original.id)
        let observer = urgency.observe { self.raise(key, to: $0) }
        defer { urgency.forget(observer) }
        return try await withWaiter { waiter in
            let (raised, level) = self.book.withLock { book in
                // Read here: a rise before this point found no variant to raise.
                let member = Book.Member(
                    key: key, target: target, plan: plan, original: original, epoch: epoch, level: urgency.level)
                let (begun, raised) = book.join(waiter, member)
                self.start(begun, in: &book)
                return (raised, member.level)
            }
            raised?.raise(to: level)
        } cancel: { waiter in
            self.leave(waiter, of: key)
        }
    }

    // MARK: Requests

    /// Announces targets while `body` runs: a decode of the poster that begins meanwhile serves them, too.
    func announcing<Value>(
        _ targets: [RenderTarget], of id: PosterID, level: Urgency.Level, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let announced = targets.filter { self.wanted.announce($0, of: id, level: level) }
        defer {
            for target in announced { self.wanted.withdraw(target, of: id, level: level) }
            if !announced.isEmpty {
                self.dropUnwanted(of: id)
                self.early.endUnwanted(id)
            }
        }
        return try await body()
    }

    /// Drops variants from a poster's running jobs if no request waits for them or has announced them.
    func dropUnwanted(of id: PosterID) {
        let idle = self.book.withLock { $0.idleMembers(of: id) }
        let unwanted = idle.filter { !self.wanted.contains($0.target, of: id) }.map(\.key)
        guard !unwanted.isEmpty else { return }
        self.counters.count(.dropped, by: self.book.withLock { $0.drop(unwanted) })
    }

    private func raise(_ key: VariantKey, to level: Urgency.Level) {
        self.book.withLock { $0.raise(key, to: level) }?.raise(to: level)
    }

    private func leave(_ waiter: Waiter<RenderedPoster>.ID, of key: VariantKey) {
        let (left, cancelled) = self.book.withLock { $0.leave(waiter, of: key) }
        cancelled?.cancel()
        if left != nil { self.dropUnwanted(of: key.id) }
        left?.resume(throwing: CancellationError())
    }

    // MARK: Jobs

    func start(_ queued: Book.Queued?, in book: inout Book) {
        guard let queued else { return }
        // Unstructured, because it outlives the flight that begins it. Cancelled with its last waiter while it is
        // queued, and stopped by its control afterwards.
        book.setTask(Task { await self.run(queued) }, of: queued.id)
    }

    private func run(_ queued: Book.Queued) async {
        let error: any Error
        do {
            try await withSpan("render") { span in
                let threads = self.renderer.threads
                let (encoding, held) = try await threads.run(
                    weight: self.weight(of: queued.members), urgency: queued.urgency
                ) { permit -> (JobEncoding?, WeightedSemaphore.HeldWeight?) in
                    let encoding = try self.decode(queued, permit)
                    encoding?.run()
                    // If it gives way, its pictures stay in memory.
                    if let encoding, !encoding.isDone { return (encoding, permit.keepWeight()) }
                    if let encoding { self.renderAhead(after: encoding, permit) }
                    return (encoding, nil)
                }
                defer { held?.release() }
                guard let encoding else { return }
                span.attributes["render.targets"] = encoding.members.count
                while !encoding.isDone {
                    let urgency = Urgency(.warming)
                    self.book.withLock { $0.setUrgency(urgency, of: queued.id) }
                    urgency.raise(to: encoding.level)
                    try await threads.run(urgency: urgency) {
                        encoding.run()
                        if encoding.isDone { held?.release() }
                    }
                }
            }
            return
        } catch let failure as CodecError where failure != .stopped {
            await self.library.reject(queued.members[0].original, because: failure)
            error = PosterError(failure)
        } catch CodecError.stopped {
            error = CancellationError()
        } catch let failure {
            error = failure
        }
        self.end(queued.id, error)
    }

    /// Removes a job with all its variants, and resumes their waiters.
    func end(_ id: Book.ID, _ error: any Error) {
        for waiter in self.book.withLock({ $0.end(id) }) { waiter.resume(throwing: error) }
    }

    /// Removes a variant from its job, and resumes its waiters.
    /// - Returns: Whether it had a waiter.
    @discardableResult
    func finish(_ id: Book.ID, _ key: VariantKey, _ outcome: Result<RenderedPoster, any Error>) -> Bool {
        let waiters = self.book.withLock { $0.finish(id, key) }
        for waiter in waiters { waiter.resume(with: outcome) }
        return !waiters.isEmpty
    }
}
