import Synchronization

/// A clock that only a test advances.
package final class ManualClock: Sendable {
    private let nanoseconds = Atomic<UInt64>(1_000_000_000)

    package init() {}

    /// Nanoseconds since an arbitrary fixed moment.
    package var now: @Sendable () -> UInt64 {
        { self.nanoseconds.load(ordering: .relaxed) }
    }

    package func advance(by duration: Duration) {
        self.nanoseconds.add(UInt64(duration / .nanoseconds(1)), ordering: .relaxed)
    }
}
