import BoundedCache
import Flights
import Logging
import Synchronization

/// Computes the hashes of stored originals in the background, one at a time, after all work that requests wait for.
final class BackgroundHasher: Sendable {
    /// The most originals that wait.
    static let queueLimit = 1000
    /// The most originals remembered as having nothing to hash.
    static let fruitlessLimit = 10_000

    private struct State {
        var waiting: [PosterID] = []
        /// Queued originals, and the one being hashed.
        var known: Set<PosterID> = []
        /// The known digests of those that could not be hashed: while they are the same, they are not tried again.
        var fruitless = LRUMap<PosterID, Digest?>(countLimit: BackgroundHasher.fruitlessLimit)
        var worker: Task<Void, Never>?
        var isClosed = false
    }

    private let library: OriginalLibrary
    private let describer: OriginalDescriber
    private let state = Mutex(State())

    init(library: OriginalLibrary, describer: OriginalDescriber) {
        self.library = library
        self.describer = describer
    }

    /// How many are queued or being hashed.
    var pendingCount: Int { self.state.withLock { $0.known.count } }

    func add(_ ids: some Sequence<PosterID>) {
        let missing = ids.map { (id: $0, digest: self.digest(of: $0)) }.filter { !self.isDescribed($0.digest) }
        guard !missing.isEmpty else { return }
        self.state.withLock { state in
            for (id, digest) in missing where !state.isClosed && state.known.count < Self.queueLimit {
                if let tried = state.fruitless.value(for: id), tried == digest { continue }
                if state.known.insert(id).inserted { state.waiting.append(id) }
            }
            guard state.worker == nil, !state.waiting.isEmpty else { return }
            // Unstructured: it ends when the queue is empty, or with `close`.
            state.worker = Task(priority: .background) { await self.work() }
        }
    }

    /// Empties the queue, cancels the current hashing, and accepts nothing more.
    func close() {
        let worker = self.state.withLock { state in
            state.isClosed = true
            (state.waiting, state.known) = ([], [])
            return state.worker.take()
        }
        worker?.cancel()
    }

    private func digest(of id: PosterID) -> Digest? { self.library.lastKnown(id)?.facts.digest }

    private func isDescribed(_ digest: Digest?) -> Bool {
        digest.flatMap { self.describer.knownHashes(of: $0) } != nil
    }

    private func work() async {
        while let id = self.takeNext() {
            var isFruitless = false
            do {
                isFruitless = !(try await self.describe(id))
            } catch is CancellationError {
                return  // the service stops
            } catch PosterError.overloaded {
                // The next list with this poster tries again.
            } catch {
                self.library.log("Original not described", id, error)
                isFruitless = true
            }
            let digest = self.digest(of: id)
            self.state.withLock { state in
                state.known.remove(id)
                if isFruitless {
                    _ = state.fruitless.insert(digest, for: id)
                } else {
                    _ = state.fruitless.remove(id)
                }
            }
        }
    }

    /// - Returns: Whether there was something to hash.
    private func describe(_ id: PosterID) async throws -> Bool {
        let epoch = self.library.metadata.epoch(of: id)
        guard let location = try await self.library.locator.knownLocation(of: id),
            let stored = try await self.library.store.original(id, from: location),
            self.library.metadata.insert(stored, for: id, since: epoch)
        else { return false }
        _ = try await self.describer.hashes(of: stored.original, level: .warming)
        return true
    }

    /// - Returns: nil when the queue is empty; the worker is removed then.
    private func takeNext() -> PosterID? {
        self.state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.worker = nil
                return nil
            }
            return state.waiting.removeLast()
        }
    }
}
