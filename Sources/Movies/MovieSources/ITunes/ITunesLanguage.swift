import MovieDomain

/// A language that every store offers beside its own: the `lang` parameter.
struct ITunesLanguage {
    let language: Language
    /// The parameter's value, such as `en_us`.
    let tag: String

    private static let all = [("en", "en_us"), ("ja", "ja_jp")]

    /// - Returns: `nil` for languages other than English and Japanese, which means the store's own.
    init?(_ preference: LanguagePreference) {
        guard let tag = Self.all.first(where: { $0.0 == preference.first.code })?.1 else { return nil }
        self.language = preference.first
        self.tag = tag
    }
}
