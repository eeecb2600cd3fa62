import CPosterPostgres
import Flights
import Glibc
import MovieLibrary

/// A connection to a server through libpq. Used by one thread at a time, which it blocks until a deadline at most.
///
/// libpq's own blocking functions have no deadline: a server that hangs, or a network that drops packets, would block
/// the thread. It is therefore used in non-blocking mode, with `poll` for waiting.
final class PostgresConnection: @unchecked Sendable {
    // Unchecked: the pool passes it between threads under a lock.

    private static let millisecond: UInt64 = 1_000_000
    /// Type OIDs from PostgreSQL's pg_type.dat, which never change.
    private static let integerTypes: Set<Oid> = [20, 21, 23]
    private static let booleanType: Oid = 16
    private static let bytesType: Oid = 17
    /// libpq's PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY, which are characters in C.
    private static let stateField = Int32(UInt8(ascii: "C"))
    private static let messageField = Int32(UInt8(ascii: "M"))

    private let handle: OpaquePointer
    /// The names of prepared statements by text; bounded by the number of statements in the program.
    private var statements: [String: String] = [:]
    /// The deadline of all subsequent operations, by `Uptime.nanoseconds`.
    var deadline: UInt64
    var trace: PostgresTrace?

    /// - Parameters:
    ///   - url: A connection string of libpq, which may specify hosts, TLS, a password file and more.
    ///   - host: One of the URL's hosts; `nil` for all.
    ///   - statementMilliseconds: The server cancels statements that take longer.
    ///   - deadline: By `Uptime.nanoseconds`.
    init(
        url: String, host: PostgresHost? = nil, statementMilliseconds: Int, deadline: UInt64
    ) throws(PostgresFailure) {
        // Later options override the URL's.
        let options =
            [("dbname", url), ("fallback_application_name", "onesheet"), ("client_encoding", "UTF8")]
            + (host?.options.map { ($0.keyword, $0.value) } ?? [])
        let handle = Self.withCStrings(options.map(\.0)) { keywords in
            Self.withCStrings(options.map(\.1)) { values in PQconnectStartParams(keywords, values, 1) }
        }
        guard let handle else { throw .unreachable("out of memory") }
        self.handle = handle
        self.deadline = deadline
        // libpq writes notices to standard error; failures contain the relevant information as well.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        do throws(PostgresFailure) {
            try self.finishConnecting()
            PQsetnonblocking(handle, 1)
            // A node that hangs within a transaction must not block other nodes for long.
            try self.executeScript(
                """
                SET statement_timeout = \(statementMilliseconds);
                SET idle_in_transaction_session_timeout = \(statementMilliseconds * 5)
                """)
        } catch {
            switch error {
            case .tooSlow: throw .unreachable("the server did not respond in time")
            case .lost(let reason): throw .unreachable(reason)
            case .unreachable, .suspended, .refused: throw error
            }
        }
    }

    deinit { PQfinish(self.handle) }

    private func finishConnecting() throws(PostgresFailure) {
        var state = PGRES_POLLING_WRITING
        while PQstatus(self.handle) != CONNECTION_BAD {
            switch state {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: try self.wait(for: POLLIN)
            case PGRES_POLLING_WRITING: try self.wait(for: POLLOUT)
            default: throw .unreachable(self.message)
            }
            state = PQconnectPoll(self.handle)
        }
        throw .unreachable(self.message)
    }

    /// Whether the connection can be reused: it has no open transaction, and the server has not closed it.
    var isUsable: Bool {
        var entry = pollfd(fd: PQsocket(self.handle), events: Int16(POLLIN), revents: 0)
        // Unrequested bytes: a notice, or the end of the connection.
        if poll(&entry, 1, 0) > 0 { PQconsumeInput(self.handle) }
        return PQstatus(self.handle) == CONNECTION_OK && PQtransactionStatus(self.handle) == PQTRANS_IDLE
    }

    /// Executes a constant text of the program with parameters `$1` and so on, which is prepared at its first use.
    func execute(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresFailure) -> PostgresResult {
        guard let trace else { return try self.executeUntraced(sql, parameters) }
        return try trace.statement(sql) { () throws(PostgresFailure) in try self.executeUntraced(sql, parameters) }
    }

    private func executeUntraced(
        _ sql: String, _ parameters: [PostgresValue]
    ) throws(PostgresFailure) -> PostgresResult {
        let name = try self.prepared(sql)
        let isSent = try Self.withParameters(parameters) { values, lengths, formats in
            PQsendQueryPrepared(self.handle, name, Int32(parameters.count), values, lengths, formats, 0)
        }
        guard isSent == 1 else { throw .lost(self.message) }
        return try self.result()
    }

    /// Executes statements without parameters, in one transaction unless they contain their own.
    func executeScript(_ sql: String) throws(PostgresFailure) {
        guard PQsendQuery(self.handle, sql) == 1 else { throw .lost(self.message) }
        _ = try self.result()
    }

    /// Executes `body` in a transaction, atomically.
    ///
    /// - Parameter isWanted: Called before the commit; if false, the transaction is rolled back.
    /// - Throws: Errors of `body`; ``PostgresFailure``; `CancellationError` if the result is not wanted.
    func transaction<Value>(
        isWanted: () -> Bool = { true }, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        _ = try self.execute("BEGIN")
        do {
            let value = try body(self)
            guard isWanted() else { throw CancellationError() }
            _ = try self.execute("COMMIT")
            return value
        } catch {
            // If this fails too, the connection is not reused: it is in a transaction, or has ended.
            if PQtransactionStatus(self.handle) != PQTRANS_IDLE { _ = try? self.execute("ROLLBACK") }
            throw error
        }
    }

    private func prepared(_ sql: String) throws(PostgresFailure) -> String {
        if let name = self.statements[sql] { return name }
        let name = "onesheet_\(self.statements.count)"
        guard PQsendPrepare(self.handle, name, sql, 0, nil) == 1 else { throw .lost(self.message) }
        _ = try self.result()
        self.statements[sql] = name
        return name
    }

    /// Reads all results of the sent statement, until the server is ready for the next one.
    private func result() throws(PostgresFailure) -> PostgresResult {
        try self.flush()
        var outcome = Result<PostgresResult, PostgresFailure>.failure(.lost("the server sent no result"))
        while let result = try self.nextResult() {
            defer { PQclear(result) }
            // Keeps the first failure.
            if case .failure(.refused) = outcome { continue }
            outcome = self.outcome(of: result)
        }
        if PQstatus(self.handle) != CONNECTION_OK { throw .lost(self.message) }
        return try outcome.get()
    }

    private func flush() throws(PostgresFailure) {
        while true {
            switch PQflush(self.handle) {
            case 0: return
            case 1:
                try self.wait(for: POLLIN | POLLOUT)
                guard PQconsumeInput(self.handle) == 1 else { throw .lost(self.message) }
            default: throw .lost(self.message)
            }
        }
    }

    private func nextResult() throws(PostgresFailure) -> OpaquePointer? {
        while PQisBusy(self.handle) == 1 {
            try self.wait(for: POLLIN)
            guard PQconsumeInput(self.handle) == 1 else { throw .lost(self.message) }
        }
        return PQgetResult(self.handle)
    }

    private func outcome(of result: OpaquePointer) -> Result<PostgresResult, PostgresFailure> {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            let rows = (0..<PQntuples(result)).map { row in
                PostgresRow(values: (0..<PQnfields(result)).map { Self.value(result, row, $0) })
            }
            return .success(
                PostgresResult(rows: rows, changeCount: Int(String(cString: PQcmdTuples(result))) ?? 0))
        default:
            let state = PQresultErrorField(result, Self.stateField).map { String(cString: $0) }
            guard let state else { return .failure(.lost(self.message)) }
            let message = PQresultErrorField(result, Self.messageField).map { String(cString: $0) }
            return .failure(.refused(state: state, message: message ?? ""))
        }
    }

    private static func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> PostgresValue {
        guard PQgetisnull(result, row, column) == 0, let bytes = PQgetvalue(result, row, column) else { return .null }
        let type = PQftype(result, column)
        if Self.integerTypes.contains(type), let number = Int64(String(cString: bytes)) { return .integer(number) }
        if type == Self.booleanType { return .integer(bytes[0] == CChar(UInt8(ascii: "t")) ? 1 : 0) }
        guard type == Self.bytesType else { return .text(String(cString: bytes)) }
        var count = 0
        let decoded = bytes.withMemoryRebound(to: UInt8.self, capacity: 1) { PQunescapeBytea($0, &count) }
        defer { PQfreemem(decoded) }
        return .bytes(Array(UnsafeBufferPointer(start: decoded, count: count)))
    }

    private func wait(for events: Int32) throws(PostgresFailure) {
        var entry = pollfd(fd: PQsocket(self.handle), events: Int16(events), revents: 0)
        while true {
            let now = Uptime.nanoseconds()
            guard now < self.deadline else { throw .tooSlow }
            // Rounded up, since 0 would not wait.
            let rest = (self.deadline - now) / Self.millisecond + 1
            let count = poll(&entry, 1, Int32(clamping: rest))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw .lost(String(cString: strerror(errno))) }
        }
    }

    private var message: String {
        let text = String(cString: PQerrorMessage(self.handle)).split(separator: "\n").joined(separator: " ")
        return text.isEmpty ? "no reason was given" : text
    }
}

