/// The state of a film's production or release.
package enum FilmStatus: String, CaseIterable, Sendable {
    case rumored
    case planned
    case inProduction
    case postProduction
    case upcoming
    case released
    case canceled

    /// - Parameter word: A word of TMDB or KOBIS; case and white space are ignored.
    /// - Returns: `nil` for unknown words, and for KOBIS' `기타`.
    package init?(word: String) {
        guard let status = Self.statuses[VocabularyWord(word)] else { return nil }
        self = status
    }

    /// The name in the first preferred language of Korean, English and Japanese, else in English.
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

    /// The words of TMDB, followed by the words of KOBIS (`prdtStatNm`).
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
