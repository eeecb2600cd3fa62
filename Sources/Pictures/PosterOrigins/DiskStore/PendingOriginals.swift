import Flights
import PosterPipeline
import Synchronization

/// Verified originals that may be served while their files are made durable: one after another for each key, in the
/// order of their commits.
///
/// Bounded, because each holds an open file. The lock guards a dictionary; every operation but ``settle()`` is O(1).
final class PendingOriginals: Sendable {
    /// Maximum total size of their files, in bytes.
    static let byteLimit = 512 << 20

    private struct Entry: Sendable {
        let number: UInt64
        let stored: StoredOriginal
        let file: OriginalFile
        let urgency = Urgency(.revalidation)
        let isSettled = Gate()

        /// Waits until the original is durable or has failed.
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
        /// The latest entry of each key.
        var latest: [Digest: Entry] = [:]
    }

    private let countLimit: Int
    private let state = Mutex(State())

    init(countLimit: Int) {
        self.countLimit = countLimit
    }

    var usage: (count: Int, bytes: Int) { self.state.withLock { ($0.count, $0.byteCount) } }

    /// Reserves a place for an original of this length, for ``add(_:in:key:_:)`` or ``release(_:)``.
    /// - Returns: Whether there was one; otherwise the original must be durable before it is served.
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

    func release(_ byteCount: Int) {
        self.state.withLock { state in
            state.count -= 1
            state.byteCount -= byteCount
        }
    }

    /// Adds an original in a reserved place; it can be found from then on.
    /// - Parameter makeDurable: Called once, in a separate task, with an urgency that may rise.
    func add(
        _ stored: StoredOriginal, in file: OriginalFile, key: Digest,
        _ makeDurable: @escaping @Sendable (Urgency) async -> Void
    ) {
        let (entry, former) = self.state.withLock { state in
            state.lastNumber += 1
            let entry = Entry(number: state.lastNumber, stored: stored, file: file)
            return (entry, state.latest.updateValue(entry, forKey: key))
        }
        // Unstructured, so that it continues after the client for which the original was fetched has left. Never
        // cancelled.
        Task {
            try? await former?.settle()
            await makeDurable(entry.urgency)
            self.end(entry, key: key)
        }
    }

    /// The latest original of a key that is not durable yet, and the identity of its location; `nil` if there is none
    /// or its file has changed.
    func original(_ key: Digest) -> (stored: StoredOriginal, location: String)? {
        guard let entry = self.state.withLock({ $0.latest[key] }), entry.file.isIntact else { return nil }
        return (entry.stored, entry.file.header.location)
    }

    /// Waits until the originals added for a key are durable or have failed.
    /// - Throws: `CancellationError`.
    func settle(_ key: Digest) async throws {
        try await self.state.withLock { $0.latest[key] }?.settle()
    }

    /// Waits until all added originals are durable or have failed.
    func settle() async throws {
        let entries = self.state.withLock { Array($0.latest.values) }
        for entry in entries { entry.urgency.raise(to: .interactive) }
        for entry in entries { try await entry.settle() }
    }

    /// Rejects further reservations.
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
