/// A film as a row of an imported list names it.
package struct ImportRow: Hashable, Sendable {
    /// The maximal length of ``text`` in bytes of UTF-8.
    package static let textBytes = 200

    /// The film's ids, without duplicates, in order of preference.
    package let ids: [MovieID]
    /// The title and the original title, as far as they are known; without duplicates.
    package let titles: [String]
    package let year: Int?
    /// The time of adding, not before ``Favourite/earliestAddition``; `nil` if unknown.
    package let addedAt: Instant?
    /// The row for people, such as `Heat (1995)`.
    package let text: String

    /// - Parameters:
    ///   - id: An id of this service, such as `tmdb:603`.
    ///   - tmdbID: A number of TMDB.
    ///   - imdbID: An IMDb title, such as `tt0133093`.
    ///   - year: Ignored unless it has four digits.
    ///   - date: A day, or a time in RFC 3339 format in UTC; ignored before ``Favourite/earliestAddition``.
    ///   - other: The text for people of a row without a title; `nil` for its ids.
    package init(
        id: String? = nil, tmdbID: String? = nil, imdbID: String? = nil, titles: [String] = [], year: String? = nil,
        date: String? = nil, other: String? = nil
    ) {
        var ids: [MovieID] = []
        let stated = [
            id.flatMap { MovieID($0) }, tmdbID.flatMap { MovieID(source: .tmdb, key: $0) },
            imdbID.flatMap { MovieID(source: .omdb, key: $0) },
        ]
        for id in stated.compactMap(\.self) where !ids.contains(id) { ids.append(id) }
        var once: [String] = []
        for title in titles {
            // Compared by Swift's strings, which take quadratic time for many combining marks.
            let title = title.limited(toBytes: MovieSummary.titleBytes).streamSafe
            if !title.allSatisfy(\.isWhitespace), !once.contains(title) { once.append(title) }
        }
        self.ids = ids
        self.titles = once
        self.year = year.flatMap { $0.utf8.count == 4 ? Int($0) : nil }
        self.addedAt = date.flatMap(Instant.init(reading:)).flatMap { $0 < Favourite.earliestAddition ? nil : $0 }
        let name = once.first ?? other ?? [id, tmdbID, imdbID].compactMap(\.self).first { !$0.isEmpty } ?? ""
        let text = self.year.map { "\(name) (\($0))" } ?? name
        self.text = text.streamSafe.limited(toBytes: Self.textBytes)
    }

    /// Whether the row names no film.
    var isEmpty: Bool { self.ids.isEmpty && self.titles.isEmpty }
}

