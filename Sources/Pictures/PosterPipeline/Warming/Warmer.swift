import Flights
import PosterCodec
import Synchronization

/// Renders variants ahead of requests, a few posters at a time, after all work that requests wait for.
///
/// The variants of one poster are rendered together, from as few decodes as possible. A queued variant that a client
/// requests meanwhile is rendered at once, and found in memory at its turn.
public final class Warmer: Sendable {
    /// The outcome of a submission, in variants.
    public struct Acceptance: Hashable, Sendable {
        package var queued = 0
        /// In memory, or already queued.
        package var cached = 0
        /// Rejected because of the queue's limit.
        package var refused = 0
    }

    /// The outcome of a run, in variants.
    public struct Outcome: Hashable, Sendable {
        package var made = 0
        package var cached = 0
        package var failed = 0
        /// The errors of the first few posters, one each.
        package var failures: [PosterID: PosterError] = [:]

        /// Maximum number of posters in ``failures``.
        package static let failureLimit = 20

        package var count: Int { self.made + self.cached + self.failed }
    }

    private struct Batch: Hashable {
        let id: PosterID
        var requests: [PosterRequest]

        /// Groups requests by poster, in the order of the first request of each.
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

    /// Default of the queue's limit, in variants.
    package static let defaultQueueLimit = 10_000
    /// Maximum number of attempts for a poster after overload or rate limiting by its origin.
    static let tryLimit = 5
    /// Maximum pause between attempts, in seconds; a failure that asks for more is final.
    static let longestPause = 10

    private let pipeline: PosterPipeline
    private let concurrency: Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let tasks: BackgroundTasks<Batch, Batch>
    /// The requests that are queued or running.
    private let submitted = Mutex<Set<PosterRequest>>([])
    /// Ends runs of waiting callers.
    private let closing = Gate()

    /// - Parameters:
    ///   - concurrency: Number of posters rendered at once, at least 1.
    ///   - queueLimit: Maximum number of queued variants.
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

    /// Queues variants that are not in memory; accepts either all or none of a poster's.
    package func submit(_ requests: [PosterRequest]) -> Acceptance {
        var acceptance = Acceptance()
        let new = self.submitted.withLock { submitted in
            requests.filter { !self.pipeline.holds($0) && submitted.insert($0).inserted }
        }
        acceptance.cached = requests.count - new.count
        for batch in Batch.all(new) {
            let accepted = self.tasks.start(batch, for: batch, weight: batch.requests.count) {
                // A request for the poster reports the reason of a failure.
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
    /// - Returns: The number of variants removed.
    @discardableResult
    package func cancelAll() -> Int {
        self.submitted.withLock { $0 = [] }
        return self.tasks.cancelAll()
    }

    /// As ``cancelAll()``, and rejects further work; runs end with `CancellationError`.
    package func close() {
        self.tasks.close()
        self.submitted.withLock { $0 = [] }
        self.closing.open()
    }

    /// Makes variants while the caller waits.
    /// - Parameter progress: Called sequentially after each variant, with the number of finished ones.
    /// - Throws: `CancellationError` if the caller was cancelled or the warmer was closed; the error of `progress`.
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
    /// - Returns: One result per variant, in their order: whether it was made.
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
    /// The seconds after which another attempt may succeed; `nil` if a retry is not worthwhile.
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

    /// Makes variants of one poster ahead of requests, in as few decodes as possible.
    ///
    /// - Returns: For each, in their order, whether it was made rather than in memory, or the error.
    func warm(_ id: PosterID, _ requests: [PosterRequest]) async throws -> [Result<Bool, PosterError>] {
        let targets = requests.compactMap { request -> RenderTarget? in
            guard request.id == id, case .variant(let target) = request.rendition else { return nil }
            return target
        }
        return try await self.scheduler.announcing(targets, of: id, level: .warming) {
            // Decided before any is rendered, as one job makes all of them.
            let missing = requests.indices.filter { !self.holds(requests[$0]) }
            return try await withThrowingTaskGroup(of: (Int, Result<Bool, PosterError>).self) { group in
                for index in missing {
                    group.addTask { (index, try await self.warm(requests[index])) }
                }
                var results = [Result<Bool, PosterError>](repeating: .success(false), count: requests.count)
                while let (index, result) = try await group.next() { results[index] = result }
                return results
            }
        }
    }

    private func warm(_ request: PosterRequest) async throws -> Result<Bool, PosterError> {
        do {
            let response = try await self.response(to: PosterQuery(request, level: .warming))
            let isMade =
                switch response {
                case .variant: true
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