extension PostgresConnection {
    private typealias CStrings = UnsafePointer<UnsafePointer<CChar>?>

    /// Calls `body` with a NULL-terminated array of C strings.
    private static func withCStrings<Value>(_ texts: [String], _ body: (CStrings) -> Value) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    /// Calls `body` with values, lengths and formats (1 for binary); integers are text, which the server converts.
    private static func withParameters<Value>(
        _ parameters: [PostgresValue],
        _ body: (CStrings, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Value
    ) throws(PostgresFailure) -> Value {
        let contents = parameters.map { parameter -> [UInt8]? in
            switch parameter {
            case .null: nil
            case .integer(let number): Array("\(number)".utf8) + [0]
            case .text(let text): Array(text.utf8) + [0]
            case .bytes(let bytes): bytes
            }
        }
        for case .text(let text) in parameters where text.utf8.contains(0) {
            throw .refused(state: "22021", message: "a text contains a zero byte")
        }
        let lengths = contents.map { Int32(clamping: $0?.count ?? 0) }
        let formats = parameters.map { parameter -> Int32 in if case .bytes = parameter { 1 } else { 0 } }
        var memory: [UnsafeMutablePointer<UInt8>?] = []
        defer { for each in memory { each?.deallocate() } }
        for content in contents {
            memory.append(
                content.map { bytes in
                    // Never NULL, even for empty values.
                    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
                    copy.initialize(from: bytes, count: bytes.count)
                    return copy
                })
        }
        let values = memory.map { $0.map { UnsafePointer(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) } }
        return (values + [nil]).withUnsafeBufferPointer { values in
            (lengths + [0]).withUnsafeBufferPointer { lengths in
                (formats + [0]).withUnsafeBufferPointer { formats in
                    body(values.baseAddress!, lengths.baseAddress!, formats.baseAddress!)
                }
            }
        }
    }
}
