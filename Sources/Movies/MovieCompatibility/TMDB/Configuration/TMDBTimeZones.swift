import FoundationEssentials
import ProgramResources

/// The time zones of countries, as in the IANA time zone database; read from a file at start.
struct TMDBTimeZones: Sendable {
    struct Unreadable: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "\(self.path) cannot be read: \(self.reason)" }
    }

    /// Has a row for each country: its code and its zones, separated by spaces. Rows are sorted by code.
    static let fileName = "time-zones.txt"

    let document: OrderedJSON

    /// - Parameter directory: The folder of ``fileName``; `nil` searches beside the program.
    /// - Throws: `ProgramResources.Missing`, ``Unreadable``.
    init(directory: String? = nil) throws {
        let directory =
            try directory
            ?? ProgramResources(
                of: "MovieCompatibility", with: Self.fileName, subject: "the table of time zones"
            ).folder
        let path = "\(directory)/\(Self.fileName)"
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw Unreadable(path: path, reason: "\(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw Unreadable(path: path, reason: "it is empty or not UTF-8")
        }
        let rows = try text.split(separator: "\n").map { (row) throws -> OrderedJSON in
            let words = row.split(separator: " ").map(String.init)
            guard words.count > 1 else { throw Unreadable(path: path, reason: "a row has no time zone: \(row)") }
            return ["iso_3166_1": .string(words[0]), "zones": .strings(words.dropFirst())]
        }
        self.document = .array(rows)
    }
}
