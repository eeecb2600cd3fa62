import MovieLibrary

typealias PostgresValue = LibraryValue

extension LibraryValue {
    static func text(orNull text: String?) -> LibraryValue { text.map { .text($0) } ?? .null }

    static func bytes(orNull bytes: (some Sequence<UInt8>)?) -> LibraryValue {
        bytes.map { .bytes(Array($0)) } ?? .null
    }
}

/// A row of a result; columns are accessed by position.
struct PostgresRow: Sendable {
    let values: [LibraryValue]

    /// `nil` for NULL and for other types.
    func text(_ index: Int) -> String? {
        if case .text(let text) = self.values[index] { text } else { nil }
    }

    /// `nil` for NULL and for other types.
    func integer(_ index: Int) -> Int64? {
        if case .integer(let number) = self.values[index] { number } else { nil }
    }

    /// `nil` for NULL and for other types.
    func bytes(_ index: Int) -> [UInt8]? {
        if case .bytes(let bytes) = self.values[index] { bytes } else { nil }
    }
}

/// The result of a statement.
struct PostgresResult: Sendable {
    let rows: [PostgresRow]
    /// The number of inserted, changed or deleted rows.
    let changeCount: Int

    var integer: Int64? { self.rows.first?.integer(0) }
}
