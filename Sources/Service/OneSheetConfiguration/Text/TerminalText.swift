/// Text that a terminal shows and does not act upon.
package enum TerminalText {
    /// With control characters, line ends and those that turn the direction of writing as `\u{…}`.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: self.isHidden) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if self.isHidden(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
