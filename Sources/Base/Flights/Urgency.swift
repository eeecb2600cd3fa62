import Synchronization

/// How soon the outcome of some work is wanted. It may rise while the work waits for its turn, and never falls.
///
/// Under the lock: the level and who is told of its rise; every operation but ``raise(to:)`` is O(1).
public final class Urgency: Sendable {
    /// From what can wait to what somebody looks at.
    public enum Level: Int, Comparable, Sendable, CaseIterable {
        /// Nobody has asked yet.
        case warming
        /// What was asked for was answered already, with something older.
        case revalidation
        /// Somebody waits.
        case interactive

        /// By how soon it is wanted.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var level: Level
        var lastID = 0
        var observers: [Int: @Sendable (Level) -> Void] = [:]
    }

    /// That of the work which the task at hand is a part of; nil outside of any.
    @TaskLocal public static var current: Urgency?

    private let state: Mutex<State>

    /// Work that begins at this level.
    public init(_ level: Level) {
        self.state = Mutex(State(level: level))
    }

    /// The level now.
    public var level: Level { self.state.withLock { $0.level } }

    /// Lets the work go before all that is less urgent; of no effect when it is that urgent already.
    public func raise(to level: Level) {
        let observers = self.state.withLock { state -> [@Sendable (Level) -> Void] in
            guard level > state.level else { return [] }
            state.level = level
            return Array(state.observers.values)
        }
        for observer in observers { observer(level) }
    }

    /// Tells of every rise from now on, on the thread that causes it, until ``forget(_:)``.
    func observe(_ observer: @escaping @Sendable (Level) -> Void) -> Int {
        self.state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
            return state.lastID
        }
    }

    func forget(_ id: Int) {
        let observer = self.state.withLock { $0.observers.removeValue(forKey: id) }
        withExtendedLifetime(observer) {}
    }
}
