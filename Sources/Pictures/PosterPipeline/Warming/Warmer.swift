import Flights

/// Renders variants ahead of requests, a few at a time, after all work that requests wait for.
///
/// What a client requests while it waits here is rendered at once, and found in memory at its turn.
public final class Warmer: Sendable {
    /// The outcome of a submission.
    public struct Acceptance: Hashable, Sendable {
        package var queued = 0
        /// In memory, or queued before.
        package var cached = 0
        /// Beyond the queue's limit.
        package var refused = 0
    }

    /// The outcome of a run.
    public struct Outcome: Hashable, Sendable {
        package var made = 0
        package var cached = 0
        package var failed = 0
        /// Why, for the first few posters, once each.
        package var failures: [PosterID: PosterError] = [:]

        /// The most posters that a reason is kept for.
        package static let failureLimit = 20

        package var count: Int { self.made + self.cached + self.failed }
    }

    /// How many requests may wait, unless configured otherwise.
    package static let defaultQueueLimit = 10_000
    /// The most attempts for a request that meets overload or a busy origin.
    static let tryLimit = 5
    /// The longest pause between them, in seconds.
    static let longestPause = 10

    private let pipeline: PosterPipeline
    private let concurrency: Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let tasks: BackgroundTasks<PosterRequest, PosterRequest>
    /// Ends runs with a waiting caller.
    private let closing = Gate()

    package init(
        pipeline: PosterPipeline, concurrency: Int, queueLimit: Int = Warmer.defaultQueueLimit,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.pipeline = pipeline
        self.concurrency = max(1, concurrency)
        self.tasks = BackgroundTasks(
            limit: self.concurrency, overflow: .queues(limit: queueLimit), priority: .background)
        self.sleep = sleep
    }

    package var pendingCount: Int { self.tasks.count }

    package func missing(_ requests: [PosterRequest]) -> [PosterRequest] {
        requests.filter { !self.pipeline.holds($0) }
    }

    package func submit(_ requests: [PosterRequest]) -> Acceptance {
        var acceptance = Acceptance()
        for request in requests {
            guard !self.pipeline.holds(request) else {
                acceptance.cached += 1
                continue
            }
            // A request for the poster gets the reason of a failure.
            switch self.tasks.start(request, for: request, { _ = try? await self.make(request) }) {
            case .accepted: acceptance.queued += 1
            case .underWay: acceptance.cached += 1
            case .refused: acceptance.refused += 1
            }
        }
        return acceptance
    }

    /// Empties the queue, and cancels renders without other waiters.
    @discardableResult
    package func cancelAll() -> Int { self.tasks.cancelAll() }

    /// As ``cancelAll()``, and accepts nothing more; runs end with `CancellationError`.
    package func close() {
        self.tasks.close()
        self.closing.open()
    }

    /// Makes variants while the caller waits.
    /// - Parameter progress: Called after each, one call at a time, with how many are done.
    /// - Throws: `CancellationError` when the caller was cancelled or this was closed, or what `progress` throws.
    package func run(
        _ requests: [PosterRequest], progress: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.makeAll(requests, progress) }
            group.addTask {
                try await self.closing.wait()
                throw CancellationError()
            }
            guard let outcome = try await group.next() else { throw CancellationError() }
            return outcome
        }
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
    /// - Returns: Whether it had to be made, or why it could not be.
    func warm(_ request: PosterRequest) async throws -> Result<Bool, PosterError> {
        guard !self.holds(request) else { return .success(false) }
        do {
            let response = try await self.response(to: request, level: .warming, isCurrent: { _ in false })
            let isMade =
                switch response {
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
