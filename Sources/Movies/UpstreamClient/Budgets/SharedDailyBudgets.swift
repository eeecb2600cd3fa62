package import MovieDomain

/// Shares daily budgets among processes (nodes).
package protocol SharedDailyBudgets: Sendable {
    /// Charges a request to this node's share of a day's budget.
    ///
    /// - Parameter counted: The requests that this node has counted on that day, including before a restart.
    /// - Returns: `nil` if the request is charged.
    /// - Throws: `CancellationError`.
    func charge(
        _ source: MovieSource, on day: CalendarDate, budget: DailyBudget, counted: Int
    ) async throws -> DailyRefusal?

    /// Refunds a request that was not sent.
    func refund(_ source: MovieSource, on day: CalendarDate)
}

/// The reason why a request exceeds a daily budget.
package enum DailyRefusal: Hashable, Sendable {
    case usedUp
    /// Other nodes hold the rest; they may release some of it after this many seconds.
    case heldByOthers(retryAfterSeconds: Int)
}
