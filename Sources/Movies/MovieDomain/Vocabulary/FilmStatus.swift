/// How far a film has come.
package enum FilmStatus: String, CaseIterable, Sendable {
    case rumored
    case planned
    case inProduction
    case postProduction
    case upcoming
    case released
    case canceled

    /// - Parameter word: Of TMDB or KOBIS, without regard to case and white space.
    /// - Returns: nil for unknown ones, and for KOBIS' `기타`.
    package init?(word: String) {
        guard let status = Self.statuses[VocabularyWord(word)] else { return nil }
        self = status
    }

    /// In Korean, English or Japanese, whichever is preferred; in English otherwise.
    package func name(in language: LanguagePreference) -> String { self.names.text(in: language) }

    private var names: LocalisedName {
        switch self {
        case .rumored: LocalisedName("제작 소문", "Rumored", "噂")
        case .planned: LocalisedName("기획", "Planned", "企画中")
        case .inProduction: LocalisedName("제작 중", "In production", "製作中")
        case .postProduction: LocalisedName("후반 작업", "Post-production", "ポストプロダクション")
        case .upcoming: LocalisedName("개봉 예정", "Upcoming", "公開予定")
        case .released: LocalisedName("개봉", "Released", "公開済み")
        case .canceled: LocalisedName("제작 중단", "Canceled", "製作中止")
        }
    }

    /// The words of TMDB, then those of KOBIS (`prdtStatNm`).
    private var words: [String] {
        switch self {
        case .rumored: ["Rumored"]
        case .planned: ["Planned", "기획", "촬영준비"]
        case .inProduction: ["In Production", "촬영진행", "촬영"]
        case .postProduction: ["Post Production", "후반작업"]
        case .upcoming: ["개봉예정", "개봉준비"]
        case .released: ["Released", "개봉"]
        case .canceled: ["Canceled", "Cancelled", "제작중단"]
        }
    }

    private static let statuses = VocabularyWord.table(Self.allCases.map { (words: $0.words, value: $0) })
}
