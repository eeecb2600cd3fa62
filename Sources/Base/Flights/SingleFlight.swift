import Synchronization

/// Runs at most one operation per key at a time and returns its outcome to all concurrent callers.
///
/// A cancelled caller leaves at once with `CancellationError`; the other callers are unaffected. When the last caller
/// leaves, the operation is cancelled too, and the next caller for that key starts a new one.
///
/// The lock guards the table of flights. Operations, cancellations and resumptions run outside it.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The work of one flight. It runs in its own task with the first caller's priority. Its urgency is the highest
    /// level of any caller so far.
    public typealias Operation = @Sendable (Urgency) async throws -> Value

    /// The result that a caller receives.
    public struct SharedValue: Sendable {
        /// The operation's outcome.
        public let value: Value
        /// Whether another caller had started the flight.
        public let hasJoined: Bool
    }

    private typealias Caller = Waiter<SharedValue>

    private struct Flight {
        /// The caller that started the flight; unique per flight.
        let starter: Caller.ID
        let urgency: Urgency
        let task: Task<Void, Never>
        var callers: [Caller.ID: Caller]
    }

    private let flights = Mutex<[Key: Flight]>([:])

    /// Creates an instance without flights.
    public init() {}

    /// Returns the outcome of the flight for `key`; starts `operation` if there is none.
    /// - Parameter level: This caller's urgency; a less urgent flight is raised to it.
    /// - Throws: The operation's error, or `CancellationError` if this caller was cancelled.
    public func value(
        for key: Key, level: Urgency.Level = .interactive, operation: @escaping Operation
    ) async throws -> SharedValue {
        try await withWaiter { caller in
            self.join(key, caller, level: level, operation: operation)
        } cancel: { id in
            self.leave(key, id)
        }
    }

    /// The number of callers that wait for `key`; 0 without a flight.
    public func waiterCount(for key: Key) -> Int {
        self.flights.withLock { $0[key]?.callers.count ?? 0 }
    }

    /// The total number of waiting callers.
    public var waiterCount: Int {
        self.flights.withLock { $0.values.reduce(0) { $0 + $1.callers.count } }
    }

    /// The number of running operations.
    public var flightCount: Int {
        self.flights.withLock { $0.count }
    }

    private func join(
        _ key: Key, _ caller: Caller, level: Urgency.Level, operation: @escaping Operation
    ) {
        let joined = self.flights.withLock { flights -> Urgency? in
            if let urgency = flights[key]?.urgency {
                flights[key]!.callers[caller.id] = caller
                return urgency
            }
            let urgency = Urgency(level)
            // Creating a task only enqueues it: it cannot take this lock from here.
            let task = Task { await self.run(operation, for: key, starter: caller.id, urgency: urgency) }
            flights[key] = Flight(starter: caller.id, urgency: urgency, task: task, callers: [caller.id: caller])
            return nil
        }
        joined?.raise(to: level)
    }

    private func leave(_ key: Key, _ id: Caller.ID) {
        let (caller, abandoned) = self.flights.withLock { flights -> (Caller?, Task<Void, Never>?) in
            guard let caller = flights[key]?.callers.removeValue(forKey: id) else { return (nil, nil) }
            guard flights[key]!.callers.isEmpty else { return (caller, nil) }
            // Removed from the table before it is cancelled: no caller can join a flight that is being cancelled.
            return (caller, flights.removeValue(forKey: key)!.task)
        }
        abandoned?.cancel()
        caller?.resume(throwing: CancellationError())
    }

    private func run(_ operation: Operation, for key: Key, starter: Caller.ID, urgency: Urgency) async {
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await Urgency.$current.withValue(urgency) { try await operation(urgency) })
        } catch {
            outcome = .failure(error)
        }
        let callers = self.flights.withLock { flights -> [Caller] in
            guard flights[key]?.starter == starter else { return [] }
            return Array(flights.removeValue(forKey: key)!.callers.values)
        }
        for caller in callers {
            caller.resume(with: outcome.map { SharedValue(value: $0, hasJoined: caller.id != starter) })
        }
    }
}