/// The rows of an imported file.
package struct ImportRows: Hashable, Sendable {
    /// The maximal number of rows; further ones are counted.
    package static let limit = 1000
    /// The number of rows that may precede the row of headings, as in Letterboxd's lists.
    private static let preambleLimit = 8

    package let rows: [ImportRow]
    package let omittedCount: Int

    package init(_ rows: [ImportRow], omittedCount: Int = 0) {
        self.rows = Array(rows.prefix(Self.limit))
        self.omittedCount = omittedCount + max(0, rows.count - Self.limit)
    }

    /// Reads an export of this service, of Letterboxd or of IMDb, and other tables with columns of the same names.
    ///
    /// - Returns: `nil` without a row of headings that names a title or an id.
    package init?(csv: String) {
        let (rows, omittedCount) = CSV.rows(
            csv, separator: Self.separator(of: csv), limit: Self.limit + Self.preambleLimit + 1)
        var headings: (place: Int, columns: Columns)?
        // Letterboxd's lists have headings of their own description before.
        for (place, row) in rows.prefix(Self.preambleLimit + 1).enumerated() {
            if let columns = Columns(row, isFirst: place == 0) { headings = (place, columns) }
            // Below, a row with such cells is a film: one may have the title "Title" and the original title "Year".
            if headings?.columns.isOfFilms == true { break }
        }
        guard let headings else { return nil }
        self.init(rows[(headings.place + 1)...].map(headings.columns.row), omittedCount: omittedCount)
    }

    /// The separator of the headings, or of the preamble's before them; `nil` for a single column.
    private static func separator(of csv: String) -> UInt8? {
        let lines = csv.utf8.split(maxSplits: self.preambleLimit + 1) { $0 == 0x0A || $0 == 0x0D }
            .prefix(self.preambleLimit + 1).map { String(Substring($0)) }
        for line in lines {
            if let separator = CSV.separator(in: line) { return separator }
            // Titles below a single heading may have commas.
            if Columns([line], isFirst: true) != nil { return nil }
        }
        return nil
    }

    /// The rows as a table that can be imported again.
    package static func csv(of rows: [ImportRow]) -> String {
        let lines = rows.map { row in
            let titles = row.titles + ["", ""]
            let key = { (source: MovieSource) in row.ids.first { $0.source == source }?.key ?? "" }
            return [
                row.ids.first?.description ?? "", key(.tmdb), key(.omdb), titles[0], titles[1],
                row.year.map(String.init) ?? "", row.addedAt?.description ?? "",
            ].map(CSV.guarded)
        }
        return ([["id", "tmdbID", "imdbID", "title", "originalTitle", "year", "addedAt"]] + lines).map(CSV.line)
            .joined()
    }

    /// The places of known columns, by the names that exporters give them.
    private struct Columns {
        private static let films: Set<String> = ["title", "name", "originaltitle", "id", "tmdbid", "imdbid", "const"]
        private static let others: Set<String> = ["year", "addedat", "date", "created", "watcheddate"]

        /// The maximal length of a known heading, with other characters, in bytes of UTF-8.
        private static let nameBytes = 100

        private let places: [String: Int]
        /// Whether several columns name a film, as in tables of films alone.
        let isOfFilms: Bool

        /// - Parameter isFirst: Whether it is the first row: a single name could be a film's title in later ones.
        init?(_ headings: [String], isFirst: Bool) {
            let names = headings.map { name in
                name.utf8.count > Self.nameBytes ? "" : name.lowercased().filter { $0.isLetter || $0.isNumber }
            }
            self.places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
            let known = Self.films.union(Self.others).intersection(names)
            let naming = Self.films.intersection(names)
            self.isOfFilms = naming.count > 1
            guard !naming.isEmpty, isFirst || known.count > 1 else { return nil }
        }

        func row(_ cells: [String]) -> ImportRow {
            let cell = { (names: String...) -> String? in
                let texts = names.lazy.compactMap { self.places[$0] }.filter { $0 < cells.count }.map {
                    CSV.unguarded(cells[$0])
                }
                return texts.first { !$0.isEmpty }
            }
            return ImportRow(
                id: cell("id"), tmdbID: cell("tmdbid"), imdbID: cell("imdbid", "const"),
                titles: [cell("title", "name"), cell("originaltitle")].compactMap(\.self), year: cell("year"),
                date: cell("addedat", "date", "created", "watcheddate"), other: cells.joined(separator: ", "))
        }
    }
}

extension Instant {
    private static let textBytes = 32

    /// Reads `YYYY-MM-DD`, the start of the day, or `YYYY-MM-DDThh:mm:ssZ`.
    init?(reading text: String) {
        // Longer texts have characters that are slow to compare.
        guard text.utf8.count <= Self.textBytes, let day = CalendarDate(String(text.prefix(10))) else { return nil }
        var seconds = Int64(day.dayNumber) * 86_400
        let rest = text.dropFirst(10)
        if !rest.isEmpty {
            let parts = rest.dropFirst().dropLast().split(separator: ":").compactMap { Int64($0) }
            guard rest.first == "T", rest.last == "Z", parts.count == 3, (0...23).contains(parts[0]),
                (0...59).contains(parts[1]), (0...60).contains(parts[2])
            else { return nil }
            seconds += parts[0] * 3600 + parts[1] * 60 + parts[2]
        }
        self.init(secondsSince1970: seconds)
    }
}
