/// A title without differences between sources: case, white space, punctuation, full-width forms.
struct FoldedTitle: Hashable, Comparable {
    private static let scalarLimit = 512

    /// Compared by canonical equivalence (Unicode 3.11), like all Swift strings.
    private let text: String

    init(_ title: String) {
        var scalars = String.UnicodeScalarView()
        let title = title.unicodeScalars.prefix(Self.scalarLimit)
        for scalar in title {
            let narrow = Self.narrow(scalar)
            if Self.counts(narrow) { scalars.append(narrow) }
        }
        // A title of only punctuation is not folded.
        self.text = String(scalars.isEmpty ? String.UnicodeScalarView(title) : scalars).lowercased()
    }

    static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// Whether the title has a part of another, across its words.
    func contains(_ part: FoldedTitle) -> Bool { self.text.contains(part.text) }

    /// Maps full-width forms, U+FF01 to U+FF5E, to ASCII (block Halfwidth and Fullwidth Forms).
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Whether the scalar is a letter, a mark or a number.
    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
