/// Reinterprets text typed with the keyboard set to the other language: `gksu` for 하녀, `ㅡㄷㅅ개` for metro.
///
/// Maps the Korean two-set layout (KS X 5002) to a Latin QWERTY keyboard.
package enum KeyboardLayout {
    /// The Korean keystrokes of Latin letters.
    /// - Parameter text: The text as typed; upper-case letters are typed with the shift key.
    /// - Returns: `nil` if a letter is not Latin, or the keystrokes do not begin with a consonant.
    package static func hangul(typed text: String) -> SearchKeys? {
        guard let keystrokes = self.keystrokes(typed: text) else { return nil }
        return SearchKeys(keystrokes: keystrokes)
    }

    /// The Korean text of Latin letters: 하녀 for `gksu`.
    /// - Returns: `nil` unless the letters compose complete syllables.
    package static func hangulText(typed text: String) -> String? {
        self.keystrokes(typed: text).flatMap { HangulKeystrokes.syllables(of: $0) }
    }

    /// The Latin letters of a Korean text: `metro` for ㅡㄷㅅ개.
    /// - Returns: `nil` if the text contains letters other than Hangul.
    package static func latin(typed text: FoldedText) -> FoldedText? {
        var letters = ""
        for scalar in text.scalars {
            guard let keystrokes = HangulKeystrokes.keys(of: scalar) else { return nil }
            for keystroke in keystrokes {
                guard let letter = self.letters[keystroke] else { return nil }
                letters.append(letter)
            }
        }
        return letters.isEmpty ? nil : FoldedText(letters.lowercased())
    }

    private static func keystrokes(typed text: String) -> [UInt8]? {
        var keystrokes: [UInt8] = []
        for character in text.prefix(FoldedText.scalarLimit) where !character.isWhitespace {
            // Most keys produce the same letter with the shift key.
            let lower = character.lowercased().first ?? character
            guard let keystroke = self.keystrokes[character] ?? self.keystrokes[lower] else { return nil }
            keystrokes.append(keystroke)
        }
        // Syllables begin with a consonant.
        return keystrokes.first.map { $0 < HangulKeystrokes.firstVowel } == true ? keystrokes : nil
    }

    private static let keystrokes: [Character: UInt8] = [
        "r": 0, "R": 1, "s": 2, "e": 3, "E": 4, "f": 5, "a": 6, "q": 7, "Q": 8, "t": 9, "T": 10, "d": 11, "w": 12,
        "W": 13, "c": 14, "z": 15, "x": 16, "v": 17, "g": 18,
        "k": 32, "o": 33, "i": 34, "O": 35, "j": 36, "p": 37, "u": 38, "P": 39, "h": 40, "y": 44, "n": 45, "b": 49,
        "m": 50, "l": 52,
    ]

    private static let letters = Dictionary(
        KeyboardLayout.keystrokes.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
}
