import Flights
import Synchronization

/// Renders variants ahead of requests, a few at a time, after all work that requests wait for.
///
/// What a client requests while it waits here is rendered at once, and found in memory at its turn.
public final class Warmer: Sendable {
    /// The outcome of a submission.
    public struct Acceptance: Hashable, Sendable {
        /// Queued for rendering.
        public var queued = 0
        /// In memory, or queued before.
        public var cached = 0
        /// Beyond the queue's limit.
        public var refused = 0
    }

    /// The outcome of a run.
    public struct Outcome: Hashable, Sendable {
        /// Rendered.
        public var made = 0
        /// In memory already.
        public var cached = 0
        /// Not found, or failed.
        public var failed = 0
        /// Why, for the first few posters, once each.
        public var failures: [PosterID: PosterError] = [:]

        /// The most posters that a reason is kept for.
        public static let failureLimit = 20

        /// All of them.
        public var count: Int { self.made + self.cached + self.failed }
    }

    private struct State {
        var waiting: [PosterRequest] = []
        /// The index of the next one in `waiting`.
        var next = 0
        var known: Set<PosterRequest> = []
        var workers: [Int: Task<Void, Never>] = [:]
        /// Runs with a waiting caller.
        var runs: [Int: Task<Outcome, any Error>] = [:]
        var lastID = 0
        var isClosed = false

        mutating func nextID() -> Int {
            self.lastID += 1
            return self.lastID
        }
    }

    /// How many requests may wait, unless configured otherwise.
    public static let defaultQueueLimit = 10_000
    /// The most attempts for a request that meets overload or a busy origin.
    static let tryLimit = 5
    /// The longest pause between them, in seconds.
    static let longestPause = 10

    private let pipeline: PosterPipeline
    private let concurrency: Int
    private let queueLimit: Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - concurrency: How many variants are made at once, at least 1.
    ///   - queueLimit: How many may wait for that.
    ///   - sleep: Pauses before another attempt.
    public init(
        pipeline: PosterPipeline, concurrency: Int, queueLimit: Int = Warmer.defaultQueueLimit,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.pipeline = pipeline
        self.concurrency = max(1, concurrency)
        self.queueLimit = queueLimit
        self.sleep = sleep
    }

    /// How many variants are waiting to be made or being made.
    public var pendingCount: Int { self.state.withLock { $0.known.count } }

    /// Those of `requests` that are not in memory.
    public func missing(_ requests: [PosterRequest]) -> [PosterRequest] {
        requests.filter { !self.pipeline.holds($0) }
    }

    /// Queues requests whose variants are not in memory.
    public func submit(_ requests: [PosterRequest]) -> Acceptance {
        var acceptance = Acceptance()
        for request in requests {
            guard !self.pipeline.holds(request) else {
                acceptance.cached += 1
                continue
            }
            self.state.withLock { state in
                if state.known.contains(request) {
                    acceptance.cached += 1
                } else if state.isClosed || state.waiting.count - state.next >= self.queueLimit {
                    acceptance.refused += 1
                } else {
                    state.known.insert(request)
                    state.waiting.append(request)
                    acceptance.queued += 1
                    self.addWorker(&state)
                }
            }
        }
        return acceptance
    }

    /// Empties the queue, and cancels renders without other waiters.
    ///
    /// - Returns: How many requests that were.
    @discardableResult
    public func cancelAll() -> Int {
        let (count, workers) = self.state.withLock { state in
            defer {
                state.waiting = []
                state.next = 0
                state.known = []
                state.workers = [:]
            }
            return (state.known.count, Array(state.workers.values))
        }
        for worker in workers { worker.cancel() }
        return count
    }

    /// As ``cancelAll()``, and accepts nothing more; runs end with `CancellationError`.
    public func close() {
        let runs = self.state.withLock { state in
            state.isClosed = true
            return Array(state.runs.values)
        }
        for run in runs { run.cancel() }
        self.cancelAll()
    }

