/// The words of a film's summary, in Korean, English or Japanese.
struct SummaryLabels {
    let age, runtime, minutes, release, language: String
    /// Stands behind the number; of a single one, and of others.
    private let rating, ratings: String

    private static let korean = SummaryLabels(
        age: "연령", runtime: "상영 시간", minutes: "분", release: "개봉", language: "언어", rating: "개의 평가", ratings: "개의 평가")
    private static let english = SummaryLabels(
        age: "AGE", runtime: "RUNTIME", minutes: "MINUTES", release: "RELEASE", language: "LANGUAGE", rating: " RATING",
        ratings: " RATINGS")
    private static let japanese = SummaryLabels(
        age: "年齢", runtime: "上映時間", minutes: "分", release: "公開", language: "言語", rating: "件の評価", ratings: "件の評価")

    private init(
        age: String, runtime: String, minutes: String, release: String, language: String, rating: String,
        ratings: String
    ) {
        self.age = age
        self.runtime = runtime
        self.minutes = minutes
        self.release = release
        self.language = language
        self.rating = rating
        self.ratings = ratings
    }

    /// The first of these languages that is preferred; English where none is.
    init(in preference: LanguagePreference) {
        let labels = ["ko": Self.korean, "en": Self.english, "ja": Self.japanese]
        self = preference.languages.lazy.compactMap { labels[$0.code] }.first ?? Self.english
    }

    /// How many there are, such as `1.2K RATINGS`.
    func ratings(_ count: Int) -> String { "\(AbbreviatedCount(count))\(count == 1 ? self.rating : self.ratings)" }
}
