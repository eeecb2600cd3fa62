/// Runs `body` and cancels it after `duration`.
/// - Parameter sleep: Suspends for the given duration.
/// - Throws: `error` after `duration`; `CancellationError`; the error of `body`.
public func withTimeout<Value: Sendable>(
    _ duration: Duration, throwing error: any Error,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await body() }
        group.addTask {
            try await sleep(duration)
            throw error
        }
        guard let value = try await group.next() else { throw error }
        return value
    }
}
