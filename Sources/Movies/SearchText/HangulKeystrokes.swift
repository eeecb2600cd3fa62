/// The keystrokes of a letter on a Korean two-set (dubeolsik) keyboard.
///
/// Typing 하녀 shows 하, 한, 하녀: keystrokes, but not syllables, are prefixes of each other.
package enum HangulKeystrokes {
    /// Vowels have this number and those above, consonants those below.
    static let firstVowel: UInt8 = 32

    private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    private static let leading: ClosedRange<UInt32> = 0x1100...0x1112
    private static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
    private static let trailing: ClosedRange<UInt32> = 0x11A8...0x11C2

    /// Consonants by their places among the leading ones, vowels 32 higher; nil for what is not Hangul.
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

    /// Whether it is a consonant or a vowel without a syllable.
    static func isLoneLetter(_ scalar: Unicode.Scalar) -> Bool { (0x1100...0x11FF).contains(scalar.value) }

    /// The leading consonant of a syllable; nil for what is none.
    static func initial(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        self.parts(of: scalar).flatMap { Unicode.Scalar(0x1100 + UInt32($0.lead)) }
    }

    /// The syllables that keystrokes compose, as an input method does: a consonant between two vowels begins the next syllable.
    /// - Returns: nil when one is incomplete.
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

    /// The longest of `table` that `keys` begin with.
    private static func first(of table: [[UInt8]], in keys: ArraySlice<UInt8>) -> (index: Int, count: Int)? {
        for count in [2, 1] where keys.count >= count {
            if let index = table.firstIndex(of: Array(keys.prefix(count))) { return (index, count) }
        }
        return nil
    }

    /// Unicode 16, section 3.12: arithmetic of syllables.
    static func parts(of scalar: Unicode.Scalar) -> (lead: UInt8, vowel: Int, tail: Int)? {
        guard self.syllables.contains(scalar.value) else { return nil }
        let index = Int(scalar.value - 0xAC00)
        return (UInt8(index / 588), index / 28 % 21, index % 28)
    }

    /// ㅘ is ㅗ and ㅏ.
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

    /// By the tail's number less one; ㄺ is ㄹ and ㄱ.
    private static let tailKeys: [[UInt8]] = [
        [0], [1], [0, 9], [2], [2, 12], [2, 18], [3], [5], [5, 0], [5, 6], [5, 7], [5, 9], [5, 16], [5, 17], [5, 18],
        [6], [7], [7, 9], [9], [10], [11], [12], [14], [15], [16], [17], [18],
    ]
}
