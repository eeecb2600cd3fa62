/// The languages that somebody reads, the favourite first; then a film's own, then English, then any.
public struct LanguagePreference: Hashable, Sendable {
    /// The most languages that count.
    public static let limit = 8

    /// At least one, each once.
    public let languages: [Language]

    /// - Parameter languages: Empty for Korean; those over ``limit`` do not count.
    public init(_ languages: [Language] = []) {
        var once: [Language] = []
        for language in languages where !once.contains(language) { once.append(language) }
        self.languages = once.isEmpty ? [.korean] : Array(once.prefix(Self.limit))
    }

    /// The favourite.
    public var first: Language { self.languages[0] }

    /// The best of several texts: in a preferred language, else in the film's own, else in English, else in that of the first code in the
    /// alphabet.
    ///
    /// - Parameters:
    ///   - texts: By language code; empty ones do not count.
    ///   - original: The film's own language.
    /// - Returns: nil when there is none.
    public func choice<Text: Collection>(
        from texts: [String: Text], original: Language?
    ) -> (language: Language, text: Text)? {
        for language in self.languages + [original, .english].compactMap({ $0 }) {
            if let text = texts[language.code], !text.isEmpty { return (language, text) }
        }
        for (code, text) in texts.sorted(by: { $0.key < $1.key }) where !text.isEmpty {
            if let language = Language(code) { return (language, text) }
        }
        return nil
    }
}
