/// A text as a sequence of keys: every prefix of the typed input is a prefix of the text's keys.
///
/// A Hangul syllable consists of the keystrokes that compose it; every other letter is one key. The keys of 하, 한 and 하녀
/// are prefixes of each other.
package struct SearchKeys: Hashable, Sendable {
    /// A letter, or a keystroke of Hangul.
    package typealias Key = UInt16

    /// The terminator of a text in an index; never occurs in ``keys``.
    package static let end: Key = 0
    /// The first keystroke, in the private use area.
    private static let firstKeystroke: Key = 0xE000
    /// The first key of letters outside the basic multilingual plane, which share the range of the surrogates and may
    /// collide.
    private static let firstSupplementary: Key = 0xD800

    package let keys: [Key]
    /// The offsets of letters in ``keys``, ascending; one per scalar of the text.
    package let letterStarts: [Int]

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

    /// - Parameter keystrokes: Keystrokes as numbered by ``HangulKeystrokes``.
    init(keystrokes: [UInt8]) {
        self.keys = keystrokes.map { Self.key(ofKeystroke: $0) }
        self.letterStarts = Array(keystrokes.indices)
    }

    /// Uses one key per letter, including Hangul syllables, so that a wrong syllable counts as one error.
    package init(letters text: FoldedText) {
        self.keys = text.scalars.map { Self.key(of: $0) }
        self.letterStarts = Array(self.keys.indices)
    }

    /// The leading consonants of a text's syllables: ㅋㅅㅂㄹㅋ for 카사블랑카.
    /// - Returns: `nil` if the text has characters other than syllables and digits, or no syllable.
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
