/// The sound of a text, as keys that are equal for all its romanisations: hanyeo, hanyŏ and 하녀; rashomon, rashōmon and
/// らしょうもん.
///
/// Hangul is romanised by the Revised Romanization of 2000, kana by Hepburn's. Then consonants that differ only in
/// voice or aspiration are merged, and so are long and short vowels, so that McCune–Reischauer and unmarked long vowels
/// give the same keys.
package enum SoundKeys {
    /// - Returns: `nil` if the text has letters of other scripts (a kanji has several readings), or its keys are
    ///   shorter than `minimum`.
    package static func keys(of text: FoldedText) -> SearchKeys? {
        guard let letters = self.latin(of: text.scalars) else { return nil }
        let keys = SearchKeys(self.merged(letters).unicodeScalars)
        return keys.keys.count < self.minimum ? nil : keys
    }

    /// The minimal number of keys: shorter ones match too many words.
    package static let minimum = 3

    private static func latin(of scalars: [Unicode.Scalar]) -> String? {
        var latin = ""
        var index = 0
        while index < scalars.count {
            let rest = scalars[index...]
            if HangulKeystrokes.parts(of: scalars[index]) != nil {
                let syllables = rest.prefix { HangulKeystrokes.parts(of: $0) != nil }
                latin += HangulRomanization.latin(of: syllables)
                index += syllables.count
            } else if KanaRomanization.isKana(scalars[index]) {
                let kana = rest.prefix { KanaRomanization.isKana($0) }
                latin += KanaRomanization.latin(of: kana)
                index += kana.count
            } else if scalars[index].isASCII {
                latin.unicodeScalars.append(scalars[index])
                index += 1
            } else {
                return nil
            }
        }
        return latin
    }

    /// Spellings that differ between romanisations, in order of precedence.
    private static let merges: [(written: [UInt8], merged: [UInt8])] = [
        ("tch", "c"), ("shi", "si"), ("eo", "o"), ("eu", "u"), ("ou", "o"), ("oo", "o"), ("uu", "u"), ("aa", "a"),
        ("ii", "i"), ("ch", "c"), ("sh", "sy"), ("jj", "c"), ("kk", "k"), ("gg", "k"), ("tt", "t"), ("dd", "t"),
        ("pp", "p"), ("bb", "p"), ("ss", "s"), ("ll", "l"), ("rr", "l"), ("mm", "nm"), ("mb", "np"), ("mp", "np"),
        ("j", "c"), ("g", "k"), ("d", "t"), ("b", "p"), ("r", "l"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

    private static func merged(_ latin: String) -> String {
        let letters = Array(latin.utf8)
        var merged: [UInt8] = []
        var index = 0
        while index < letters.count {
            if let (written, replacement) = self.merges.first(where: { letters[index...].starts(with: $0.written) }) {
                merged += replacement
                index += written.count
            } else {
                merged.append(letters[index])
                index += 1
            }
        }
        return String(decoding: merged, as: UTF8.self)
    }
}
