/// The keystrokes of letters on a Korean two-set (dubeolsik) keyboard.
///
/// Typing 하녀 shows 하, 한, 하녀: their keystrokes are prefixes of each other, their syllables are not.
package enum HangulKeystrokes {
    /// Keystrokes from this number are vowels, lower ones consonants.
    static let firstVowel: UInt8 = 32

    private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    private static let leading: ClosedRange<UInt32> = 0x1100...0x1112
    private static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
    private static let trailing: ClosedRange<UInt32> = 0x11A8...0x11C2

    /// The keystrokes of a letter: the index among leading consonants, or 32 plus the index of the vowel; `nil` if it
    /// is not Hangul.
    package static func keys(of scalar: Unicode.Scalar) -> [UInt8]? {
        let value = scalar.value
        if let (lead, vowel, tail) = self.parts(of: scalar) {
            return [lead] + self.vowelKeys[vowel] + (tail == 0 ? [] : self.tailKeys[tail - 1])
        }
        if self.leading.contains(value) { return [UInt8(value - 0x1100)] }
        if self.vowels.contains(value) { return self.vowelKeys[Int(value - 0x1161)] }
        if self.trailing.contains(value) { return self.tailKeys[Int(value - 0x11A8)] }
        return nil
    }

    /// Whether the letter is a consonant or a vowel outside a syllable.
    static func isLoneLetter(_ scalar: Unicode.Scalar) -> Bool { (0x1100...0x11FF).contains(scalar.value) }

    /// The syllable's leading consonant; `nil` for a character that is no Hangul syllable.
    static func initial(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        self.parts(of: scalar).flatMap { Unicode.Scalar(0x1100 + UInt32($0.lead)) }
    }

    /// Composes syllables from keystrokes like an input method: a consonant between two vowels begins the next
    /// syllable.
    /// - Returns: `nil` if a syllable is incomplete.
    static func syllables(of keystrokes: [UInt8]) -> String? {
        var text = String.UnicodeScalarView()
        var rest = keystrokes[...]
        while let lead = rest.popFirst() {
            guard lead < self.firstVowel, let (vowel, count) = self.first(of: self.vowelKeys, in: rest) else {
                return nil
            }
            rest = rest.dropFirst(count)
            var tail = 0
            if let (longest, count) = self.first(of: self.tailKeys, in: rest) {
                let isLast = rest.count == count || rest[rest.startIndex + count] < self.firstVowel
                if isLast {
                    (tail, rest) = (longest + 1, rest.dropFirst(count))
                } else if count > 1, let one = self.tailKeys.firstIndex(of: [rest[rest.startIndex]]) {
                    (tail, rest) = (one + 1, rest.dropFirst())
                }
            }
            guard let scalar = Unicode.Scalar(0xAC00 + (UInt32(lead) * 21 + UInt32(vowel)) * 28 + UInt32(tail)) else {
                return nil
            }
            text.append(scalar)
        }
        return text.isEmpty ? nil : String(text)
    }

    /// The longest entry of `table` that is a prefix of `keys`.
    private static func first(of table: [[UInt8]], in keys: ArraySlice<UInt8>) -> (index: Int, count: Int)? {
        for count in [2, 1] where keys.count >= count {
            if let index = table.firstIndex(of: Array(keys.prefix(count))) { return (index, count) }
        }
        return nil
    }

    /// The parts of a syllable (Unicode 16, section 3.12).
    static func parts(of scalar: Unicode.Scalar) -> (lead: UInt8, vowel: Int, tail: Int)? {
        guard self.syllables.contains(scalar.value) else { return nil }
        let index = Int(scalar.value - 0xAC00)
        return (UInt8(index / 588), index / 28 % 21, index % 28)
    }

    /// The keystrokes of vowels by number: ㅘ is ㅗ and ㅏ.
    private static let vowelKeys: [[UInt8]] = (UInt8(0)..<21).map { vowel in
        let keys: [UInt8] =
            switch vowel {
            case 9: [8, 0]
            case 10: [8, 1]
            case 11: [8, 20]
            case 14: [13, 4]
            case 15: [13, 5]
            case 16: [13, 20]
            case 19: [18, 20]
            default: [vowel]
            }
        return keys.map { $0 + HangulKeystrokes.firstVowel }
    }

    /// The keystrokes of trailing consonants by number minus one: ㄺ is ㄹ and ㄱ.
    private static let tailKeys: [[UInt8]] = [
        [0], [1], [0, 9], [2], [2, 12], [2, 18], [3], [5], [5, 0], [5, 6], [5, 7], [5, 9], [5, 16], [5, 17], [5, 18],
        [6], [7], [7, 9], [9], [10], [11], [12], [14], [15], [16], [17], [18],
    ]
}
