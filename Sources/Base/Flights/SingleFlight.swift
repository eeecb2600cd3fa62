import Synchronization

/// Runs one operation per key at a time and gives its outcome to everyone who asked meanwhile.
///
/// A caller that is cancelled leaves at once with `CancellationError`; the others are not disturbed. When the last
/// caller leaves, the operation is cancelled too, and the next caller for that key starts a new one.
///
/// The lock guards the table of flights; operations, cancellations and resumptions all run outside it.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The work of one flight. It runs in a task of its own, with the first caller's priority. Its urgency is that of the
    /// most urgent caller so far.
    public typealias Operation = @Sendable (Urgency) async throws -> Value

    /// What a caller gets.
    public struct Landing: Sendable {
        /// The operation's outcome.
        public let value: Value
        /// Whether somebody else had started the flight.
        public let hasJoined: Bool
    }

    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Flight {
        let id: UInt64
        let urgency: Urgency
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter]
    }

    private struct State {
        var lastID: UInt64 = 0
        var flights: [Key: Flight] = [:]

        mutating func nextID() -> UInt64 {
            self.lastID += 1
            return self.lastID
        }
    }

    private enum Joining {
        case cancelled
        case joined(Urgency)
        case started
    }

    private let state = Mutex(State())

    /// No flights.
    public init() {}

    /// The outcome of the flight for `key`, which `operation` starts if there is none.
    ///
    /// - Parameter level: How soon this caller wants it; a flight that is less urgent is raised.
    /// - Throws: What the operation threw, or `CancellationError` when this caller was cancelled.
    public func value(
        for key: Key, level: Urgency.Level = .interactive, operation: @escaping Operation
    ) async throws -> Landing {
        let waiterID = self.state.withLock { $0.nextID() }
        let hasJoined = Atomic<Bool>(false)
        let value = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                switch self.join(key, waiterID: waiterID, waiter: waiter, level: level, operation: operation) {
                case .cancelled: waiter.resume(throwing: CancellationError())
                case .joined(let urgency):
                    hasJoined.store(true, ordering: .relaxed)
                    urgency.raise(to: level)
                case .started: break
                }
            }
        } onCancel: {
            self.leave(key, waiterID: waiterID)
        }
        return Landing(value: value, hasJoined: hasJoined.load(ordering: .relaxed))
    }

    /// How many callers wait for `key`; 0 when nothing is under way.
    public func waiterCount(for key: Key) -> Int {
        self.state.withLock { $0.flights[key]?.waiters.count ?? 0 }
    }

    /// How many callers wait, for all keys together.
    public var waiterCount: Int {
        self.state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } }
    }

    /// How many operations are under way.
    public var flightCount: Int {
        self.state.withLock { $0.flights.count }
    }

    private func join(
        _ key: Key, waiterID: UInt64, waiter: Waiter, level: Urgency.Level, operation: @escaping Operation
    ) -> Joining {
        self.state.withLock { state in
            // `leave` may have run before us and found nobody. The flag is set before `leave` is called, so reading
            // it under the lock that `leave` takes closes that race.
            guard !Task.isCancelled else { return .cancelled }
            if let urgency = state.flights[key]?.urgency {
                state.flights[key]!.waiters[waiterID] = waiter
                return .joined(urgency)
            }
            let id = state.nextID()
            let urgency = Urgency(level)
            // Creating a task only enqueues it, so it cannot run into this lock from here.
            let task = Task { await self.run(operation, for: key, flightID: id, urgency: urgency) }
            state.flights[key] = Flight(id: id, urgency: urgency, task: task, waiters: [waiterID: waiter])
            return .started
        }
    }

    private func leave(_ key: Key, waiterID: UInt64) {
        let (waiter, abandoned) = self.state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: waiterID) else { return (nil, nil) }
            guard state.flights[key]!.waiters.isEmpty else { return (waiter, nil) }
            // Gone from the table before it is cancelled: nobody can join a flight that is going down.
            return (waiter, state.flights.removeValue(forKey: key)!.task)
        }
        abandoned?.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    private func run(_ operation: Operation, for key: Key, flightID: UInt64, urgency: Urgency) async {
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await Urgency.$current.withValue(urgency) { try await operation(urgency) })
        } catch {
            outcome = .failure(error)
        }
        let waiters = self.state.withLock { state -> [Waiter] in
            guard state.flights[key]?.id == flightID else { return [] }
            return Array(state.flights.removeValue(forKey: key)!.waiters.values)
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }
}
