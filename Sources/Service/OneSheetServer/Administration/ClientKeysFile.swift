import Glibc
package import MovieCompatibility
import OneSheetConfiguration
import PosterAPI
package import PosterOrigins

/// The file of `--compat-keys-file`, for commands that list and add keys.
package struct ClientKeysFile {
    /// A key without its secret part.
    package struct Entry: Encodable, Equatable {
        /// The API's name, or `*`.
        package let api: String
        /// The masked key.
        package let key: String
        /// Values of settings by name.
        package let settings: [String: String]
    }

    /// Clients conclude the features of a key from its first characters: this one has all that they request by URLs.
    private static let keyPrefix = "t3-"

    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The keys in the order of the file; empty for a file without keys.
    package func entries() throws(ClientKeys.Malformed) -> [Entry] {
        let text = try ClientKeys.text(ofFile: self.path)
        let lines = try ClientKeyLine.lines(of: text)
        if !lines.isEmpty { try Self.check(text) }
        return lines.map { line in
            Entry(
                api: line.name, key: line.maskedKey,
                settings: Dictionary(line.settings.values.map { ($0.name, $0.value) }) { first, _ in first })
        }
    }

    /// Appends a random key for RPDB's paths, which keeps the file's owner and permissions; creates a missing file that
    /// only its owner can read.
    ///
    /// - Parameter settings: Of the form `NAME=VALUE`.
    /// - Returns: The new key.
    /// - Throws: `ClientKeys.Malformed` if the file, or a setting, is wrong; ``PosterOrigins/FileError``.
    package func add(_ settings: [String]) throws -> String {
        let exists = access(self.path, F_OK) == 0
        let text = exists ? try ClientKeys.text(ofFile: self.path) : ""
        for setting in settings where setting.contains(where: \.isWhitespace) {
            throw ClientKeys.Malformed(line: nil, reason: "a setting contains white space")
        }
        let key = Self.keyPrefix + (0..<2).map { _ in Self.digits(.random(in: 0 ... .max)) }.joined()
        let isComplete = text.utf8.last.map { $0 == UInt8(ascii: "\n") } ?? true
        let line = (isComplete ? "" : "\n") + (["rpdb", key] + settings).joined(separator: " ") + "\n"
        try Self.check(text + line)
        let descriptor = open(self.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("open", self.path) }
        defer { close(descriptor) }
        try AtomicFile.append(Array(line.utf8), to: descriptor, named: self.path)
        guard fsync(descriptor) == 0 else { throw FileError("synchronise", self.path) }
        return key
    }

    /// Reports everything that would prevent the server's start.
    private static func check(_ text: String) throws(ClientKeys.Malformed) {
        _ = try ClientKeys(text).badges(otherwise: [.imdb])
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
