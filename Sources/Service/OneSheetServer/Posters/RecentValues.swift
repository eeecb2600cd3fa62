import Synchronization

/// A bounded memory of what was lately noted, by key. Safe from any thread.
///
/// Two halves: when the new one is full, it becomes the old one, and what the old one held is forgotten. So it holds at least the half of its
/// limit, of what was noted last.
final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Halves {
        var new: [Key: Value] = [:]
        var old: [Key: Value] = [:]
    }

    private let half: Int
    private let halves = Mutex(Halves())

    /// - Parameter limit: The most keys, at least 2.
    init(limit: Int) {
        self.half = max(1, limit / 2)
    }

    subscript(key: Key) -> Value? {
        self.halves.withLock { $0.new[key] ?? $0.old[key] }
    }

    func note(_ value: Value, for key: Key) {
        let dropped = self.halves.withLock { halves -> [Key: Value] in
            var dropped: [Key: Value] = [:]
            if halves.new.count >= self.half, halves.new[key] == nil {
                dropped = halves.old
                (halves.old, halves.new) = (halves.new, [:])
            }
            halves.new[key] = value
            return dropped
        }
        // What it held ends outside the lock.
        withExtendedLifetime(dropped) {}
    }

    func forget(_ key: Key) {
        self.halves.withLock { halves in
            halves.new[key] = nil
            halves.old[key] = nil
        }
    }
}
