import Synchronization

/// How soon the outcome of some work is needed (RFC 9218's term). It may rise while the work is queued, and never falls.
///
/// Under the lock: the level and its observers; every operation but ``raise(to:)`` is O(1).
public final class Urgency: Sendable {
    /// From the least urgent to the most.
    public enum Level: Int, Comparable, Sendable, CaseIterable {
        /// No client has asked yet.
        case warming
        /// The client has an older response already.
        case revalidation
        /// A client waits.
        case interactive

        /// The less urgent first.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var level: Level
        var lastID = 0
        var observers: [Int: @Sendable (Level) -> Void] = [:]
    }

    /// The urgency of the work that the current task belongs to; nil outside of any.
    @TaskLocal public static var current: Urgency?

    private let state: Mutex<State>

    /// Starts at this level.
    public init(_ level: Level) {
        self.state = Mutex(State(level: level))
    }

    /// The present level.
    public var level: Level { self.state.withLock { $0.level } }

    /// Raises the level, so that the work overtakes what is less urgent; has no effect when it is that high already.
    public func raise(to level: Level) {
        let observers = self.state.withLock { state -> [@Sendable (Level) -> Void] in
            guard level > state.level else { return [] }
            state.level = level
            return Array(state.observers.values)
        }
        for observer in observers { observer(level) }
    }

    /// Calls `observer` upon every rise, on the thread that causes it, until ``forget(_:)``.
    /// - Returns: What ``forget(_:)`` knows it by.
    public func observe(_ observer: @escaping @Sendable (Level) -> Void) -> Int {
        self.state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
            return state.lastID
        }
    }

    /// Ends the calls of an observer.
    public func forget(_ id: Int) {
        let observer = self.state.withLock { $0.observers.removeValue(forKey: id) }
        withExtendedLifetime(observer) {}
    }
}
