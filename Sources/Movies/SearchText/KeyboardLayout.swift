/// What was typed with the keyboard set to the other language: `gksu` for 하녀, `ㅡㄷㅅ개` for metro.
///
/// Keys are those of the Korean two-set layout (KS X 5002) on a Latin QWERTY keyboard.
package enum KeyboardLayout {
    /// The keys that Latin letters are in the Korean layout.
    /// - Parameter text: As typed: upper case letters are those with the shift key.
    /// - Returns: nil when a letter is not Latin or two keys cannot begin Hangul.
    package static func hangul(typed text: String) -> SearchKeys? {
        guard let keystrokes = self.keystrokes(typed: text) else { return nil }
        return SearchKeys(keystrokes: keystrokes)
    }

    /// The Korean text of Latin letters, when they compose complete syllables: 하녀 for `gksu`.
    /// - Returns: nil otherwise.
    package static func hangulText(typed text: String) -> String? {
        self.keystrokes(typed: text).flatMap { HangulKeystrokes.syllables(of: $0) }
    }

    /// The Latin letters of a Korean text: `metro` for ㅡㄷㅅ개.
    /// - Returns: nil when something in it is not Hangul.
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
            // Most letters have nothing else with the shift key.
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
