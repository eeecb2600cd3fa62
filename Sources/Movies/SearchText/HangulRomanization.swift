/// The Revised Romanization of Korean (Ministry of Culture and Tourism, 2000), including the sound changes between
/// syllables that it writes: 독립 is `dongnip`, 신라 `silla`, 같이 `gachi`.
enum HangulRomanization {
    static func latin(of syllables: some Sequence<Unicode.Scalar>) -> String {
        var parts = syllables.compactMap { HangulKeystrokes.parts(of: $0) }.map {
            Syllable(lead: Int($0.lead), vowel: $0.vowel, tail: $0.tail)
        }
        for index in parts.indices.dropLast() {
            var next = parts[index + 1]
            self.join(&parts[index], &next)
            parts[index + 1] = next
        }
        var latin = ""
        for part in parts {
            latin += part.sounding ?? self.leads[part.lead]
            latin += self.vowels[part.vowel]
            let end = self.ends[part.tail]
            latin += part.changed ?? end
        }
        return latin
    }

    private struct Syllable {
        let lead: Int
        let vowel: Int
        let tail: Int
        /// Replaces the leading consonant.
        var sounding: String?
        /// Replaces the trailing consonant.
        var changed: String?
    }

    /// Numbers of leading consonants (Unicode 16, section 3.12).
    private static let (nieun, rieul, mieum, ieung) = (2, 5, 6, 11)

    private static func join(_ first: inout Syllable, _ second: inout Syllable) {
        guard first.tail > 0 else { return }
        let end = self.ends[first.tail]
        switch second.lead {
        case self.ieung:
            self.link(&first, &second)
        case self.nieun, self.mieum:
            first.changed = ["k": "ng", "t": "n", "p": "m"][end]
            if end == "l", second.lead == self.nieun { second.sounding = "l" }
        case self.rieul:
            first.changed = ["k": "ng", "t": "n", "p": "m", "n": "l"][end]
            second.sounding = end == "l" || end == "n" ? "l" : "n"
        default:
            // ㅎ aspirates the next consonant: 좋고 is joko.
            guard ["h", "nh", "lh"].contains(self.spelled[first.tail]) else { return }
            second.sounding = [0: "k", 3: "t", 12: "ch"][second.lead]
            if second.sounding != nil { first.changed = String(self.spelled[first.tail].dropLast()) }
        }
    }

    /// Moves the trailing consonant to a following vowel: 살인 is sarin, 같이 gachi.
    private static func link(_ first: inout Syllable, _ second: inout Syllable) {
        let spelled = self.spelled[first.tail]
        guard spelled != "ng" else { return }
        let isBeforeI = second.vowel == 20
        switch spelled {
        case "h": (first.changed, second.sounding) = ("", "")
        case "nh": (first.changed, second.sounding) = ("", "n")
        case "lh": (first.changed, second.sounding) = ("", "r")
        case "d" where isBeforeI: (first.changed, second.sounding) = ("", "j")
        case "t" where isBeforeI: (first.changed, second.sounding) = ("", "ch")
        default:
            guard let pair = self.pairs[first.tail] else {
                (first.changed, second.sounding) = ("", spelled)
                return
            }
            (first.changed, second.sounding) = pair
        }
    }

    private static let leads = [
        "g", "kk", "n", "d", "tt", "r", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t", "p", "h",
    ]
    private static let vowels = [
        "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo", "we", "wi", "yu",
        "eu", "ui", "i",
    ]
    /// Sounds of trailing consonants at the end of a word, by number.
    private static let ends = [
        "", "k", "k", "k", "n", "n", "n", "t", "l", "k", "m", "l", "l", "l", "p", "l", "m", "p", "p", "t", "t", "ng",
        "t", "t", "k", "t", "p", "t",
    ]
    /// Sounds of trailing consonants before a vowel, by number.
    private static let spelled = [
        "", "g", "kk", "gs", "n", "nj", "nh", "d", "r", "lg", "lm", "lb", "ls", "lt", "lp", "lh", "m", "b", "bs", "s",
        "ss", "ng", "j", "ch", "k", "t", "p", "h",
    ]
    /// Pairs of trailing consonants; the second consonant moves to the following vowel.
    private static let pairs: [Int: (String?, String?)] = [
        3: ("k", "s"), 5: ("n", "j"), 9: ("l", "g"), 10: ("l", "m"), 11: ("l", "b"), 12: ("l", "s"), 13: ("l", "t"),
        14: ("l", "p"), 18: ("p", "s"),
    ]
}
