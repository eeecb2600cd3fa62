public import Synchronization

/// A map with limits of count, cost and age that evicts the least recently used entry. Safe from any thread.
///
/// Every operation is O(1), plus O(1) for each entry that it evicts. Values that are replaced, evicted, expired or
/// removed are freed after the lock is released.
public final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Timed: Sendable {
        @usableFromInline let value: Value
        /// Nanoseconds of the clock; `.max` if the value does not expire.
        @usableFromInline let expiry: UInt64

        @inlinable init(value: Value, expiry: UInt64) {
            self.value = value
            self.expiry = expiry
        }
    }

    @usableFromInline let entries: Mutex<LRUMap<Key, Timed>>
    /// Nanoseconds; `nil` without an age limit.
    @usableFromInline let timeToLive: UInt64?
    @usableFromInline let now: @Sendable () -> UInt64

    /// Creates a cache without an age limit.
    ///
    /// - Parameters:
    ///   - countLimit: The maximum number of entries; 0 stores nothing. Unlimited by default.
    ///   - costLimit: The maximum total cost, in any unit. Unlimited by default.
    @inlinable public init(countLimit: Int = .max, costLimit: Int = .max) {
        self.entries = Mutex(LRUMap(countLimit: countLimit, costLimit: costLimit))
        self.timeToLive = nil
        self.now = { 0 }
    }

    /// Creates a cache with an age limit.
    ///
    /// - Parameters:
    ///   - timeToLive: The age from which a value is not returned; zero or less stores nothing.
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

    /// The number of entries and their total cost, including expired entries that were not looked up since.
    @inlinable public var usage: (count: Int, cost: Int) {
        self.entries.withLock { ($0.count, $0.cost) }
    }

    /// Returns the value for `key` and makes it the most recently used one; `nil` if there is none or it has expired.
    @inlinable public func value(for key: Key) -> Value? {
        let (found, isExpired) = self.entries.withLock { entries -> (Timed?, Bool) in
            guard let found = entries.value(for: key) else { return (nil, false) }
            guard found.expiry == .max || self.now() < found.expiry else { return (entries.remove(key), true) }
            return (found, false)
        }
        return isExpired ? nil : found?.value
    }

    /// Stores a value, replacing the key's previous one, then evicts until both limits are met. A value that costs more
    /// than the whole limit is not stored, and the key's previous value is removed.
    ///
    /// - Parameter cost: The value's cost in the unit of the limit; not negative.
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
