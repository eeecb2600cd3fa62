/// Why a statement has no result.
enum PostgresFailure: Error, CustomStringConvertible {
    /// No connection can be made.
    case unreachable(String)
    /// Nothing was tried: the latest attempts have failed, and the next one is later.
    case suspended(String)
    /// The connection ended, or what it says makes no sense.
    case lost(String)
    /// The server has not answered in time.
    case tooSlow
    /// The server refuses the statement, with its SQLSTATE.
    case refused(state: String, message: String)

    var description: String {
        switch self {
        case .unreachable, .suspended: "the database cannot be reached: \(self.reason)"
        case .lost: "the connection to the database ended: \(self.reason)"
        case .tooSlow: "the database: \(self.reason)"
        case .refused: "the database refuses a statement: \(self.reason)"
        }
    }

    /// As a clause.
    var reason: String {
        switch self {
        case .unreachable(let reason), .suspended(let reason), .lost(let reason): reason
        case .tooSlow: "it has not answered in time"
        case .refused(let state, let message): "\(message) (\(state))"
        }
    }

    /// Whether the server cannot be used for now, whatever the statement.
    var isOutage: Bool {
        switch self {
        case .unreachable, .suspended, .lost, .tooSlow: true
        // Of connections, of resources, of an operator who stops the server. With a full disk it still reads.
        case .refused(let state, _):
            ["08", "53", "57"].contains { state.hasPrefix($0) } && ![Self.cancelled, Self.diskFull].contains(state)
        }
    }

    /// Whether the same transaction may succeed on a new connection: the server has other tables than before, a pooler has put
    /// another session behind the connection, or a standby has become what was the primary.
    var isOfConnection: Bool {
        guard case .refused(let state, _) = self else { return false }
        // undefined_table, invalid_sql_statement_name, read_only_sql_transaction
        return ["42P01", "26000", "25006"].contains(state)
    }

    /// Whether the same transaction may succeed when it is repeated.
    var isConflict: Bool {
        guard case .refused(let state, _) = self else { return false }
        return ["40001", "40P01"].contains(state)
    }

    /// What is wrong, in a word for metrics and `/readyz`; nil when nothing was tried.
    var fault: String? {
        switch self {
        case .unreachable, .lost: "unreachable"
        case .suspended: nil
        case .tooSlow, .refused(Self.cancelled, _): "slow"
        case .refused(Self.diskFull, _): "full"
        case .refused: "refused"
        }
    }

    /// The faults that there are.
    static let faults = ["unreachable", "slow", "full", "refused"]

    /// query_canceled: also of `statement_timeout`.
    private static let cancelled = "57014"
    /// disk_full
    private static let diskFull = "53100"
}
