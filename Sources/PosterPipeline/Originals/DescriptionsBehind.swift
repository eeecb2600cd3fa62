import Flights
import Synchronization

/// Hashes stored originals behind answers, one after another, after everything that somebody waits for.
final class DescriptionsBehind: Sendable {
    /// The most originals that wait.
    static let queueLimit = 1000

    private struct State {
        var waiting: [PosterID] = []
        /// Those that wait, and the one under way.
        var known: Set<PosterID> = []
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

    /// How many wait or are under way.
    var pendingCount: Int { self.state.withLock { $0.known.count } }

    func add(_ ids: some Sequence<PosterID>) {
        let missing = ids.filter { !self.isDescribed($0) }
        guard !missing.isEmpty else { return }
        self.state.withLock { state in
            for id in missing where !state.isClosed && state.known.count < Self.queueLimit {
                if state.known.insert(id).inserted { state.waiting.append(id) }
            }
            guard state.worker == nil, !state.waiting.isEmpty else { return }
            // The service's own: it ends when nothing waits any more, or with `close`.
            state.worker = Task(priority: .background) { await self.work() }
        }
    }

    /// Forgets what waits, stops what is under way, and takes nothing in any more.
    func close() {
        let worker = self.state.withLock { state in
            state.isClosed = true
            (state.waiting, state.known) = ([], [])
            return state.worker.take()
        }
        worker?.cancel()
    }

    private func isDescribed(_ id: PosterID) -> Bool {
        guard let facts = self.library.lastKnown(id)?.facts else { return false }
        return self.describer.knownHashes(of: facts.digest) != nil
    }

    private func work() async {
        while let id = self.takeNext() {
            do {
                try await self.describe(id)
            } catch is CancellationError {
                return  // the service stops
            } catch {
                // The next list with this poster tries again.
                self.library.log("Original not described", id, error)
            }
            self.state.withLock { _ = $0.known.remove(id) }
        }
    }

    private func describe(_ id: PosterID) async throws {
        let moment = self.library.directory.moment(of: id)
        guard let location = try await self.library.locator.knownLocation(of: id),
            let stored = try await self.library.store.original(id, from: location),
            self.library.directory.insert(stored, for: id, since: moment)
        else { return }
        _ = try await self.describer.hashes(of: stored.original, level: .warming)
    }

    /// - Returns: nil when nothing waits; there is no worker any more then.
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
