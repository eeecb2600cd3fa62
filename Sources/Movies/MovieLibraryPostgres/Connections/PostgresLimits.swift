/// Bounds of a library in PostgreSQL.
package struct PostgresLimits: Hashable, Sendable {
    /// Connections of one process, and the threads that wait for them; `8` by default.
    package var connections = 8
    /// Calls that wait for a connection, `256` by default; more are refused at once.
    package var queue = 256
    /// For connecting, in milliseconds; `2,000` by default.
    package var connectMilliseconds = 2000
    /// After which the server ends a statement, in milliseconds; `2,000` by default.
    package var statementMilliseconds = 2000
    /// For all statements of a call, after which its connection is given up, in milliseconds; `5,000` by default.
    package var callMilliseconds = 5000
    /// For waiting for the other nodes' migrations, and for its own, in milliseconds; `60,000` by default.
    package var migrationMilliseconds = 60_000
    /// How long a request about what a user keeps waits, in milliseconds; `3,000` by default.
    package var patienceMilliseconds = 3000
    /// How long films and posters wait for what they can do without, in milliseconds; `250` by default.
    package var shortPatienceMilliseconds = 250

    package init() {}
}
