import Flights
import PosterCodec
import Synchronization

/// Renders variants ahead of requests, those of a few posters at a time, after all work that requests wait for.
///
/// The variants of one poster are rendered together, from as few decodes as possible. What a client requests while it waits here is rendered at once, and found in memory at its turn.
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

    /// The variants of one poster.
    private struct Batch: Hashable {
        let id: PosterID
        var requests: [PosterRequest]

        /// The requests by poster, in the order of the first of each.
        static func all(_ requests: [PosterRequest]) -> [Batch] {
            var batches: [Batch] = []
            var indices: [PosterID: Int] = [:]
            for request in requests {
                if let index = indices[request.id] {
                    batches[index].requests.append(request)
                } else {
                    indices[request.id] = batches.count
                    batches.append(Batch(id: request.id, requests: [request]))
                }
            }
            return batches
        }
    }

    /// How many variants may wait, unless configured otherwise.
    package static let defaultQueueLimit = 10_000
    /// The most attempts for a poster that meets overload or a busy origin.
    static let tryLimit = 5
    /// The longest pause between them, in seconds.
    static let longestPause = 10

    private let pipeline: PosterPipeline
    private let concurrency: Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let tasks: BackgroundTasks<Batch, Batch>
    /// What was submitted and is not done.
    private let submitted = Mutex<Set<PosterRequest>>([])
    /// Ends runs with a waiting caller.
    private let closing = Gate()

    /// - Parameters:
    ///   - concurrency: How many posters are rendered at once.
    ///   - queueLimit: How many variants may wait.
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

    /// The number of variants under way and waiting.
    package var pendingCount: Int { self.tasks.count }

    package func missing(_ requests: [PosterRequest]) -> [PosterRequest] {
        requests.filter { !self.pipeline.holds($0) }
    }

    /// Variants that are not there are queued; those of one poster together, or none of them.
    package func submit(_ requests: [PosterRequest]) -> Acceptance {
        var acceptance = Acceptance()
        let new = self.submitted.withLock { submitted in
            requests.filter { !self.pipeline.holds($0) && submitted.insert($0).inserted }
        }
        acceptance.cached = requests.count - new.count
        for batch in Batch.all(new) {
            let accepted = self.tasks.start(batch, for: batch, weight: batch.requests.count) {
                // A request for the poster gets the reason of a failure.
                _ = try? await self.make(batch)
                self.forget(batch.requests)
            }
            switch accepted {
            case .accepted: acceptance.queued += batch.requests.count
            case .underWay: acceptance.cached += batch.requests.count
            case .refused:
                acceptance.refused += batch.requests.count
                self.forget(batch.requests)
            }
        }
        return acceptance
    }

    private func forget(_ requests: [PosterRequest]) {
        self.submitted.withLock { $0.subtract(requests) }
    }

    /// Empties the queue, and cancels renders without other waiters.
    /// - Returns: How many variants that were.
    @discardableResult
    package func cancelAll() -> Int {
        self.submitted.withLock { $0 = [] }
        return self.tasks.cancelAll()
    }

    /// As ``cancelAll()``, and accepts nothing more; runs end with `CancellationError`.
    package func close() {
        self.tasks.close()
        self.submitted.withLock { $0 = [] }
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
        try await withThrowingTaskGroup(of: (PosterID, [Result<Bool, PosterError>]).self) { group in
            var outcome = Outcome()
            var rest = Batch.all(requests)[...]
            func startNext() {
                guard let batch = rest.popFirst() else { return }
                group.addTask { (batch.id, try await self.make(batch)) }
            }
            for _ in 0..<self.concurrency { startNext() }
            while let (id, results) = try await group.next() {
                startNext()
                for result in results {
                    outcome.add(result, of: id)
                    try await progress(outcome.count)
                }
            }
            return outcome
        }
    }

    /// Renders the variants of one poster; retries after overload.
    ///
    /// - Returns: One result for each, in their order.
    private func make(_ batch: Batch) async throws -> [Result<Bool, PosterError>] {
        var results = try await self.pipeline.warm(batch.id, batch.requests)
        for _ in 1..<Self.tryLimit {
            let delayed = results.indices.filter { results[$0].pause != nil }
            guard let pause = delayed.compactMap({ results[$0].pause }).max() else { break }
            try await self.sleep(.seconds(pause))
            let again = try await self.pipeline.warm(batch.id, delayed.map { batch.requests[$0] })
            for (index, result) in zip(delayed, again) { results[index] = result }
        }
        return results
    }
}

extension Warmer.Outcome {
    fileprivate mutating func add(_ result: Result<Bool, PosterError>, of id: PosterID) {
        switch result {
        case .success(true): self.made += 1
        case .success(false): self.cached += 1
        case .failure(let error):
            self.failed += 1
            if self.failures.count < Self.failureLimit { self.failures[id] = error }
        }
    }
}

extension Result where Failure == PosterError {
    /// The seconds after which another attempt may succeed; nil for other results.
    fileprivate var pause: Int? {
        switch self {
        case .failure(.overloaded(let retryAfter)) where retryAfter <= Warmer.longestPause,
            .failure(.originBusy(let retryAfter)) where retryAfter <= Warmer.longestPause:
            retryAfter
        case .success, .failure: nil
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

    /// Renders variants of one poster ahead of requests, in as few decodes as possible.
    ///
    /// - Returns: For each, in their order, whether it had to be made, or why it could not be.
    func warm(_ id: PosterID, _ requests: [PosterRequest]) async throws -> [Result<Bool, PosterError>] {
        let targets = requests.compactMap { request -> RenderTarget? in
            guard request.id == id, case .variant(let target) = request.rendition else { return nil }
            return target
        }
        return try await self.jobs.announcing(targets, of: id, level: .warming) {
            try await withThrowingTaskGroup(of: (Int, Result<Bool, PosterError>).self) { group in
                for (index, request) in requests.enumerated() {
                    group.addTask { (index, try await self.warm(request)) }
                }
                var results = [Result<Bool, PosterError>](repeating: .success(false), count: requests.count)
                while let (index, result) = try await group.next() { results[index] = result }
                return results
            }
        }
    }

    /// Renders a variant ahead of requests.
    ///
    /// - Returns: Whether it had to be made, or why it could not be.
    private func warm(_ request: PosterRequest) async throws -> Result<Bool, PosterError> {
        guard !self.holds(request) else { return .success(false) }
        do {
            let response = try await self.response(
                to: request, level: .warming, isConditional: false, isCurrent: { _ in false })
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
