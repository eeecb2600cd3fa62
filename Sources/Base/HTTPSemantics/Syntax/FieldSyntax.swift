/// Syntax that the values of several fields share (RFC 9110, 5.6; RFC 9111, 5.2).
public enum FieldSyntax {
    /// Whether a text is a token, as names of fields are (RFC 9110, 5.6.2).
    public static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Whether a value has no control characters but the tab (RFC 9110, 5.5).
    public static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }

    /// Reads a number of seconds: digits only, at most 2³¹, which larger values count as (RFC 9111, 1.2.2).
    public static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int64(text) ?? 1 << 31, 1 << 31)
    }

    /// Reads the directives of `Cache-Control`, by name in lower case; the first of each counts (RFC 9111, 4.2.1). Values
    /// are without their quotation marks.
    public static func directives(_ text: String) -> [String: String] {
        var directives: [String: String] = [:]
        var name: [UInt8] = []
        var value: [UInt8] = []
        var isInValue = false
        var isQuoted = false
        func end() {
            let key = String(decoding: name, as: UTF8.self).lowercased()
            if !key.isEmpty, directives[key] == nil { directives[key] = String(decoding: value, as: UTF8.self) }
            (name, value, isInValue) = ([], [], false)
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: end()
            case UInt8(ascii: "=") where !isInValue: isInValue = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            default: isInValue ? value.append(byte) : name.append(byte)
            }
        }
        end()
        return directives
    }
}

/// `Retry-After` (RFC 9110, 10.2.3).
public enum RetryAfter {
    /// Reads a number of seconds or a date; at most 2³¹ seconds.
    ///
    /// - Parameter now: What a date is relative to, in seconds since 1970.
    public static func wait(_ text: String, at now: Int64) -> Duration? {
        if let seconds = FieldSyntax.seconds(text) { return .seconds(seconds) }
        return HTTPDate.seconds(text).map { .seconds(min(max(0, $0 - now), 1 << 31)) }
    }

    /// The number that says so: whole seconds, rounded up, at least 1.
    public static func seconds(_ wait: Duration) -> Int {
        let (seconds, attoseconds) = wait.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }
}
