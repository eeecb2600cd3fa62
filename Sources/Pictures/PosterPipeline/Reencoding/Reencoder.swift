import BoundedCache
import Flights
import NIOCore
import PosterCodec
import Synchronization

/// Encodes frequently used variants again, with more effort or in another format, while codec threads are idle. Safe
/// from any thread.
///
/// It has its own threads of the lowest priority, as many as there are codec threads: a request neither queues behind
/// an encoder, which cannot be stopped within a call, nor shares a processor with it. An encoding begins only while a
/// codec thread is idle, and stops when requests need all of them.
///
/// The lock guards the queue and the counts; every operation is O(1).
final class Reencoder: Sendable {
    /// Maximum number of encodings recorded as not used, because they were not smaller or failed.
    static let declinedLimit = 16_384
    private static let declinedShards = 16
    /// Maximum number of variants with counted revalidations.
    static let revalidationLimit = 4096
    /// Pause after requests have needed all codec threads, in nanoseconds.
    static let restNanoseconds: UInt64 = 1_000_000_000
    /// Number of interrupted attempts after which a variant leaves the queue, until it is used again.
    static let attemptLimit = 4

    private struct State {
        var queue: ReencodingQueue
        var time: CPUShare
        /// Stop flags of the running encodings.
        var running: [Reencoding.ID: StopFlag] = [:]
        /// The end of the pause after requests needed all codec threads, in monotonic nanoseconds.
        var restEnd: UInt64 = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var lastTask = 0
        var status = ReencodingStatus()
        var isClosed = false
    }

    private enum Step: Sendable {
        case encode(Reencoding, JobControl)
        case wait(UInt64)
        /// Waits until a codec thread is idle, in addition to this many.
        case waitUntilIdle(besides: Int)
        case end
    }

    let limits: ReencodingLimits
    private let encoder: VariantReencoder
    /// The threads that serve requests.
    private let codecThreads: BoundedThreadPool
    private let variants: VariantCache
    /// `nil` without a variant store.
    private let stored: StoredVariants?
    private let faults: ReencodingFaultLog
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void
    /// The encodings that are not used, with the size in bytes that the replaced variant must exceed for another
    /// attempt.
    private let declined = ShardedCache<Reencoding.ID, Int>(
        costLimit: Reencoder.declinedLimit, shardCount: Reencoder.declinedShards)
    /// Revalidations of variants that are not in memory.
    private let revalidations = BoundedCache<Reencoding.ID, Int>(countLimit: Reencoder.revalidationLimit)
    private let state: Mutex<State>

