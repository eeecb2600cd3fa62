/// The labels of details of films and apps in Korean, English and Japanese.
struct Labels: Sendable {
    private let preference: LanguagePreference

    /// - Parameter language: Determines the language: the first preferred one of the three, else English.
    init(in language: LanguagePreference) {
        self.preference = language
    }

    var age: String { self.text("연령", "AGE", "年齢") }
    var noRatings: String { self.text("평가 없음", "NO RATINGS", "評価なし") }
    /// The unit of an app's age rating, such as `4+`.
    var yearsOld: String { self.text("세", "Years Old", "歳") }
    var runtime: String { self.text("상영 시간", "RUNTIME", "上映時間") }
    var release: String { self.text("개봉", "RELEASE", "公開") }
    var language: String { self.text("언어", "LANGUAGE", "言語") }
    var developer: String { self.text("개발자", "DEVELOPER", "デベロッパ") }
    var free: String { self.text("받기", "GET", "入手") }

    /// The number of ratings, such as `1.2K RATINGS`.
    func ratings(_ count: Int) -> String {
        let number = CompactCount(count, in: self.preference)
        return "\(number)" + self.text("개의 평가", count == 1 ? " RATING" : " RATINGS", "件の評価")
    }

    func minutes(_ count: Int) -> String { self.text("분", count == 1 ? "MINUTE" : "MINUTES", "分") }

    func moreLanguages(_ count: Int) -> String { self.text("외 \(count)개", "+ \(count) More", "他\(count)言語") }

    /// - Parameter version: The oldest supported version of the system.
    func compatibility(_ version: String) -> String {
        self.text("\(version) 이상", "\(version) or later", "\(version)以降")
    }

    private func text(_ korean: String, _ english: String, _ japanese: String) -> String {
        LocalisedName(korean, english, japanese).text(in: self.preference)
    }
}
