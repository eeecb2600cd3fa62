import BoundedCache
import Flights
import Logging
import NIOCore
import PosterCodec
import Synchronization

/// Encodes variants again that are used often, with more time or in another format, while codec threads are idle. Safe from
/// any thread.
///
/// It runs on threads of its own, of the lowest priority, as many as there are codec threads: a request neither queues behind
/// an encoder, which cannot be stopped within a call, nor shares a processor with it. It begins only while a codec thread is
/// idle, and stops when requests need all of them.
///
/// Under the lock: the queue and the counts; every operation is O(1).
final class Reencoder: Sendable {
    /// The most encodings that are remembered as not smaller.
    static let declinedLimit = 16_384
    private static let declinedShards = 16
    /// The most variants whose revalidations are counted.
    static let revalidationLimit = 4096
    /// How long nothing begins after requests have needed all codec threads, in nanoseconds.
    static let restNanoseconds: UInt64 = 1_000_000_000
    /// How often a variant may give way until it has to prove again that it is used.
    static let attemptLimit = 4

    private struct State {
        var queue: ReencodingQueue
        var time: CPUShare
        /// Those that are encoded now.
        var running: [Reencoding.ID: StopFlag] = [:]
        /// Until when nothing begins, by the clock.
        var restEnd: UInt64 = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastTask = 0
        var status = ReencodingStatus()
        var isClosed = false
    }

    private enum Step: Sendable {
        case encode(Reencoding, JobControl)
        /// In nanoseconds.
        case wait(UInt64)
        /// Until a codec thread is idle besides so many.
        case waitUntilIdle(besides: Int)
        case end
    }

    let limits: ReencodingLimits
    private let encoder: VariantReencoder
    /// Those of requests.
    private let codecThreads: BoundedThreadPool
    private let variants: VariantCache
    /// nil without a second level.
    private let stored: StoredVariants?
    private let faults: ReencodingFaultLog
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let declined = ShardedCache<Reencoding.ID, Void>(
        costLimit: Reencoder.declinedLimit, shardCount: Reencoder.declinedShards)
    /// Uses of variants that are not in memory.
    private let revalidations = BoundedCache<Reencoding.ID, Int>(countLimit: Reencoder.revalidationLimit)
    private let state: Mutex<State>

    /// - Parameter now: A monotonic time in nanoseconds.
    init(
        limits: ReencodingLimits, encoder: VariantReencoder, variants: VariantCache, stored: StoredVariants?,
        logger: Logger,
        now: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.limits = limits
        self.encoder = encoder
        self.codecThreads = encoder.renderer.threads
        self.variants = variants
        self.stored = stored
        self.faults = ReencodingFaultLog(logger: logger, now: now)
        self.now = now
        self.sleep = sleep
        self.state = Mutex(
            State(
                queue: ReencodingQueue(limit: limits.queueLimit),
                time: CPUShare(threads: limits.cpuShare * Double(self.codecThreads.count))))
    }

    var status: ReencodingStatus {
        self.state.withLock { state in
            var status = state.status
            (status.waiting, status.running) = (state.queue.count, state.running.count)
            return status
        }
    }

    // MARK: Uses

    /// Whether a variant that is not there is made once the other one is used often: it is not known to be no smaller.
    func awaits(_ reencoding: Reencoding) -> Bool { !self.declined.contains(reencoding.id) }

    /// Notes a use of a variant; may be called on event loops.
    ///
    /// - Parameters:
    ///   - hits: How often it was sent from memory since it was rendered for a request, which counts as a use, too.
    ///   - use: What is to be made of it.
    func note(hits: Int, _ use: @autoclosure () -> Reencoding?) {
        self.note(useCount: min(hits + 1, ReencodingLimits.useCounts.upperBound), use())
    }

