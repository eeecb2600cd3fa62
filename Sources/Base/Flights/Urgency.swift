import Synchronization

/// How soon a result is needed (RFC 9218's term). The level may rise while the work is queued, and never falls.
///
/// The lock guards the level and its observers; every operation but ``raise(to:)`` is O(1).
public final class Urgency: Sendable {
    /// The levels, from the least to the most urgent.
    public enum Level: Int, Comparable, Sendable, CaseIterable {
        /// No client has asked for it yet.
        case warming
        /// The client already has an older response.
        case revalidation
        /// A client waits.
        case interactive

        /// Orders less urgent levels first.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var level: Level
        var lastID = 0
        var observers: [Int: @Sendable (Level) -> Void] = [:]
    }

    /// The urgency of the current task's work; `nil` outside of such work.
    @TaskLocal public static var current: Urgency?

    private let state: Mutex<State>

    /// Creates an urgency with an initial level.
    public init(_ level: Level) {
        self.state = Mutex(State(level: level))
    }

    /// The current level.
    public var level: Level { self.state.withLock { $0.level } }

    /// Raises the level, so that the work overtakes less urgent work; has no effect if it is as high already.
    public func raise(to level: Level) {
        let observers = self.state.withLock { state -> [@Sendable (Level) -> Void] in
            guard level > state.level else { return [] }
            state.level = level
            return Array(state.observers.values)
        }
        for observer in observers { observer(level) }
    }

    /// Calls `observer` after every rise, on the thread that caused it, until ``forget(_:)``.
    /// - Returns: The id to pass to ``forget(_:)``.
    public func observe(_ observer: @escaping @Sendable (Level) -> Void) -> Int {
        self.state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
            return state.lastID
        }
    }

    /// Removes an observer.
    public func forget(_ id: Int) {
        let observer = self.state.withLock { $0.observers.removeValue(forKey: id) }
        withExtendedLifetime(observer) {}
    }
}
