import Flights
import Synchronization

/// A value under a lock, with tasks that wait for conditions on it. Safe to use from any thread.
package final class AwaitedState<Value: Sendable>: Sendable {
    package typealias Condition = @Sendable (Value) -> Bool

    private struct State {
        var value: Value
        var waiters: [(condition: Condition, gate: Gate)] = []
    }

    private let state: Mutex<State>

    package init(_ value: Value) {
        self.state = Mutex(State(value: value))
    }

    package var value: Value { self.state.withLock { $0.value } }

    @discardableResult
    package func change<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
        let (result, gates) = self.state.withLock { state in
            let result = change(&state.value)
            let value = state.value
            let gates = state.waiters.filter { $0.condition(value) }.map(\.gate)
            if !gates.isEmpty { state.waiters.removeAll { $0.condition(value) } }
            return (result, gates)
        }
        for gate in gates { gate.open() }
        return result
    }

    /// Returns once the condition holds.
    ///
    /// - Throws: `CancellationError`.
    package func wait(until condition: @escaping Condition) async throws {
        let gate = Gate()
        let holds = self.state.withLock { state in
            if condition(state.value) { return true }
            state.waiters.append((condition, gate))
            return false
        }
        if !holds { try await gate.wait() }
    }
}
