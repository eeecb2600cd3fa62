/// A text as a sequence of keys, in which each prefix of what is typed is a prefix of the text's.
///
/// A syllable of Hangul is the keystrokes that compose it, every other letter is a key of its own: 하, 한 and 하녀 are prefixes of each other's keys.
package struct SearchKeys: Hashable, Sendable {
    /// A letter, or a keystroke of Hangul.
    package typealias Key = UInt16

    /// Never in ``keys``: what an index writes after a text.
    package static let end: Key = 0
    /// Keystrokes lie in the private use area.
    private static let firstKeystroke: Key = 0xE000
    /// Letters outside of the basic multilingual plane share the place of the surrogates; two of them may be equal.
    private static let firstSupplementary: Key = 0xD800

    package let keys: [Key]
    /// Where letters begin in ``keys``, ascending; as many as there are scalars in the text.
    package let letterStarts: [Int]

    package var isEmpty: Bool { self.keys.isEmpty }

    package init(_ text: FoldedText) {
        self.init(text.scalars)
    }

    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var keys: [Key] = []
        var starts: [Int] = []
        for scalar in scalars {
            starts.append(keys.count)
            if let strokes = HangulKeystrokes.keys(of: scalar) {
                keys += strokes.map { Self.key(ofKeystroke: $0) }
            } else {
                keys.append(Self.key(of: scalar))
            }
        }
        (self.keys, self.letterStarts) = (keys, starts)
    }

    /// - Parameter keystrokes: As ``HangulKeystrokes`` numbers them.
    init(keystrokes: [UInt8]) {
        self.keys = keystrokes.map { Self.key(ofKeystroke: $0) }
        self.letterStarts = Array(keystrokes.indices)
    }

    /// One key for each letter, syllables of Hangul too: a wrong syllable is one error in these.
    package init(letters text: FoldedText) {
        self.keys = text.scalars.map { Self.key(of: $0) }
        self.letterStarts = Array(self.keys.indices)
    }

    /// The leading consonants of syllables: ㅋㅅㅂㄹㅋ of 카사블랑카.
    /// - Returns: nil when there are letters other than Hangul and digits, or none of Hangul.
    package init?(initialsOf text: FoldedText) {
        var initials: [Unicode.Scalar] = []
        var hasSyllables = false
        for scalar in text.scalars {
            if let initial = HangulKeystrokes.initial(of: scalar) {
                initials.append(initial)
                hasSyllables = true
            } else if ("0"..."9").contains(scalar) {
                initials.append(scalar)
            } else {
                return nil
            }
        }
        guard hasSyllables else { return nil }
        self.init(initials)
    }

    private static func key(of scalar: Unicode.Scalar) -> Key {
        scalar.value <= 0xFFFF ? Key(scalar.value) : self.firstSupplementary | Key(scalar.value & 0x7FF)
    }

    private static func key(ofKeystroke keystroke: UInt8) -> Key { self.firstKeystroke + Key(keystroke) }
}
