import Configuration
import Glibc

/// A file of options: their names without dashes, and their values; lists for repeatable options and for widths.
///
/// ```yaml
/// max-age: 86400
/// origin: [posters=https://posters.example/{key}.jpg]
/// ```
package struct SettingsFile {
    /// The option that names the file; the one that a file cannot hold.
    package static let option = "config"
    /// Options of one value that holds several, separated by commas; in a file they may be a list.
    static let commaSeparated: Set = ["heights", "widths"]
    /// The largest file, in bytes.
    static let maxBytes = 1 << 20

    let path: String
    /// By option name; keys without a value are left out.
    let values: [String: [String]]

    /// Reads a file, as JSON or YAML by the ending of its name.
    ///
    /// - Parameter keys: What may be set, and whether it takes several values.
    /// - Throws: ``Failure``.
    init(path: String, keys: [String: Bool]) throws(Failure) {
        let parse: ([UInt8]) throws(Malformed) -> [String: SettingsValue]
        switch path.lowercased() {
        case let name where name.hasSuffix(".json"): parse = JSONSettings.parse
        case let name where name.hasSuffix(".yaml") || name.hasSuffix(".yml"): parse = YAMLSettings.parse
        default: throw Failure(path: path, reason: "its name must end in .json, .yaml or .yml")
        }
        let bytes: [UInt8]
        let parsed: [String: SettingsValue]
        do throws(Malformed) {
            bytes = try Self.content(of: path)
            parsed = try parse(bytes)
        } catch {
            throw Failure(path: path, reason: error.reason)
        }
        var values: [String: [String]] = [:]
        for (key, value) in parsed.sorted(by: { $0.key < $1.key }) {
            guard let isRepeatable = keys[key] else {
                throw Failure(path: path, reason: Self.unknown(key, keys: Array(keys.keys)))
            }
            switch value {
            case .none: continue
            case .one(let text): if !text.isEmpty { values[key] = [text] }
            case .list(let texts):
                let isJoined = Self.commaSeparated.contains(key)
                guard isRepeatable || isJoined else {
                    throw Failure(path: path, reason: "\(key) is a list; it takes one value")
                }
                let texts = texts.filter { !$0.isEmpty }
                if !texts.isEmpty { values[key] = isJoined ? [texts.joined(separator: ",")] : texts }
            case .other(let kind):
                let allowed = isRepeatable ? "a value or a list of values" : "a value"
                throw Failure(path: path, reason: "\(key) is \(kind); it takes \(allowed)")
            }
        }
        self.path = path
        self.values = values
    }

    /// Why a file of options cannot be used.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        let path: String
        let reason: String

        package var description: String { "--\(SettingsFile.option) \(self.path) cannot be used: \(self.reason)" }
    }

    /// What is wrong with a file's content.
    struct Malformed: Error {
        let reason: String
    }

    private static func unknown(_ key: String, keys: [String]) -> String {
        // Shown as it is, but for what would tear the line.
        let shown = String(
            key.unicodeScalars.prefix(64).map { $0.properties.generalCategory == .control ? "?" : Character($0) })
        let nearest = SpellingDistance.nearest(to: key, among: keys)
        return "it has the unknown key '\(shown)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    }

    /// Regular files alone: it is read again while the server runs, and must not wait for anybody then.
    private static func content(of path: String) throws(Malformed) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Malformed(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Malformed(reason: "it is no regular file")
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

/// A value of a file of options, before anybody knows what it is for.
enum SettingsValue {
    case none
    case one(String)
    case list([String])
    /// Something that no option takes, in a word.
    case other(String)
}
