import Glibc

/// A line of a log: named values, escaped so that no value can end the line or look like another value.
struct LogLine {
    private let format: LogFormat
    private(set) var text: String

    init(_ format: LogFormat) {
        self.format = format
        self.text = format == .json ? "{" : ""
    }

    /// - Parameter name: Letters and underscores.
    mutating func add(_ name: String, _ value: String) {
        self.begin(name)
        switch self.format {
        case .json: self.text += Self.quoted(value)
        case .text: self.text += Self.isPlain(value) ? value : Self.quoted(value)
        }
    }

    mutating func add(_ name: String, _ value: Int) {
        self.begin(name)
        self.text += "\(value)"
    }

    /// Adds a duration in seconds, with six decimals.
    mutating func add(_ name: String, seconds nanoseconds: Int64) {
        self.begin(name)
        let microseconds = max(0, nanoseconds) / 1000
        let rest = "\(microseconds % 1_000_000)"
        self.text += "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - rest.utf8.count) + rest
    }

    /// The line with its line break.
    var ended: String { self.text + (self.format == .json ? "}\n" : "\n") }

    private mutating func begin(_ name: String) {
        switch self.format {
        case .json: self.text += (self.text == "{" ? "" : ",") + Self.quoted(name) + ":"
        case .text: self.text += (self.text.isEmpty ? "" : " ") + name + "="
        }
    }

    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            }
    }

    /// A JSON string without characters that terminals or other readers of lines would interpret.
    static func quoted(_ value: String) -> String {
        var result = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (0x2028...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// `key=value` pairs, for people.
    case text
    /// One JSON object per line (RFC 8259).
    case json
}

/// Formats the wall-clock time of log lines.
enum LogTime {
    /// `2026-03-01T12:00:00.123Z` (RFC 3339).
    ///
    /// - Parameter time: Time since 1970, before the year 10000.
    static func text(_ time: timespec) -> String {
        var (second, parts) = (time.tv_sec, tm())
        gmtime_r(&second, &parts)
        let date = "\(1900 + parts.tm_year)-\(Self.digits(parts.tm_mon + 1, 2))-\(Self.digits(parts.tm_mday, 2))"
        let clock =
            "\(Self.digits(parts.tm_hour, 2)):\(Self.digits(parts.tm_min, 2)):\(Self.digits(parts.tm_sec, 2))"
        return "\(date)T\(clock).\(Self.digits(Int32(time.tv_nsec / 1_000_000), 3))Z"
    }

    private static func digits(_ number: Int32, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