    private func note(useCount: Int, _ use: @autoclosure () -> Reencoding?) {
        guard let level = self.limits.level(of: useCount), var reencoding = use(),
            !self.declined.contains(reencoding.id)
        else { return }
        reencoding.level = level
        self.state.withLock { state in
            guard !state.isClosed, state.running[reencoding.id] == nil, state.queue.insert(reencoding) else { return }
            self.startTask(&state)
        }
    }

    /// Notes that a client has revalidated a variant that is not in memory, which counts as a use.
    func noteRevalidation(_ reencoding: Reencoding) {
        let count = (self.revalidations.value(for: reencoding.id) ?? 0) + 1
        self.revalidations.insert(min(count, ReencodingLimits.useCounts.upperBound), for: reencoding.id)
        self.note(useCount: count, reencoding)
    }

    // MARK: Giving way

    /// To be called before a render: stops what runs if requests need all codec threads, and lets nothing begin for a while.
    func giveWay() {
        guard self.codecThreads.usage.held >= self.codecThreads.count else { return }
        let end = self.now().addingClamped(Self.restNanoseconds)
        let stopped = self.state.withLock { state in
            state.restEnd = max(state.restEnd, end)
            return Array(state.running.values)
        }
        for flag in stopped { flag.raise() }
    }

    /// Stops what runs, and begins nothing any more.
    func close() {
        let (tasks, stopped) = self.state.withLock { state in
            state.isClosed = true
            state.queue = ReencodingQueue(limit: 0)
            return (Array(state.tasks.values), Array(state.running.values))
        }
        for flag in stopped { flag.raise() }
        for task in tasks { task.cancel() }
    }

    private func startTask(_ state: inout State) {
        guard state.tasks.count < min(self.encoder.threads.count, self.codecThreads.count) else { return }
        state.lastTask += 1
        let id = state.lastTask
        // Unstructured, because it outlives the use that starts it; it ends with the queue, and is cancelled by `close`.
        state.tasks[id] = Task(priority: .background) { await self.run(id) }
    }

    private func run(_ id: Int) async {
        do {
            while true {
                switch self.next(id) {
                case .encode(let reencoding, let control): await self.encode(reencoding, control)
                case .wait(let nanoseconds): try await self.sleep(.nanoseconds(Int64(clamping: nanoseconds)))
                case .waitUntilIdle(let reserved): try await self.codecThreads.waitUntilIdle(besides: reserved)
                case .end: return
                }
            }
        } catch {
            // Cancelled by `close`, which has emptied the queue.
            self.state.withLock { $0.tasks[id] = nil }
        }
    }

    private func next(_ id: Int) -> Step {
        let usage = self.codecThreads.usage
        let now = self.now()
        return self.state.withLock { state -> Step in
            guard !state.isClosed, state.queue.count > 0 else {
                state.tasks[id] = nil
                return .end
            }
            let pause = max(state.time.pause(at: now), state.restEnd.subtractingClamped(now))
            guard pause == 0 else { return .wait(pause) }
            guard usage.waitingCount == 0, usage.held + state.running.count < self.codecThreads.count else {
                return .waitUntilIdle(besides: state.running.count)
            }
            guard let reencoding = state.queue.popFirst() else {
                state.tasks[id] = nil
                return .end
            }
            let control = self.encoder.renderer.control(of: nil)
            state.running[reencoding.id] = control.stop
            return .encode(reencoding, control)
        }
    }

    private func encode(_ reencoding: Reencoding, _ control: JobControl) async {
        let outcome: ReencodingOutcome
        do {
            outcome = try await self.outcome(of: reencoding, control)
        } catch CodecError.stopped {
            outcome = .gaveWay
        } catch is CodecError {
            // Another attempt would fail in the same way.
            outcome = .failed
        } catch  where error is CancellationError || error is OriginalBytes.Unreadable {
            // The service ends, or the store has dropped the original, and logged why.
            outcome = .dropped
        } catch {
            self.faults.log(error, of: reencoding.key.id)
            outcome = .dropped
        }
        switch outcome {
        case .declined, .failed: self.declined.insert((), for: reencoding.id, cost: 1)
        case .replaced, .dropped, .gaveWay: break
        }
        self.state.withLock { state in
            state.running[reencoding.id] = nil
            switch outcome {
            case .replaced(let saved):
                state.status.note(reencoding.key.format) { format in
                    format.count += 1
                    format.savedBytes += saved
                }
            case .declined: state.status.note(reencoding.key.format) { $0.declined += 1 }
            case .failed, .dropped: state.status.dropped += 1
            case .gaveWay:
                state.status.cancelled += 1
                var again = reencoding
                again.attempts += 1
                if again.attempts < Self.attemptLimit, !state.isClosed { state.queue.insert(again) }
            }
        }
    }

