import MovieDomain
import Synchronization

/// What answers meant, in memory: those used longest ago make room, in batches.
///
/// Under the lock: the table. Making room is O(n log n) for an eighth of it, the rest O(1); values are let go of outside.
final class DecodedValues: Sendable {
    struct Key: Hashable, Sendable {
        let text: String
        let type: ObjectIdentifier
    }

    /// nil within for what is known not to be.
    struct Decoded: Sendable {
        let value: (any Sendable)?
    }

    private struct Entry {
        let decoded: Decoded
        let freshUntil: Instant
        let byteCount: Int
        var lastUse: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        var useCount: UInt64 = 0
    }

    private let maxCount: Int
    private let maxBytes: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maxCount: So many values.
    ///   - maxBytes: Of the answers that they were decoded from, together.
    init(maxCount: Int, maxBytes: Int) {
        self.maxCount = max(1, maxCount)
        self.maxBytes = maxBytes
    }

    /// nil when nothing is known, or not any more.
    func value(for key: Key, at now: Instant) -> Decoded? {
        self.state.withLock { state in
            guard let entry = state.entries[key], entry.freshUntil > now else { return nil }
            state.useCount += 1
            state.entries[key]!.lastUse = state.useCount
            return entry.decoded
        }
    }

    /// - Parameter byteCount: Of the answer that it was decoded from.
    func keep(_ decoded: Decoded, for key: Key, byteCount: Int, until freshUntil: Instant) {
        guard byteCount <= self.maxBytes / 8 else { return }
        let gone = self.state.withLock { state -> [Entry] in
            state.useCount += 1
            var gone: [Entry] = []
            if let old = state.entries.updateValue(
                Entry(decoded: decoded, freshUntil: freshUntil, byteCount: byteCount, lastUse: state.useCount),
                forKey: key)
            {
                state.byteCount -= old.byteCount
                gone.append(old)
            }
            state.byteCount += byteCount
            guard state.entries.count > self.maxCount || state.byteCount > self.maxBytes else { return gone }
            return gone + self.makeRoom(&state)
        }
        withExtendedLifetime(gone) {}
    }

    private func makeRoom(_ state: inout State) -> [Entry] {
        var gone: [Entry] = []
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            let isRoomy = state.entries.count <= self.maxCount * 7 / 8 && state.byteCount <= self.maxBytes / 8 * 7
            if isRoomy || state.entries.count == 1 { break }
            state.entries[key] = nil
            state.byteCount -= entry.byteCount
            gone.append(entry)
        }
        return gone
    }
}