    /// Makes variants while the caller waits.
    ///
    /// - Parameter progress: Called after each, one call at a time, with how many are done.
    /// - Throws: `CancellationError` when the caller was cancelled or this was closed, or what `progress` throws.
    public func run(
        _ requests: [PosterRequest], progress: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Outcome {
        // A task, so that `close` can end it as well as the caller.
        let task = Task { try await self.makeAll(requests, progress) }
        let id = self.state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            let id = state.nextID()
            state.runs[id] = task
            return id
        }
        if id == nil { task.cancel() }
        defer { self.forget(id) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func forget(_ run: Int?) {
        guard let run else { return }
        let task = self.state.withLock { $0.runs.removeValue(forKey: run) }
        withExtendedLifetime(task) {}
    }

    private func makeAll(
        _ requests: [PosterRequest], _ progress: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Outcome {
        try await withThrowingTaskGroup(of: (PosterRequest, Result<Bool, PosterError>).self) { group in
            var outcome = Outcome()
            var rest = requests[...]
            func startNext() {
                guard let request = rest.popFirst() else { return }
                group.addTask { (request, try await self.make(request)) }
            }
            for _ in 0..<self.concurrency { startNext() }
            while let (request, result) = try await group.next() {
                switch result {
                case .success(true): outcome.made += 1
                case .success(false): outcome.cached += 1
                case .failure(let error):
                    outcome.failed += 1
                    if outcome.failures.count < Outcome.failureLimit { outcome.failures[request.id] = error }
                }
                try await progress(outcome.count)
                startNext()
            }
            return outcome
        }
    }

    /// Renders one variant; retries after overload.
    private func make(_ request: PosterRequest) async throws -> Result<Bool, PosterError> {
        for _ in 1..<Self.tryLimit {
            let result = try await self.pipeline.warm(request)
            switch result {
            case .failure(.overloaded(let retryAfter)) where retryAfter <= Self.longestPause,
                .failure(.originBusy(let retryAfter)) where retryAfter <= Self.longestPause:
                try await self.sleep(.seconds(retryAfter))
            case .success, .failure: return result
            }
        }
        return try await self.pipeline.warm(request)
    }

    private func addWorker(_ state: inout State) {
        guard state.workers.count < self.concurrency else { return }
        let number = state.nextID()
        // Unstructured: it ends when the queue is empty, or with `cancelAll`.
        state.workers[number] = Task(priority: .background) { await self.work(number) }
    }

    private func work(_ number: Int) async {
        while let request = self.takeNext(number) {
            do {
                _ = try await self.make(request)  // a request for the poster gets the reason
            } catch is CancellationError {
                return  // forgotten with all others
            } catch {
                // Reported to requests for the poster, and logged.
            }
            self.state.withLock { _ = $0.known.remove(request) }
        }
    }

    /// - Returns: nil when the queue is empty; the worker is removed then.
    private func takeNext(_ number: Int) -> PosterRequest? {
        self.state.withLock { state in
            guard state.workers[number] != nil else { return nil }
            guard state.next < state.waiting.count else {
                state.workers[number] = nil
                state.waiting = []
                state.next = 0
                return nil
            }
            state.next += 1
            let request = state.waiting[state.next - 1]
            if state.next >= 1024 {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return request
        }
    }
}

extension PosterPipeline {
    /// Whether a request would be answered from memory; does not count as a use of the variant.
    func holds(_ request: PosterRequest) -> Bool {
        guard case .variant(let target) = request.rendition, let facts = self.library.known(request.id)?.facts,
            let key = try? VariantKey(id: request.id, facts: facts, target: target)
        else { return false }
        return self.variants.contains(key)
    }

    /// Renders a variant ahead of requests.
    ///
    /// - Returns: Whether it had to be made, or why it could not be.
    /// - Throws: `CancellationError`.
    func warm(_ request: PosterRequest) async throws -> Result<Bool, PosterError> {
        guard !self.holds(request) else { return .success(false) }
        do {
            let answer = try await self.answer(to: request, level: .warming, isCurrent: { _ in false })
            let isMade =
                switch answer {
                case .variant(_, let provenance): provenance.reach != .cache
                case .original(_, _, let provenance): provenance.reach == .origin
                case .notModified: false
                }
            if isMade { self.counters.count(.warmed) }
            return .success(isMade)
        } catch let error as PosterError {
            return .failure(error)
        }
    }
}
