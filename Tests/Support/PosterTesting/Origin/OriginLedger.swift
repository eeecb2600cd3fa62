import Flights
import Synchronization

/// The events at an ``OriginServer``, and the waiters for conditions of them.
final class OriginLedger: Sendable {
    struct Events {
        var requests: [OriginRequest] = []
        var acceptedCount = 0
        var closedConnections: Set<Int> = []

        func requestCount(to path: String) -> Int {
            self.requests.count { $0.path == path }
        }
    }

    typealias Condition = @Sendable (Events) -> Bool

    private struct Waiter {
        let condition: Condition
        let gate: Gate
    }

    private struct State {
        var events = Events()
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    var events: Events { self.state.withLock { $0.events } }

    func record<Value: Sendable>(_ change: @Sendable (inout Events) -> Value) -> Value {
        let (value, gates) = self.state.withLock { state in
            let value = change(&state.events)
            let events = state.events
            let gates = state.waiters.filter { $0.condition(events) }.map(\.gate)
            state.waiters.removeAll { $0.condition(events) }
            return (value, gates)
        }
        for gate in gates { gate.open() }
        return value
    }

    /// Returns once the condition holds.
    ///
    /// - Throws: `CancellationError`.
    func wait(until condition: @escaping Condition) async throws {
        let gate = Gate()
        let holds = self.state.withLock { state in
            if condition(state.events) { return true }
            state.waiters.append(Waiter(condition: condition, gate: gate))
            return false
        }
        if !holds { try await gate.wait() }
    }
}

/// The scripts of an ``OriginServer`` by path.
final class ScriptedResponses: Sendable {
    typealias Answer = @Sendable (OriginRequest) -> OriginScript

    private let byPath = Mutex<[String: Answer]>([:])
    private let fallback = Mutex<Answer?>(nil)

    func set(_ answer: @escaping Answer, for path: String) {
        self.byPath.withLock { $0[path] = answer }
    }

    func setFallback(_ answer: @escaping Answer) {
        self.fallback.withLock { $0 = answer }
    }

    func script(for request: OriginRequest) -> OriginScript {
        let answer = self.byPath.withLock { $0[request.path] }
        return (answer ?? self.fallback.withLock { $0 })?(request) ?? .status(404)
    }
}
