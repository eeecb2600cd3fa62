/// Limits of a library in PostgreSQL.
package struct PostgresLimits: Hashable, Sendable {
    /// Connections per process, and the threads that wait for them; `8` by default.
    package var connections = 8
    /// Calls waiting for a connection, `256` by default; further ones are rejected at once.
    package var queue = 256
    /// Timeout for connecting, in milliseconds; `2,000` by default.
    package var connectMilliseconds = 2000
    /// The server's timeout for a statement, in milliseconds; `2,000` by default.
    package var statementMilliseconds = 2000
    /// Timeout for all statements of a call, after which its connection is closed, in milliseconds; `5,000` by default.
    package var callMilliseconds = 5000
    /// Timeout for other nodes' migrations and the own one, in milliseconds; `60,000` by default.
    package var migrationMilliseconds = 60_000
    /// How long a request for users' data waits, in milliseconds; `3,000` by default.
    package var patienceMilliseconds = 3000
    /// How long films and posters wait for optional data, in milliseconds; `250` by default.
    package var shortPatienceMilliseconds = 250

    package init() {}
}
