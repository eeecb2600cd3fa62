import MovieDomain

/// An example of a query, shown on the search page until there is a query.
struct SearchExample: Hashable {
    let text: String
    /// `nil` for names that are the same in all languages.
    let language: Language?

    private init(_ text: String, _ language: Language? = nil) {
        self.text = text
        self.language = language
    }

    private static let japanese = Language("ja")
    /// Titles and people, which every source finds.
    private static let names = [
        SearchExample("Nosferatu"), SearchExample("메트로폴리스", .korean), SearchExample("김기영", .korean),
        SearchExample("東京物語", Self.japanese), SearchExample("黒澤明", Self.japanese),
        SearchExample("ゴジラ", Self.japanese), SearchExample("Chaplin"),
    ]
    /// Initial consonants, a title with its year, and a mistake.
    private static let others = [
        SearchExample("ㄴㅅㅍㄹㅌ", .korean), SearchExample("metropolis 1927"), SearchExample("casablnca"),
    ]
    private static let furtherNames = [
        SearchExample("하녀", .korean), SearchExample("羅生門", Self.japanese), SearchExample("Fritz Lang"),
    ]

    static func all(for source: MovieSource) -> [SearchExample] {
        Self.names + (Self.knowsMore(source) ? Self.others : Self.furtherNames)
    }

    /// Whether a source also finds films by years, initial consonants and with small mistakes.
    static func knowsMore(_ source: MovieSource) -> Bool { source == .embedded }
}
