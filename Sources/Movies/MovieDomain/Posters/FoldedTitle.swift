/// A title without what the sources of films write differently: case, white space, punctuation, full-width forms.
struct FoldedTitle: Hashable {
    /// Equal texts are canonically equivalent (Unicode 3.11), as Swift's strings are compared.
    private let text: String

    init(_ title: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in title.unicodeScalars {
            let narrow = Self.narrow(scalar)
            if Self.counts(narrow) { scalars.append(narrow) }
        }
        // A title of punctuation alone is what it is.
        self.text = (scalars.isEmpty ? title : String(scalars)).lowercased()
    }

    /// Halfwidth and Fullwidth Forms, U+FF01 to U+FF5E: ASCII, but wider.
    private static func narrow(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    }

    /// Letters, their marks, and numbers.
    private static func counts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