    /// - Throws: `CodecError`, of which ``CodecError/stopped`` also while renders need the memory.
    private func outcome(of reencoding: Reencoding, _ control: JobControl) async throws -> ReencodingOutcome {
        let (id, digest) = (reencoding.key.id, reencoding.key.digest)
        let epoch = self.encoder.library.metadata.epoch(of: id)
        guard let facts = self.encoder.library.metadata.entry(for: id)?.facts, facts.digest == digest,
            self.isOfUse(reencoding)
        else { return .dropped }
        let stored = await self.stored?.refined(reencoding.key)
        let made =
            stored == nil
            ? try await self.encoder.poster(
                reencoding.key, reencoding.target, .refined, facts, control: control, charge: self.charge) : nil
        guard let poster = stored?.poster ?? made?.poster else { return .dropped }
        var before = self.variants.unusedPoster(for: reencoding.source)
        if before == nil, reencoding.source != reencoding.key {
            // It was only revalidated; what it would take is what counts.
            before = try await self.encoder.poster(
                reencoding.source, reencoding.sourceTarget, .first, facts, control: control, charge: self.charge)?
                .poster
        }
        guard let before else { return .dropped }
        // A request may have named the new one's format.
        let present = self.variants.unusedPoster(for: reencoding.key)?.bytes.readableBytes ?? .max
        let saved = min(before.bytes.readableBytes, present) - poster.bytes.readableBytes
        guard saved > 0 else { return .declined }
        guard self.keep(poster, reencoding, since: epoch) else { return .dropped }
        guard let made else { return .replaced(saved) }
        self.stored?.keep(
            made.poster, for: reencoding.key, cpuNanoseconds: made.cpuNanoseconds, encoding: .refined,
            of: .unopened(id, facts), since: epoch)
        return .replaced(saved)
    }

    @Sendable
    private func charge(nanoseconds: UInt64) {
        let now = self.now()
        self.state.withLock { state in
            state.time.charge(nanoseconds: nanoseconds, at: now)
            state.status.cpuNanoseconds &+= nanoseconds
        }
    }

    /// Whether the new variant is not there, or only its first encoding.
    private func isOfUse(_ reencoding: Reencoding) -> Bool {
        guard let present = self.variants.unusedPoster(for: reencoding.key) else {
            return reencoding.key != reencoding.source && self.stored?.mayContain(reencoding.key) != true
        }
        return present.encoding == .first
    }

    /// Caches a variant, unless other bytes have taken the original's place or it was purged since `epoch`.
    private func keep(_ poster: Poster, _ reencoding: Reencoding, since epoch: OriginalMetadataCache.Epoch) -> Bool {
        guard self.isKept(reencoding.key, since: epoch), self.variants.insert(poster, for: reencoding.key) else {
            return false
        }
        // Looked at afterwards, too: what makes the original go from now on finds its variants.
        guard self.isKept(reencoding.key, since: epoch) else {
            self.variants.remove(reencoding.key)
            return false
        }
        return true
    }

    private func isKept(_ key: VariantKey, since epoch: OriginalMetadataCache.Epoch) -> Bool {
        self.encoder.library.metadata.isKept(key.id, since: epoch)
            && self.encoder.library.metadata.entry(for: key.id)?.facts.digest == key.digest
    }
}
