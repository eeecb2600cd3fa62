import Synchronization

/// Tells a running render that nobody wants its result any more. Any thread may raise it.
public final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// A flag that is not raised.
    public init() {}

    /// Raises the flag, for good.
    public func raise() {
        self.flag.store(true, ordering: .relaxed)
    }

    /// Whether the flag was raised.
    public var isRaised: Bool {
        self.flag.load(ordering: .relaxed)
    }
}
