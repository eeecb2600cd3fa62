import FoundationEssentials
import HTTPServer
import MovieDomain

/// A file with the films of a list: JSON, or a table.
enum FilmListFile: String, CaseIterable, Sendable {
    case json
    case csv
    /// Letterboxd's import format.
    case letterboxd

    /// Spreadsheets read a table as UTF-8 only with it.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    var contentType: String { self == .json ? "application/json" : "text/csv; charset=utf-8" }

    func name(of list: String) -> String {
        switch self {
        case .json: "onesheet-\(list).json"
        case .csv: "onesheet-\(list).csv"
        case .letterboxd: "letterboxd-\(list).csv"
        }
    }

    /// - Throws: `EncodingError`.
    func bytes(of films: ExportedFilms, list: String, at now: Instant) throws -> [UInt8] {
        switch self {
        case .json: try EncodedResponse.jsonBytes(of: ListObject(films, list: list, at: now))
        case .csv: Self.byteOrderMark + Array(films.csv.utf8)
        case .letterboxd: Array(films.letterboxd.utf8)
        }
    }

    /// Reads JSON, if the text begins like it, or a table.
    ///
    /// - Parameter list: The name of the list in a file with several, such as the export of a user's data.
    /// - Returns: `nil` if the text has no films.
    static func rows(_ text: String, list: String) -> ImportRows? {
        // By scalars: a character with thousands of combining marks is slow to compare.
        let json = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        let start = json.first
        guard start == "{" || start == "[" else { return ImportRows(csv: text) }
        let bytes = Array(String(json).utf8)
        guard !JSONNames.exceedLimit(in: bytes) else { return nil }
        let data = Data(bytes)
        let decoder = JSONDecoder()
        if start == "[" { return try? decoder.decode(ReadFilms.self, from: data).rows }
        return try? decoder.decode(ReadLists.self, from: data).rows(of: list)
    }
}

/// The JSON of an exported list.
private struct ListObject: Encodable {
    struct Film: Encodable {
        let id: String
        let tmdbID: String?
        let imdbID: String?
        let title, originalTitle: String
        let year: Int?
        let directors: [String]
        /// RFC 3339.
        let addedAt: String?

        init(_ row: ExportedFilms.Row) {
            let movie = row.film.movie
            self.id = movie.id.description
            self.tmdbID = row.tmdbID
            self.imdbID = row.imdbID
            self.title = movie.title
            self.originalTitle = movie.originalTitle
            self.year = movie.year
            self.directors = movie.directors
            self.addedAt = row.film.addedAt?.description
        }
    }

    /// The version of the format. Increment it if a member changes its meaning or is removed.
    let version = 1
    let exportedAt, list: String
    let isComplete: Bool
    let films: [Film]

    init(_ exported: ExportedFilms, list: String, at now: Instant) {
        self.exportedAt = now.description
        self.list = list
        self.isComplete = exported.isComplete
        self.films = exported.rows.map(Film.init)
    }
}

/// An object with `films`, or with lists by their names.
private struct ReadLists: Decodable {
    private enum Key: String, CaseIterable, CodingKey {
        case films, favourites, watchlist
    }

    private let lists: [String: ReadFilms]

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        var lists: [String: ReadFilms] = [:]
        for key in Key.allCases where members.contains(key) {
            lists[key.rawValue] = try? members.decode(ReadFilms.self, forKey: key)
        }
        self.lists = lists
    }

    func rows(of list: String) -> ImportRows? { (self.lists[Key.films.rawValue] ?? self.lists[list])?.rows }
}

/// A list of films or film ids. Elements beyond ``ImportRows/limit`` are counted but not decoded.
private struct ReadFilms: Decodable {
    let rows: ImportRows

    init(from decoder: any Decoder) throws {
        var films = try decoder.unkeyedContainer()
        var rows: [ImportRow] = []
        while rows.count < ImportRows.limit, !films.isAtEnd { rows.append(try films.decode(ReadFilm.self).row) }
        self.rows = ImportRows(rows, omittedCount: max(0, (films.count ?? 0) - rows.count))
    }
}

/// A film of a JSON file: an id, or an object. Members of other types than expected are ignored.
private struct ReadFilm: Decodable {
    private enum Key: String, CodingKey {
        case id, tmdbID, imdbID, title, name, originalTitle, year, addedAt
    }

    /// A string, or an integer's digits.
    private struct Scalar: Decodable {
        /// `nil` for other values.
        let text: String?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self.text = text
            } else {
                self.text = (try? value.decode(Int.self)).map(String.init)
            }
        }
    }

    let row: ImportRow

    init(from decoder: any Decoder) throws {
        if let id = try? decoder.singleValueContainer().decode(String.self) {
            self.row = ImportRow(id: id, other: id)
            return
        }
        guard let members = try? decoder.container(keyedBy: Key.self) else {
            self.row = ImportRow()
            return
        }
        // Absent members throw no error: each takes microseconds.
        let text = { (key: Key) in try? members.decodeIfPresent(Scalar.self, forKey: key)?.text }
        self.row = ImportRow(
            id: text(.id), tmdbID: text(.tmdbID), imdbID: text(.imdbID),
            titles: [text(.title) ?? text(.name), text(.originalTitle)].compactMap(\.self), year: text(.year),
            date: text(.addedAt))
    }
}
