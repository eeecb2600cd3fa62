import MovieDomain

/// Naver's genre numbers.
enum NaverGenre {
    /// Numbers of genres that the domain has; others do not filter.
    static let genres: [Int: Set<GenreID>] = [
        1: [.drama], 2: [.fantasy], 3: [.western], 4: [.horror], 5: [.romance], 6: [.adventure], 7: [.thriller],
        8: [.filmNoir], 10: [.documentary], 11: [.comedy], 12: [.family], 13: [.mystery], 14: [.war],
        15: [.animation], 16: [.crime], 17: [.musical, .music], 18: [.scienceFiction], 19: [.action],
        21: [.erotic], 22: [.thriller], 23: [.history], 24: [.comedy], 25: [.experimental],
    ]
}

/// Countries in Naver's words. Search results have no country: their original language represents it.
enum NaverCountry: String, Hashable, Sendable, CaseIterable {
    case france = "FR"
    case britain = "GB"
    case hongKong = "HK"
    case japan = "JP"
    case korea = "KR"
    case unitedStates = "US"
    case others = "ETC"

    private var languages: Set<String> {
        switch self {
        case .france: ["fr"]
        case .britain, .unitedStates: ["en"]
        case .hongKong: ["zh", "cn"]
        case .japan: ["ja"]
        case .korea: ["ko"]
        case .others: []
        }
    }

    func matches(_ film: MovieSummary) -> Bool {
        guard let language = film.originalLanguage?.code else { return false }
        guard self == .others else { return self.languages.contains(language) }
        return !Self.allCases.contains { $0.languages.contains(language) }
    }
}
