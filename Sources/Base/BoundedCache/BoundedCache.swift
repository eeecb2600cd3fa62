public import Synchronization

/// A map with limits of count, cost and age that evicts the least recently used entry. Safe from any thread.
///
/// Every operation is O(1), and as much again for each entry that it evicts. Values that are replaced, evicted, expired
/// or removed are freed after the lock is released.
public final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Timed: Sendable {
        @usableFromInline let value: Value
        /// In nanoseconds of the clock; `.max` for values that do not expire.
        @usableFromInline let expiry: UInt64

        @inlinable init(value: Value, expiry: UInt64) {
            self.value = value
            self.expiry = expiry
        }
    }

    @usableFromInline let entries: Mutex<LRUMap<Key, Timed>>
    /// In nanoseconds; nil for no limit.
    @usableFromInline let timeToLive: UInt64?
    @usableFromInline let now: @Sendable () -> UInt64

    /// A cache without a limit of age.
    ///
    /// - Parameters:
    ///   - countLimit: The most entries; 0 keeps nothing. Unlimited by default.
    ///   - costLimit: The most that all entries may cost together, in any unit. Unlimited by default.
    @inlinable public init(countLimit: Int = .max, costLimit: Int = .max) {
        self.entries = Mutex(LRUMap(countLimit: countLimit, costLimit: costLimit))
        self.timeToLive = nil
        self.now = { 0 }
    }

    /// A cache with a limit of age, too.
    ///
    /// - Parameters:
    ///   - timeToLive: The age from which a value is not returned any more; zero or less keeps nothing.
    ///   - now: A monotonic time in nanoseconds. May be called with the lock held.
    @inlinable public init(
        countLimit: Int = .max, costLimit: Int = .max, timeToLive: Duration, now: @escaping @Sendable () -> UInt64
    ) {
        let exact = timeToLive / .nanoseconds(1)
        let nanoseconds = exact < 1 ? 0 : UInt64(exactly: exact.rounded(.down)) ?? .max
        self.entries = Mutex(LRUMap(countLimit: nanoseconds > 0 ? countLimit : 0, costLimit: costLimit))
        self.timeToLive = nanoseconds
        self.now = now
    }

    /// The number of entries and what they cost together, expired ones that were not asked for since included.
    @inlinable public var usage: (count: Int, cost: Int) {
        self.entries.withLock { ($0.count, $0.cost) }
    }

    /// The value for `key`, which becomes the most recently used one; nil when there is none or it has expired.
    @inlinable public func value(for key: Key) -> Value? {
        let (found, isExpired) = self.entries.withLock { entries -> (Timed?, Bool) in
            guard let found = entries.value(for: key) else { return (nil, false) }
            guard found.expiry == .max || self.now() < found.expiry else { return (entries.remove(key), true) }
            return (found, false)
        }
        return isExpired ? nil : found?.value
    }

    /// Stores a value in place of what `key` held before, then evicts until both limits are kept. A value that costs more
    /// than the whole limit is not stored, and what `key` held before is dropped.
    ///
    /// - Parameter cost: Not negative; what it costs in the unit of the limit.
    @inlinable public func insert(_ value: Value, for key: Key, cost: Int = 1) {
        precondition(cost >= 0, "cost must not be negative")
        if self.timeToLive == 0 { return }
        let entry = Timed(value: value, expiry: self.timeToLive.map { self.now().addingClamped($0) } ?? .max)
        let dropped = self.entries.withLock { $0.insert(entry, for: key, cost: cost) }
        withExtendedLifetime(dropped) {}
    }

    /// - Returns: Whether there was a value, expired or not.
    @inlinable @discardableResult public func remove(_ key: Key) -> Bool {
        let dropped = self.entries.withLock { $0.remove(key) }
        return withExtendedLifetime(dropped) { $0 != nil }
    }
}

extension UInt64 {
    @inlinable func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = self.addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
