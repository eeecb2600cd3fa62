/// Syntax shared by the values of several fields (RFC 9110, 5.6; RFC 9111, 5.2).
public enum FieldSyntax {
    /// Whether a text is a token, like the names of fields (RFC 9110, 5.6.2).
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

    /// Whether a value has no control characters other than tab (RFC 9110, 5.5).
    public static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 == 9 || ($0 >= 32 && $0 != 127) }
    }

    /// Splits a text at an ASCII sign, and omits parts with other characters than ASCII: of fields that allow no others.
    ///
    /// By bytes: Swift compares characters in time quadratic in the number of their combining marks, and a field may
    /// have thousands.
    package static func parts(
        of text: some StringProtocol, at separator: Unicode.Scalar, maxSplits: Int = .max,
        omittingEmpty: Bool = true
    ) -> [Substring] {
        Substring(text).utf8
            .split(
                separator: UInt8(ascii: separator), maxSplits: maxSplits, omittingEmptySubsequences: omittingEmpty
            )
            .filter { $0.allSatisfy { $0 < 0x80 } }.map { Substring($0) }
    }

    /// The maximum number of seconds in a field; greater ones are clamped (RFC 9111, 1.2.2).
    static let maxSeconds: Int64 = 1 << 31

    /// Parses a number of seconds: digits only, clamped to 2³¹ (RFC 9111, 1.2.2).
    public static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int64(text) ?? Self.maxSeconds, Self.maxSeconds)
    }

    /// Parses the directives of `Cache-Control` by lower-case name; the first of a name counts (RFC 9111, 4.2.1).
    /// Values have no quotation marks, and no blanks around them; a backslash escapes within quotation marks (RFC 9110,
    /// 5.6.4). Names with other characters than ASCII are omitted.
    public static func directives(_ text: String) -> [String: String] {
        var directives: [String: String] = [:]
        var name: [UInt8] = []
        var value: [UInt8] = []
        var isInValue = false
        var isQuoted = false
        var isEscaped = false
        func end() {
            defer { (name, value, isInValue) = ([], [], false) }
            guard name.allSatisfy({ $0 < 0x80 }) else { return }
            let key = String(decoding: name, as: UTF8.self).trimmingBlanks.lowercased()
            if !key.isEmpty, directives[key] == nil {
                directives[key] = String(String(decoding: value, as: UTF8.self).trimmingBlanks)
            }
        }
        for byte in text.utf8 {
            switch byte {
            case _ where isEscaped:
                isEscaped = false
                isInValue ? value.append(byte) : name.append(byte)
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: end()
            case UInt8(ascii: "=") where !isInValue: isInValue = true
            default: isInValue ? value.append(byte) : name.append(byte)
            }
        }
        end()
        return directives
    }
}

/// `Retry-After` (RFC 9110, 10.2.3).
public enum RetryAfter {
    /// Parses a number of seconds or a date; at most 2³¹ seconds.
    ///
    /// - Parameter now: The time that dates are relative to, in seconds since 1970.
    public static func wait(_ text: String, at now: Int64) -> Duration? {
        if let seconds = FieldSyntax.seconds(text) { return .seconds(seconds) }
        return HTTPDate.seconds(text).map { .seconds(min(max(0, $0 - now), FieldSyntax.maxSeconds)) }
    }

    /// The field's value for a wait: whole seconds, rounded up, at least 1.
    public static func seconds(_ wait: Duration) -> Int {
        let (seconds, attoseconds) = wait.components
        return max(1, Int(clamping: seconds) + (attoseconds > 0 ? 1 : 0))
    }
}
