/// Hepburn romanisation of katakana, with long vowels as written: ラショウモン is `rashoumon`, トーキョー `tookyoo`.
enum KanaRomanization {
    private static let long: Unicode.Scalar = "ー"
    private static let small: Unicode.Scalar = "ッ"

    /// Whether the scalar is katakana or the long vowel mark; ``FoldedText`` contains no hiragana.
    static func isKana(_ scalar: Unicode.Scalar) -> Bool { ("\u{30A1}"..."\u{30FE}").contains(scalar) }

    static func latin(of kana: some Sequence<Unicode.Scalar>) -> String {
        var latin = ""
        var doubles = false
        for scalar in kana {
            switch scalar {
            case self.small: doubles = true
            case self.long: latin.last.map { latin.append($0) }
            default:
                guard let sound = self.sounds[scalar] else { continue }
                if let glide = self.glides[scalar] {
                    // シ and ャ are sha, キ and ャ kya, フ and ァ fa.
                    latin = self.glided(latin, glide)
                } else {
                    if doubles, let first = sound.first, !"aiueon".contains(first) {
                        latin.append(first == "c" ? "t" : first)
                    }
                    latin += sound
                }
                doubles = false
            }
        }
        return latin
    }

    private static func glided(_ latin: String, _ glide: String) -> String {
        let stem = latin.dropLast()
        guard let last = latin.last, "iueo".contains(last) else { return latin + glide }
        guard glide.first == "y" else { return stem + glide }
        let isPalatal = ["sh", "ch", "j"].contains { stem.hasSuffix($0) }
        return stem + (isPalatal ? String(glide.dropFirst()) : glide)
    }

    /// Small letters, which replace the preceding vowel.
    private static let glides: [Unicode.Scalar: String] = [
        "ャ": "ya", "ュ": "yu", "ョ": "yo", "ァ": "a", "ィ": "i", "ゥ": "u", "ェ": "e", "ォ": "o",
    ]

    private static let sounds: [Unicode.Scalar: String] = {
        let rows: [(String, [String])] = [
            ("アイウエオ", ["a", "i", "u", "e", "o"]), ("カキクケコ", ["ka", "ki", "ku", "ke", "ko"]),
            ("ガギグゲゴ", ["ga", "gi", "gu", "ge", "go"]), ("サシスセソ", ["sa", "shi", "su", "se", "so"]),
            ("ザジズゼゾ", ["za", "ji", "zu", "ze", "zo"]), ("タチツテト", ["ta", "chi", "tsu", "te", "to"]),
            ("ダヂヅデド", ["da", "ji", "zu", "de", "do"]), ("ナニヌネノ", ["na", "ni", "nu", "ne", "no"]),
            ("ハヒフヘホ", ["ha", "hi", "fu", "he", "ho"]), ("バビブベボ", ["ba", "bi", "bu", "be", "bo"]),
            ("パピプペポ", ["pa", "pi", "pu", "pe", "po"]), ("マミムメモ", ["ma", "mi", "mu", "me", "mo"]),
            ("ラリルレロ", ["ra", "ri", "ru", "re", "ro"]), ("ヤユヨ", ["ya", "yu", "yo"]),
            ("ワヰヱヲンヴ", ["wa", "i", "e", "o", "n", "vu"]), ("ャュョァィゥェォ", ["ya", "yu", "yo", "a", "i", "u", "e", "o"]),
            ("ヵヶヮ", ["ka", "ke", "wa"]),
        ]
        return Dictionary(
            rows.flatMap { zip($0.0.unicodeScalars, $0.1) }, uniquingKeysWith: { first, _ in first })
    }()
}
