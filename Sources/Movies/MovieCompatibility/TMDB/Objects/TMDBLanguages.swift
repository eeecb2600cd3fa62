import MovieDomain

/// The languages of The Movie Database.
enum TMDBLanguages {
    private struct Row {
        let code, english, own: String

        var object: OrderedJSON {
            ["iso_639_1": .string(self.code), "english_name": .string(self.english), "name": .string(self.own)]
        }
    }

    private static let rows: [Row] = Self.table.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 3 ? Row(code: parts[0], english: parts[1], own: parts[2]) : nil
    }

    static var all: OrderedJSON { .array(self.rows.map(\.object)) }

    /// A spoken language of a film; a language that is not in the table has its code as its name.
    static func object(_ language: Language) -> OrderedJSON {
        let row = self.rows.first { $0.code == language.code }
        return [
            "english_name": .string(row?.english ?? language.code), "iso_639_1": .string(language.code),
            "name": .string(row?.own ?? ""),
        ]
    }

    static func names(_ language: Language) -> (english: String, own: String) {
        let row = self.rows.first { $0.code == language.code }
        return (row?.english ?? language.code, row?.own ?? "")
    }
}
