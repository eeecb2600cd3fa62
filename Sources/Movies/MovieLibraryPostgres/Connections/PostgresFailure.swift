/// Why a statement has no result.
enum PostgresFailure: Error, CustomStringConvertible {
    /// No connection can be made.
    case unreachable(String)
    /// The connection ended, or what it says makes no sense.
    case lost(String)
    /// The server has not answered in time.
    case tooSlow
    /// The server refuses the statement, with its SQLSTATE.
    case refused(state: String, message: String)

    var description: String {
        switch self {
        case .unreachable: "the database cannot be reached: \(self.reason)"
        case .lost: "the connection to the database ended: \(self.reason)"
        case .tooSlow: "the database: \(self.reason)"
        case .refused: "the database refuses a statement: \(self.reason)"
        }
    }

    /// As a clause.
    var reason: String {
        switch self {
        case .unreachable(let reason), .lost(let reason): reason
        case .tooSlow: "it has not answered in time"
        case .refused(let state, let message): "\(message) (\(state))"
        }
    }

    /// Whether the server cannot be used for now, whatever the statement.
    var isOutage: Bool {
        switch self {
        case .unreachable, .lost, .tooSlow: true
        // Of connections, of resources, of an operator who stops the server.
        case .refused(let state, _): ["08", "53", "57"].contains { state.hasPrefix($0) } && state != Self.cancelled
        }
    }

    /// Whether the same transaction may succeed when it is repeated.
    var isConflict: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["40001", "40P01"].contains(state)
    }

    /// query_canceled: also of `statement_timeout`.
    private static let cancelled = "57014"
}
