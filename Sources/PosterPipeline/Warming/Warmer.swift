import Synchronization

/// Makes variants that nobody has asked for yet, after everything that somebody waits for, a few at a time.
///
/// What a client asks for while it waits here is made for the client at once, and found in memory when its turn comes.
public final class Warmer: Sendable {
    /// What became of requests to make variants.
    public struct Acceptance: Hashable, Sendable {
        /// To be made.
        public var queued = 0
        /// In memory already, or to be made already.
        public var cached = 0
        /// Over the limit of what may wait.
        public var refused = 0
    }

    /// How it ended.
    public struct Outcome: Hashable, Sendable {
        /// Made, with what it took.
        public var made = 0
        /// In memory already.
        public var cached = 0
        /// Could not be had or made.
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
        /// Where the next one is; what is before it is done.
        var next = 0
        var known: Set<PosterRequest> = []
        var workers: [Int: Task<Void, Never>] = [:]
        var lastWorker = 0
        var isClosed = false
    }

    /// How many requests may wait, unless configured otherwise.
    public static let defaultQueueLimit = 10_000

    private let pipeline: PosterPipeline
    private let concurrency: Int
    private let queueLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - concurrency: How many variants are made at once, at least 1.
    ///   - queueLimit: How many may wait for that.
    public init(pipeline: PosterPipeline, concurrency: Int, queueLimit: Int = Warmer.defaultQueueLimit) {
        self.pipeline = pipeline
        self.concurrency = max(1, concurrency)
        self.queueLimit = queueLimit
    }

    /// How many variants are waiting to be made or being made.
    public var pendingCount: Int { self.state.withLock { $0.known.count } }

    /// Takes requests in; what is in memory costs no more than finding that out.
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

    /// Forgets what waits, and stops what is being made for nobody else.
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

    /// As ``cancelAll()``, and takes nothing in any more.
    public func close() {
        self.state.withLock { $0.isClosed = true }
        self.cancelAll()
    }

    /// Makes variants while the caller waits.
    ///
    /// - Parameter progress: Called after each, one call at a time, with how many are done.
    /// - Throws: `CancellationError` when the caller was cancelled, or what `progress` throws.
    public func run(
        _ requests: [PosterRequest], progress: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Outcome {
        try await withThrowingTaskGroup(of: (PosterRequest, Result<Bool, PosterError>).self) { group in
            var outcome = Outcome()
            var rest = requests[...]
            func startNext() {
                guard let request = rest.popFirst() else { return }
                group.addTask { (request, try await self.pipeline.warm(request)) }
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

    private func addWorker(_ state: inout State) {
        guard state.workers.count < self.concurrency else { return }
        state.lastWorker += 1
        let number = state.lastWorker
        // Belongs to this object: ends when nothing waits any more, or with `cancelAll`.
        state.workers[number] = Task(priority: .background) { await self.work(number) }
    }

    private func work(_ number: Int) async {
        while let request = self.takeNext(number) {
            do {
                _ = try await self.pipeline.warm(request)  // why it cannot be had, the library has logged
            } catch {
                return  // cancelled, and forgotten with all others
            }
            self.state.withLock { _ = $0.known.remove(request) }
        }
    }

    /// - Returns: nil when nothing waits; the worker is forgotten then.
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
