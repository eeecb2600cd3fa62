import MovieDomain

/// A language that every store has beside its own: the `lang` parameter.
struct ITunesLanguage {
    let language: Language
    /// Such as `en_us`.
    let tag: String

    private static let all = [("en", "en_us"), ("ja", "ja_jp")]

    /// - Returns: nil for other languages than English and Japanese, for which the store's own is used.
    init?(_ preference: LanguagePreference) {
        guard let tag = Self.all.first(where: { $0.0 == preference.first.code })?.1 else { return nil }
        self.language = preference.first
        self.tag = tag
    }
}
