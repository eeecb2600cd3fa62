import Dispatch

/// A gate for threads: blocks work that cannot suspend.
public final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// A closed latch.
    public init() {}

    /// Lets one waiter through.
    public func open() {
        self.semaphore.signal()
    }

    /// Blocks the calling thread until the latch is opened.
    public func wait() {
        self.semaphore.wait()
    }
}
