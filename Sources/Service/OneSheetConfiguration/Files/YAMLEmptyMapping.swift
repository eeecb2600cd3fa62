/// Finds `{}` in YAML where it is a value, without reading the rest.
enum YAMLEmptyMapping {
    /// - Returns: The line of the first one, counted from 1; nil without one. That the whole file is one counts for none.
    static func firstLine(in text: String) -> Int? {
        var rest = text.unicodeScalars[...]
        var line = 1
        var isFirst = true
        // What a value can come after.
        var before: Unicode.Scalar = "\n"
        while let scalar = rest.popFirst() {
            let isValue = self.separators.contains(before)
            before = scalar
            switch scalar {
            case "\n": line += 1
            case "#" where isValue: self.skip(to: "\n", &rest)
            case "\"" where isValue, "'" where isValue: line += self.skipQuoted(scalar, &rest)
            case "{" where isValue:
                if self.isClosed(rest), !isFirst { return line }
            default: break
            }
            if !self.isSpace(scalar), scalar != "#", scalar != "-" { isFirst = false }
        }
        return nil
    }

    private static let separators: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r", ",", "[", "{", ":"]

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        [" ", "\t", "\n", "\r"].contains(scalar)
    }

    /// Whether nothing but space and comments is before the closing brace.
    private static func isClosed(_ rest: Substring.UnicodeScalarView) -> Bool {
        var rest = rest
        while let scalar = rest.popFirst() {
            if scalar == "}" { return true }
            if scalar == "#" { self.skip(to: "\n", &rest) } else if !self.isSpace(scalar) { return false }
        }
        return false
    }

    private static func skip(to end: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
        rest = rest.drop { $0 != end }
    }

    /// - Returns: How many lines ended in it.
    private static func skipQuoted(_ quote: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) -> Int {
        var lines = 0
        while let scalar = rest.popFirst() {
            if scalar == "\n" { lines += 1 }
            if scalar == "\\", quote == "\"" { _ = rest.popFirst() }
            guard scalar == quote else { continue }
            // Two single quotes are one that does not end it.
            guard quote == "'", rest.first == quote else { break }
            _ = rest.popFirst()
        }
        return lines
    }
}
