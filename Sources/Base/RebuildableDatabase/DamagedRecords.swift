package import CoreMetrics
package import GRDB
package import Logging
import Synchronization

/// Counts a store's undecodable rows and files, which are skipped, and logs the first of each kind.
///
/// The metric is `onesheet.storage.damaged` with the label `store`: each encounter counts once.
package final class DamagedRecords: Sendable {
    private struct State {
        var count = 0
        var logged: Set<String> = []
    }

    private let store: String
    private let logger: Logger
    private let counter: Counter
    private let state = Mutex(State())

    /// - Parameter store: The store's name in the log and in the metric's label `store`.
    package init(of store: String, logger: Logger, metrics: any MetricsFactory = MetricsSystem.factory) {
        self.store = store
        self.logger = logger
        self.counter = Counter(
            label: "onesheet.storage.damaged", dimensions: [("store", store)], factory: metrics)
    }

    package var count: Int { self.state.withLock { $0.count } }

    /// Counts skipped records; logs them unless a record of their kind was logged since the start.
    ///
    /// - Parameters:
    ///   - kind: The table, or another fixed word; the number of kinds must be bounded.
    ///   - reason: Must not contain values of the record, which may be personal.
    package func record(_ kind: String, count: Int = 1, because reason: String) {
        guard count > 0 else { return }
        self.counter.increment(by: count)
        let isFirst = self.state.withLock { state in
            state.count += count
            return state.logged.insert(kind).inserted
        }
        guard isFirst else { return }
        self.logger.warning(
            "Damaged records are skipped; further ones of the kind are only counted",
            metadata: ["store": "\(self.store)", "kind": "\(kind)", "reason": "\(reason)"])
    }

    /// Decodes all rows of a query, skipping damaged ones.
    ///
    /// - Parameters:
    ///   - table: The table's name in the log.
    ///   - decode: Throws ``DamagedRow`` for a row to be skipped.
    package func rows<Value>(
        _ statement: Statement, _ arguments: StatementArguments = StatementArguments(), of table: String,
        _ decode: (Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() {
            do {
                values.append(try decode(row))
            } catch let damage as DamagedRow {
                self.record(table, because: damage.description)
            }
        }
        return values
    }

    /// Decodes the first row of a query; `nil` if there is none or it is damaged.
    package func firstRow<Value>(
        _ statement: Statement, _ arguments: StatementArguments = StatementArguments(), of table: String,
        _ decode: (Row) throws -> Value
    ) throws -> Value? {
        guard let row = try Row.fetchOne(statement, arguments: arguments) else { return nil }
        do {
            return try decode(row)
        } catch let damage as DamagedRow {
            self.record(table, because: damage.description)
            return nil
        }
    }
}

/// A row has a value that is invalid for its column.
package struct DamagedRow: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Decoding without traps, unlike GRDB's subscripts: a damaged page or another program may have left any value.
extension Row {
    /// The value of a column. Throws unless it has the type's storage class, where SQLite and GRDB would convert it.
    package func checked<Value: DatabaseValueConvertible>(
        _ column: String, as type: Value.Type = Value.self
    ) throws(DamagedRow) -> Value {
        do {
            return try Self.checked(try self.decode(DatabaseValue.self, forColumn: column))
        } catch {
            // The error itself contains all values of the row.
            throw DamagedRow("\(column) has the wrong type")
        }
    }

    package func checked<Value: DatabaseValueConvertible>(at index: Int) throws(DamagedRow) -> Value {
        do {
            return try Self.checked(try self.decode(DatabaseValue.self, atIndex: index))
        } catch {
            throw DamagedRow("column \(index) has the wrong type")
        }
    }

    private static func checked<Value: DatabaseValueConvertible>(_ stored: DatabaseValue) throws -> Value {
        guard let value = Value.fromDatabaseValue(stored), stored.hasStorageClass(of: value.databaseValue) else {
            throw DamagedRow("wrong type")
        }
        return value
    }

    package func checked<Value: DatabaseValueConvertible & Comparable>(
        _ column: String, in range: ClosedRange<Value>
    ) throws(DamagedRow) -> Value {
        let value = try self.checked(column, as: Value.self)
        guard range.contains(value) else { throw DamagedRow("\(column) is out of range") }
        return value
    }

    /// As ``checked(_:in:)``, for a column that may be NULL.
    package func checkedIfPresent<Value: DatabaseValueConvertible & Comparable>(
        _ column: String, in range: ClosedRange<Value>
    ) throws(DamagedRow) -> Value? {
        guard let value = try self.checked(column, as: Value?.self) else { return nil }
        guard range.contains(value) else { throw DamagedRow("\(column) is out of range") }
        return value
    }
}

extension DatabaseValue {
    fileprivate func hasStorageClass(of other: DatabaseValue) -> Bool {
        switch (self.storage, other.storage) {
        case (.null, .null), (.int64, .int64), (.double, .double), (.string, .string), (.blob, .blob): true
        default: false
        }
    }
}
