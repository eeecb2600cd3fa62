package import MovieDomain

/// Shares daily budgets among processes, which are called nodes.
package protocol SharedDailyBudgets: Sendable {
    /// Charges a request to what this node may send on a day.
    ///
    /// - Parameter counted: The requests that this node has counted on that day, also before it was restarted.
    /// - Returns: nil when it is charged.
    /// - Throws: `CancellationError`.
    func charge(
        _ source: MovieSource, on day: CalendarDate, budget: DailyBudget, counted: Int
    ) async throws -> DailyRefusal?

    /// Takes back the charge of a request that was not sent.
    func refund(_ source: MovieSource, on day: CalendarDate)
}

/// Why a request is not within a daily budget.
package enum DailyRefusal: Hashable, Sendable {
    /// All nodes together have used it up.
    case usedUp
    /// Other nodes have what is left; they may give some of it up in so many seconds.
    case heldByOthers(retryAfterSeconds: Int)
}
