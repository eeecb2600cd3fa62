import Flights
import PosterPipeline
import Synchronization

/// Originals that are verified and may be served, while their files are made durable: those of one key one after another,
/// in the order in which they were committed.
///
/// Bounded, since each holds an open file. Under the lock: a dictionary; every operation but ``settle()`` is O(1).
final class PendingOriginals: Sendable {
    /// What their files may take together, in bytes.
    static let byteLimit = 512 << 20

    private struct Entry: Sendable {
        let number: UInt64
        let stored: StoredOriginal
        let file: OriginalFile
        let urgency = Urgency(.revalidation)
        let isSettled = Gate()

        /// Returns when it is durable, or known not to be.
        func settle() async throws {
            self.urgency.raise(to: .interactive)
            try await self.isSettled.wait()
        }
    }

    private struct State {
        var lastNumber: UInt64 = 0
        var count = 0
        var byteCount = 0
        var isClosed = false
        /// The last of each key.
        var latest: [Digest: Entry] = [:]
    }

    private let countLimit: Int
    private let state = Mutex(State())

    /// - Parameter countLimit: The most originals.
    init(countLimit: Int) {
        self.countLimit = countLimit
    }

    /// The number of places that are taken, and their bytes.
    var usage: (count: Int, bytes: Int) { self.state.withLock { ($0.count, $0.byteCount) } }

    /// Takes a place for an original of that length, to be used by ``add(_:in:key:_:)`` or given back.
    /// - Returns: false when there is none: it has to be durable before it is served.
    func reserve(_ byteCount: Int) -> Bool {
        self.state.withLock { state in
            guard !state.isClosed, state.count < self.countLimit, byteCount <= Self.byteLimit - state.byteCount else {
                return false
            }
            state.count += 1
            state.byteCount += byteCount
            return true
        }
    }

    /// Gives back a place.
    func release(_ byteCount: Int) {
        self.state.withLock { state in
            state.count -= 1
            state.byteCount -= byteCount
        }
    }

    /// Shows an original from now on, in a place that was reserved.
    /// - Parameter makeDurable: Called once, in a task of its own; how soon that is waited for may rise.
    func add(
        _ stored: StoredOriginal, in file: OriginalFile, key: Digest,
        _ makeDurable: @escaping @Sendable (Urgency) async -> Void
    ) {
        let (entry, former) = self.state.withLock { state in
            state.lastNumber += 1
            let entry = Entry(number: state.lastNumber, stored: stored, file: file)
            return (entry, state.latest.updateValue(entry, forKey: key))
        }
        // Unstructured: it goes on when the client that the original was fetched for has left. Nothing cancels it.
        Task {
            try? await former?.settle()
            await makeDurable(entry.urgency)
            self.end(entry, key: key)
        }
    }

    /// The last original of a key that was added and is not durable yet, and the identity of its location; nil when its
    /// file has changed.
    func original(_ key: Digest) -> (stored: StoredOriginal, location: String)? {
        guard let entry = self.state.withLock({ $0.latest[key] }), entry.file.isIntact else { return nil }
        return (entry.stored, entry.file.header.location)
    }

    /// Returns when what was added for a key is durable, or known not to be.
    /// - Throws: `CancellationError`.
    func settle(_ key: Digest) async throws {
        try await self.state.withLock { $0.latest[key] }?.settle()
    }

    /// The same for all that was added.
    func settle() async throws {
        let entries = self.state.withLock { Array($0.latest.values) }
        for entry in entries { entry.urgency.raise(to: .interactive) }
        for entry in entries { try await entry.settle() }
    }

    /// Has no place any more.
    func close() {
        self.state.withLock { $0.isClosed = true }
    }

    private func end(_ entry: Entry, key: Digest) {
        let ended = self.state.withLock { state in
            state.latest[key]?.number == entry.number ? state.latest.removeValue(forKey: key) : nil
        }
        self.release(entry.file.header.length)
        entry.isSettled.open()
        withExtendedLifetime(ended) {}
    }
}
