/// The reason why a statement has no result.
enum PostgresFailure: Error, CustomStringConvertible {
    /// No connection can be made.
    case unreachable(String)
    /// Not tried: the latest attempts have failed, and the next one is later.
    case suspended(String)
    /// The connection ended, or the server's messages are invalid.
    case lost(String)
    /// The server did not respond in time.
    case tooSlow
    /// The server rejected the statement, with this SQLSTATE.
    case refused(state: String, message: String)

    var description: String {
        switch self {
        case .unreachable, .suspended: "the database cannot be reached: \(self.reason)"
        case .lost: "the connection to the database ended: \(self.reason)"
        case .tooSlow: "the database: \(self.reason)"
        case .refused: "the database rejected a statement: \(self.reason)"
        }
    }

    /// The reason as a clause.
    var reason: String {
        switch self {
        case .unreachable(let reason), .suspended(let reason), .lost(let reason): reason
        case .tooSlow: "the server did not respond in time"
        case .refused(let state, let message): "\(message) (\(state))"
        }
    }

    /// Whether the server is unavailable for any statement.
    var isOutage: Bool {
        switch self {
        case .unreachable, .suspended, .lost, .tooSlow: true
        // Errors of connections, resources, and an operator's shutdown. With a full disk, the server can still read.
        case .refused(let state, _):
            ["08", "53", "57"].contains { state.hasPrefix($0) } && ![Self.cancelled, Self.diskFull].contains(state)
        }
    }

    /// Whether the same transaction may succeed on a new connection: the server's tables have changed, a pooler has
    /// replaced the session of the connection, or a standby has become the primary.
    var isOfConnection: Bool {
        guard case .refused(let state, _) = self else { return false }
        // undefined_table, invalid_sql_statement_name, read_only_sql_transaction
        return ["42P01", "26000", "25006"].contains(state)
    }

    /// Whether the same transaction may succeed if it is repeated.
    var isConflict: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["40001", "40P01"].contains(state)
    }

    /// The fault as a word for metrics and `/readyz`; `nil` if nothing was tried.
    var fault: String? {
        switch self {
        case .unreachable, .lost: "unreachable"
        case .suspended: nil
        case .tooSlow, .refused(Self.cancelled, _): "slow"
        case .refused(Self.diskFull, _): "full"
        case .refused: "refused"
        }
    }

    static let faults = ["unreachable", "slow", "full", "refused"]

    /// query_canceled, which `statement_timeout` also causes.
    private static let cancelled = "57014"
    /// disk_full
    private static let diskFull = "53100"
}
