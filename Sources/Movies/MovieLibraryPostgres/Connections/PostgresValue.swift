import MovieLibrary

typealias PostgresValue = LibraryValue

extension LibraryValue {
    /// nil becomes ``null``.
    static func text(orNull text: String?) -> LibraryValue { text.map { .text($0) } ?? .null }

    /// nil becomes ``null``.
    static func bytes(orNull bytes: (some Sequence<UInt8>)?) -> LibraryValue {
        bytes.map { .bytes(Array($0)) } ?? .null
    }
}

/// A row of a result, by position.
struct PostgresRow: Sendable {
    let values: [LibraryValue]

    /// nil for NULL, and for what is no text.
    func text(_ index: Int) -> String? {
        if case .text(let text) = self.values[index] { text } else { nil }
    }

    /// nil for NULL, and for what is no integer.
    func integer(_ index: Int) -> Int64? {
        if case .integer(let number) = self.values[index] { number } else { nil }
    }

    /// nil for NULL, and for what are no bytes.
    func bytes(_ index: Int) -> [UInt8]? {
        if case .bytes(let bytes) = self.values[index] { bytes } else { nil }
    }
}

/// What a statement returned.
struct PostgresResult: Sendable {
    let rows: [PostgresRow]
    /// Rows that the statement inserted, changed or deleted.
    let changeCount: Int

    /// The integer in the first row's first column; nil without one.
    var integer: Int64? { self.rows.first?.integer(0) }
}
