/// Waits until a condition holds, for conditions that no gate or continuation reports.
///
/// Yields between the first checks, then sleeps between them, 1 ms at first and at most 50 ms, to leave the processor
/// to the awaited work.
///
/// - Parameters:
///   - limit: The longest wait: 300 seconds by default, which only a condition that never holds reaches, also on a
///     busy machine.
///   - condition: Checked at least once.
/// - Throws: ``EventuallyTimeout`` after `limit`, errors of `condition`, `CancellationError`.
public func eventually(
    within limit: Duration = .seconds(300), isolation: isolated (any Actor)? = #isolation, fileID: String = #fileID,
    line: Int = #line, _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let end = clock.now + limit
    var checks = 0
    while try await !condition() {
        try Task.checkCancellation()
        guard clock.now < end else { throw EventuallyTimeout(location: "\(fileID):\(line)", limit: limit) }
        checks += 1
        if checks < 100 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(min(50, checks / 100))) }
    }
}

/// A condition did not hold within its limit.
public struct EventuallyTimeout: Error, CustomStringConvertible {
    let location: String
    let limit: Duration

    /// The place of the call, and the limit.
    public var description: String { "the condition at \(self.location) did not hold within \(self.limit)" }
}
