import Glibc

/// A file of options in YAML or JSON: names without dashes, and values; lists for repeatable options and for widths.
///
/// ```yaml
/// max-age: 86400
/// origin: [posters=https://posters.example/{key}.jpg]
/// ```
package struct SettingsFile {
    /// The option that names the file; a file must not contain it.
    package static let option = "config"
    /// Options with a single value that is a comma-separated list; in a file it may be a list.
    static let commaSeparated: Set = ["heights", "widths"]
    static let maxBytes = 1 << 20

    let path: String
    /// By option name; without keys that have no value.
    let values: [String: [String]]
    let positions: [String: Position]

    package struct Position: Equatable, Sendable, CustomStringConvertible {
        let line: Int
        /// From 1, in Unicode scalars.
        let column: Int

        package var description: String { "\(self.line):\(self.column)" }
    }

    /// Reads a file as JSON or YAML, depending on its extension.
    /// - Parameter keys: The permitted options, and whether they are repeatable.
    init(path: String, keys: [String: Bool]) throws(Failure) {
        let format: String
        switch path.lowercased() {
        case let name where name.hasSuffix(".json"): format = "JSON"
        case let name where name.hasSuffix(".yaml") || name.hasSuffix(".yml"): format = "YAML"
        default: throw Failure(path: path, reason: "its name must end in .json, .yaml or .yml")
        }
        var values: [String: [String]] = [:]
        var positions: [String: Position] = [:]
        do throws(Malformed) {
            for entry in try SettingsDocument(try Self.content(of: path), format: format).entries {
                guard let texts = try Self.texts(of: entry, keys: keys), !texts.isEmpty else { continue }
                values[entry.key] = texts
                positions[entry.key] = entry.position
            }
        } catch {
            throw Failure(path: path, position: error.position, reason: error.reason)
        }
        self.path = path
        self.values = values
        self.positions = positions
    }

    /// - Returns: The non-empty values; `nil` if there are none.
    private static func texts(
        of entry: SettingsDocument.Entry, keys: [String: Bool]
    ) throws(Malformed) -> [String]? {
        let key = entry.key
        guard let isRepeatable = keys[key] else {
            throw Malformed(reason: Self.unknown(key, keys: Array(keys.keys)), position: entry.position)
        }
        switch entry.value {
        case .none: return nil
        case .one(let text): return text.isEmpty ? nil : [text]
        case .list(let texts):
            let isJoined = Self.commaSeparated.contains(key)
            guard isRepeatable || isJoined else {
                throw Malformed(reason: "\(key) is a list; it takes one value", position: entry.position)
            }
            let texts = texts.filter { !$0.isEmpty }
            return isJoined && !texts.isEmpty ? [texts.joined(separator: ",")] : texts
        case .other(let kind):
            let allowed = isRepeatable ? "a value or a list of values" : "a value"
            throw Malformed(reason: "\(key) is \(kind); it takes \(allowed)", position: entry.position)
        }
    }

    package struct Failure: Error, Equatable, CustomStringConvertible {
        let path: String
        /// `nil` if the reason concerns the whole file.
        var position: Position?
        let reason: String

        package var description: String {
            let place = self.position.map { "\(self.path):\($0)" } ?? self.path
            return "--\(SettingsFile.option) \(place) cannot be used: \(self.reason)"
        }
    }

    struct Malformed: Error {
        let reason: String
        var position: Position?
    }

    private static func unknown(_ key: String, keys: [String]) -> String {
        // Control characters would break the line.
        let shown = String(
            key.unicodeScalars.prefix(64).map { $0.properties.generalCategory == .control ? "?" : Character($0) })
        let nearest = SpellingDistance.nearest(to: key, among: keys)
        return "it has the unknown key '\(shown)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }

    /// Reads regular files only: a reload must not wait for the writer of a pipe.
    private static func content(of path: String) throws(Malformed) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Malformed(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Malformed(reason: "it is not a regular file")
        }
        var bytes = [UInt8](repeating: 0, count: Self.maxBytes + 1)
        var count = 0
        while count < bytes.count {
            let part = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw Malformed(reason: String(cString: strerror(errno))) }
            if part == 0 { break }
            count += part
        }
        guard count <= Self.maxBytes else { throw Malformed(reason: "it is larger than \(Self.maxBytes) bytes") }
        return Array(bytes[..<count])
    }
}
