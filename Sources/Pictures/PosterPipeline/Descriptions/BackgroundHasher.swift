import BoundedCache
import Flights
import Logging
import Synchronization

/// Computes the hashes of stored originals in the background, one at a time, after all work that requests wait for.
final class BackgroundHasher: Sendable {
    /// The most originals that wait or are being hashed.
    static let queueLimit = 1000
    /// The most originals remembered as having nothing to hash.
    static let fruitlessLimit = 10_000

    private let library: OriginalLibrary
    private let describer: OriginalDescriber
    private let tasks = BackgroundTasks<PosterID, PosterID>(
        limit: 1, overflow: .queues(limit: BackgroundHasher.queueLimit - 1, newestFirst: true), priority: .background)
    /// The known digests of those that could not be hashed: while they are the same, they are not tried again.
    private let fruitless = Mutex(LRUMap<PosterID, Digest?>(countLimit: BackgroundHasher.fruitlessLimit))

    init(library: OriginalLibrary, describer: OriginalDescriber) {
        self.library = library
        self.describer = describer
    }

    /// How many are queued or being hashed.
    var pendingCount: Int { self.tasks.count }

    func add(_ ids: some Sequence<PosterID>) {
        let missing = ids.map { (id: $0, digest: self.digest(of: $0)) }.filter { !self.isDescribed($0.digest) }
        guard !missing.isEmpty else { return }
        let untried = self.fruitless.withLock { fruitless in
            missing.filter { id, digest in fruitless.value(for: id).map { $0 != digest } ?? true }
        }
        for (id, _) in untried { self.tasks.start(id, for: id) { await self.hash(id) } }
    }

    /// Empties the queue, cancels the current hashing, and accepts nothing more.
    func close() {
        self.tasks.close()
    }

    private func digest(of id: PosterID) -> Digest? { self.library.metadata.entry(for: id)?.facts.digest }

    private func isDescribed(_ digest: Digest?) -> Bool {
        digest.flatMap { self.describer.knownHashes(of: $0) } != nil
    }

    private func hash(_ id: PosterID) async {
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
        self.fruitless.withLock { fruitless in
            if isFruitless { _ = fruitless.insert(digest, for: id) } else { _ = fruitless.remove(id) }
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
}
