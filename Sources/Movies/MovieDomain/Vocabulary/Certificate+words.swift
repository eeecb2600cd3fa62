extension Certificate {
    /// Rating systems by country code.
    static let systems: [String: System] = [
        "KR": .kmrb, "US": .mpa, "PR": .mpa, "VI": .mpa, "GB": .bbfc, "JP": .eirin, "DE": .fsk, "FR": .cnc, "AU": .acb,
        "CA": .chvrs, "IE": .ifco, "NZ": .oflc, "NL": .kijkwijzer, "ES": .icaa, "IT": .mic, "PT": .igac,
        "BR": .classind, "SE": .smr, "NO": .medietilsynet, "DK": .mcyp, "FI": .kavi, "IN": .cbfc, "HK": .ofnaa,
        "TW": .bamid, "SG": .imda, "MY": .lpf, "PH": .mtrcb, "TH": .thmc, "ID": .lsf, "RU": .rars, "TR": .kttv,
        "HU": .nmhh, "GR": .gnrb, "ZA": .fpb, "MX": .rtc, "AR": .incaa, "CH": .jif, "IL": .ilrb,
    ]

    static let unrated = Set(["N/A", "NR", "Not Rated", "Unrated", "등급미정", "미정"].map { VocabularyWord($0) })

    /// The ratings of the Korea Media Rating Board and its predecessors, in the spellings of KOBIS, KMDb, TMDB and
    /// iTunes.
    static let koreanRatings = VocabularyWord.table([
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