    init(
        limits: ReencodingLimits, encoder: VariantReencoder, variants: VariantCache, stored: StoredVariants?,
        environment: PipelineEnvironment
    ) {
        self.limits = limits
        self.encoder = encoder
        self.codecThreads = encoder.renderer.threads
        self.variants = variants
        self.stored = stored
        self.faults = ReencodingFaultLog(logger: environment.logger, now: environment.now)
        self.now = environment.now
        self.sleep = environment.sleep
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

    /// Whether a variant is to be encoded once the other one is used often: it is not known to be no smaller, or the
    /// other one, corrected to its likeness, has become larger than it.
    func awaits(_ reencoding: Reencoding) -> Bool {
        guard let size = self.declined.value(for: reencoding.id) else { return true }
        guard reencoding.source.isMeasured else { return false }
        return self.variants.unusedPoster(for: reencoding.source).map { $0.bytes.readableBytes > size } ?? false
    }

    /// Counts a use of a variant; may be called on event loops.
    ///
    /// - Parameters:
    ///   - hits: How often it was sent from memory; its render for a request counts as a further use.
    ///   - use: The re-encoding that the use suggests.
    func note(hits: Int, _ use: @autoclosure () -> Reencoding?) {
        self.note(useCount: min(hits + 1, ReencodingLimits.useCounts.upperBound), use())
    }

    private func note(useCount: Int, _ use: @autoclosure () -> Reencoding?) {
        guard let level = self.limits.level(of: useCount), var reencoding = use(), self.awaits(reencoding) else {
            return
        }
        reencoding.level = level
        self.state.withLock { state in
            guard !state.isClosed, state.running[reencoding.id] == nil, state.queue.insert(reencoding) else { return }
            self.startTask(&state)
        }
    }

    /// Counts the revalidation of a variant that is not in memory as a use.
    func noteRevalidation(_ reencoding: Reencoding) {
        let count = (self.revalidations.value(for: reencoding.id) ?? 0) + 1
        self.revalidations.insert(min(count, ReencodingLimits.useCounts.upperBound), for: reencoding.id)
        self.note(useCount: count, reencoding)
    }

    // MARK: Giving way

    /// Stops running encodings and pauses if requests need all codec threads. Call it before a render.
    func giveWay() {
        guard self.codecThreads.usage.held >= self.codecThreads.count else { return }
        let end = self.now().addingClamped(Self.restNanoseconds)
        let stopped = self.state.withLock { state in
            state.restEnd = max(state.restEnd, end)
            return Array(state.running.values)
        }
        for flag in stopped { flag.raise() }
    }

    /// Stops running encodings and starts no others.
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
        // Unstructured, because it outlives the use that starts it; it ends with the queue, and `close` cancels it.
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
            // The service ends, or the store has dropped the original and logged the reason.
            outcome = .dropped
        } catch {
            self.faults.log(error, of: reencoding.key.id)
            outcome = .dropped
        }
        switch outcome {
        case .declined(let size): self.declined.insert(size, for: reencoding.id, cost: 1)
        case .failed: self.declined.insert(.max, for: reencoding.id, cost: 1)
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

    /// - Throws: `CodecError`, including ``CodecError/stopped`` while renders need the memory.
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
            // It was only revalidated; the comparison needs its size.
            before = try await self.encoder.poster(
                reencoding.source, reencoding.sourceTarget, .first, facts, control: control, charge: self.charge)?
                .poster
        }
        guard let before else { return .dropped }
        // A request may have named the new variant's format.
        let present = self.variants.unusedPoster(for: reencoding.key)?.bytes.readableBytes ?? .max
        let saved = min(before.bytes.readableBytes, present) - poster.bytes.readableBytes
        // A measured encoding replaces a first one of any size, which may be less alike; another format has to be
        // smaller.
        let isMeasured = reencoding.key.isMeasured
        let isWanted =
            isMeasured && reencoding.key != reencoding.source
            ? poster.bytes.readableBytes < before.bytes.readableBytes : isMeasured || saved > 0
        guard isWanted else { return .declined(max(before.bytes.readableBytes, poster.bytes.readableBytes)) }
        guard self.keep(poster, reencoding, since: epoch) else { return .dropped }
        guard let made else { return .replaced(max(0, saved)) }
        self.stored?.keep(
            made.poster, for: reencoding.key, cpuNanoseconds: made.cpuNanoseconds, encoding: .refined,
            of: .unopened(id, facts), since: epoch)
        return .replaced(max(0, saved))
    }

    @Sendable
    private func charge(nanoseconds: UInt64) {
        let now = self.now()
        self.state.withLock { state in
            state.time.charge(nanoseconds: nanoseconds, at: now)
            state.status.cpuNanoseconds &+= nanoseconds
        }
    }

    /// Whether the new variant is in neither memory nor the variant store, or only its first encoding is in memory. An
    /// evicted variant is not refined.
    private func isOfUse(_ reencoding: Reencoding) -> Bool {
        guard let present = self.variants.unusedPoster(for: reencoding.key) else {
            return reencoding.key != reencoding.source && self.stored?.mayContain(reencoding.key) != true
        }
        return present.encoding == .first
    }

    /// Caches a variant, unless the original was replaced, withdrawn or purged since `epoch`.
    private func keep(_ poster: Poster, _ reencoding: Reencoding, since epoch: OriginalMetadataCache.Epoch) -> Bool {
        guard self.isKept(reencoding.key, since: epoch), self.variants.insert(poster, for: reencoding.key) else {
            return false
        }
        // Checked again after the insertion: an original removed from here on takes its variants along.
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
