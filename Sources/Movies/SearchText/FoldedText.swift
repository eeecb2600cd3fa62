import Foundation

/// A text normalised for search: without case, width, accents, kana variants, spaces and punctuation.
///
/// `Häxan`, `ＨＡＸＡＮ` and `haxan` are equal; so are `キング・コング`, `キングコング` and `きんぐこんぐ`, and `동경 이야기` and `동경이야기`.
package struct FoldedText: Hashable, Sendable {
    /// The maximal length of a text in scalars, which bounds the cost of hostile texts; the rest is ignored.
    package static let scalarLimit = 512

    /// Letters and digits.
    package let scalars: [Unicode.Scalar]
    /// The offsets of words in ``scalars``, ascending.
    package let wordStarts: [Int]

    package var isEmpty: Bool { self.scalars.isEmpty }

    package var words: [FoldedText] {
        self.wordStarts.indices.map { index in
            let end = index + 1 < self.wordStarts.count ? self.wordStarts[index + 1] : self.scalars.count
            return FoldedText(scalars: Array(self.scalars[self.wordStarts[index]..<end]), wordStarts: [0])
        }
    }

    package func joined(by separator: String) -> String {
        self.words.map { String(String.UnicodeScalarView($0.scalars)) }.joined(separator: separator)
    }

    package init(words: some Sequence<FoldedText>) {
        var scalars: [Unicode.Scalar] = []
        var starts: [Int] = []
        for word in words where !word.isEmpty {
            starts.append(scalars.count)
            scalars += word.scalars
        }
        self.init(scalars: scalars, wordStarts: starts)
    }

    private init(scalars: [Unicode.Scalar], wordStarts: [Int]) {
        self.scalars = scalars
        self.wordStarts = wordStarts
    }

    /// Folds a text: NFKC (UAX #15) in lower case, without diacritics of Latin, Greek and Cyrillic letters.
    /// Marks of kana stay, because が and か are different sounds.
    package init(_ text: String) {
        let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.scalarLimit)))
        var bare = String.UnicodeScalarView()
        for scalar in bounded.decomposedStringWithCompatibilityMapping.unicodeScalars.prefix(4 * Self.scalarLimit)
        where !Self.isDiacritic(scalar) {
            bare.append(scalar)
        }
        var scalars: [Unicode.Scalar] = []
        var starts: [Int] = []
        var begins = true
        for scalar in String(bare).precomposedStringWithCanonicalMapping.unicodeScalars {
            guard Self.isKept(scalar) else {
                begins = begins || !Self.isInsideWords(scalar)
                continue
            }
            if begins { starts.append(scalars.count) }
            begins = false
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                scalars += Self.spelling(of: lower)
            }
            if scalars.count >= Self.scalarLimit { break }
        }
        self.init(scalars: scalars, wordStarts: starts)
    }

    /// Whether the scalar is in a block of combining diacritical marks, U+0300 and others.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    /// Whether the scalar does not separate words: apostrophes, full stops of abbreviations, remaining marks, and
    /// invisible characters.
    private static func isInsideWords(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
        default: ["'", "’", "‘", "ʼ", "`", "."].contains(scalar)
        }
    }

    /// Replaces letters without a Unicode decomposition by their spelling without marks, and hiragana by katakana:
    /// input methods send hiragana first.
    private static func spelling(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        switch scalar {
        // ぁ to ゖ, and the iteration marks: katakana have the same order.
        case "\u{3041}"..."\u{3096}", "\u{309D}"..."\u{309E}":
            [Unicode.Scalar(scalar.value + 0x60) ?? scalar]
        case "ß": ["s", "s"]
        case "æ": ["a", "e"]
        case "œ": ["o", "e"]
        case "ø": ["o"]
        case "ł": ["l"]
        case "đ", "ð": ["d"]
        case "þ": ["t", "h"]
        case "ı": ["i"]
        case "ς": ["σ"]
        default: [scalar]
        }
    }
}

extension FoldedText {
    /// Whether the text contains `other`, regardless of where words begin.
    package func contains(_ other: FoldedText) -> Bool { self.scalars.contains(other.scalars) }

    package func begins(with other: FoldedText) -> Bool { self.scalars.starts(with: other.scalars) }
}

extension FoldedText {
    /// Whether the letter's script may write words without spaces between them: kana, kanji and Hangul.
    package static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0x2E80...0x9FFF, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}
