import PosterCodec

/// The text of a badge in a URL.
enum BadgeText {
    /// The accepted texts, in errors.
    static let forms =
        "1 to \(Badges.Badge.maxTextLength) letters, digits, signs and single spaces between them; control, format "
        + "and bidirectional characters are not accepted"

    /// - Parameter text: Percent-decoded.
    /// - Returns: `nil` if it is not of ``forms``. Characters are counted as Unicode scalars, so that combining marks
    ///   count, too.
    static func accepted(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        // In bytes first: the text may be as long as the target.
        guard (1...4 * Badges.Badge.maxTextLength).contains(text.utf8.count),
            scalars.count <= Badges.Badge.maxTextLength, scalars.allSatisfy(Self.isAccepted)
        else { return nil }
        // Another spelling would be another variant of equal pixels; a mark needs a letter before it.
        var previous: Unicode.Scalar = " "
        for scalar in scalars {
            if previous == " ", scalar == " " || Self.isMark(scalar) { return nil }
            previous = scalar
        }
        return previous == " " ? nil : text
    }

    private static func isAccepted(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        case .spaceSeparator: return scalar == " "
        default: return true
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
