/// An age rating of a film in a country.
package struct Certificate: Hashable, Sendable {
    /// The rating organisation, or its classification.
    package enum System: String, CaseIterable, Sendable {
        case kmrb, mpa, bbfc, eirin, fsk, cnc, acb, chvrs, ifco, oflc, kijkwijzer, icaa, mic, igac, classind, smr
        case medietilsynet, mcyp, kavi, cbfc, ofnaa, bamid, imda, lpf, mtrcb, thmc, lsf, rars, kttv, nmhh, gnrb, fpb
        case rtc, incaa, jif, ilrb
        case tvpg
        /// A rating of another country, or one that is not in its system's vocabulary.
        case other
    }

    /// The maximal length of a word in scalars; the rest is ignored.
    private static let maxWordLength = 100

    package let system: System
    package let country: Country
    /// For the KMRB `ALL`, `12`, `15`, `18` or `RESTRICTED`; otherwise the system's own word, such as `PG-13`.
    package let rating: String

    /// - Parameters:
    ///   - word: The source's word. A second word in parentheses is dropped: `15세관람가(15세이상관람가)`.
    ///   - country: The country of the rating.
    /// - Returns: `nil` for empty words, and words for unrated films such as `N/A` and `등급미정`.
    package init?(_ word: String, in country: Country) {
        // Over scalars: finding the beginning of a character from its end takes time proportional to the preceding
        // text.
        let word = word.unicodeScalars.prefix(Self.maxWordLength).drop { $0.properties.isWhitespace }
        let end = word.dropFirst().firstIndex(of: "(") ?? word.endIndex
        let last = word[..<end].lastIndex { !$0.properties.isWhitespace }
        let rating = last.map { String(word[...$0]) } ?? ""
        let folded = VocabularyWord(rating)
        guard !rating.isEmpty, !Self.unrated.contains(folded) else { return nil }
        let system = rating.hasPrefix("TV-") ? .tvpg : Self.systems[country.code] ?? .other
        let korean = system == .kmrb ? Self.koreanRatings[folded] : nil
        self.country = country
        self.system = system == .kmrb && korean == nil ? .other : system
        self.rating = korean ?? rating
    }

    /// The rating for display: the KMRB's words in Korean, otherwise the rating itself.
    package func label(in language: LanguagePreference) -> String {
        guard self.system == .kmrb else { return self.rating }
        let names: LocalisedName? =
            switch self.rating {
            case "ALL": LocalisedName("전체 관람가", "All", "全年齢")
            case "12", "15": LocalisedName("\(self.rating)세 이상", self.rating, self.rating)
            case "18": LocalisedName("청소년 관람불가", self.rating, self.rating)
            case "RESTRICTED": LocalisedName("제한상영가", self.rating, self.rating)
            default: nil
            }
        return names?.text(in: language) ?? self.rating
    }
}

extension Certificate {
    /// Rating systems by country code.
    private static let systems: [String: System] = [
        "KR": .kmrb, "US": .mpa, "PR": .mpa, "VI": .mpa, "GB": .bbfc, "JP": .eirin, "DE": .fsk, "FR": .cnc, "AU": .acb,
        "CA": .chvrs, "IE": .ifco, "NZ": .oflc, "NL": .kijkwijzer, "ES": .icaa, "IT": .mic, "PT": .igac,
        "BR": .classind, "SE": .smr, "NO": .medietilsynet, "DK": .mcyp, "FI": .kavi, "IN": .cbfc, "HK": .ofnaa,
        "TW": .bamid, "SG": .imda, "MY": .lpf, "PH": .mtrcb, "TH": .thmc, "ID": .lsf, "RU": .rars, "TR": .kttv,
        "HU": .nmhh, "GR": .gnrb, "ZA": .fpb, "MX": .rtc, "AR": .incaa, "CH": .jif, "IL": .ilrb,
    ]

    private static let unrated = Set(["N/A", "NR", "Not Rated", "Unrated", "등급미정", "미정"].map { VocabularyWord($0) })

    /// The ratings of the Korea Media Rating Board and its predecessors, in the spellings of KOBIS, KMDb, TMDB and
    /// iTunes.
    private static let koreanRatings = VocabularyWord.table([
        (words: ["전체관람가", "연소자관람가", "모든 관람객이 관람할 수 있는 등급", "국민학생관람가", "All", "G", "4+"], value: "ALL"),
        (words: ["12세이상관람가", "12세관람가", "중학생이상관람가", "12"], value: "12"),
        (words: ["15세이상관람가", "15세관람가", "고등학생이상관람가", "15"], value: "15"),
        (
            words: ["청소년관람불가", "18세관람가", "18세이상관람가", "연소자관람불가", "연소자불가", "미성년자관람불가", "18", "19"],
            value: "18"
        ),
        (words: ["제한상영가", "Restricted Screening"], value: "RESTRICTED"),
    ])
}
