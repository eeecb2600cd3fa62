/// A language by its ISO 639-1 code, such as `ko`.
package struct Language: Hashable, Sendable, CustomStringConvertible {
    /// Two or three lower-case letters.
    package let code: String

    /// Reads the language of a tag such as `ko`, `ko-KR` or `pt_BR` (RFC 5646); the other subtags are ignored.
    /// - Returns: `nil` unless the language has two or three letters.
    package init?(_ tag: some StringProtocol) {
        let code = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        guard (2...3).contains(code.utf8.count), code.utf8.allSatisfy({ (97...122).contains($0) }) else { return nil }
        self.code = code
    }

    private init(code: String) { self.code = code }

    package static let korean = Language(code: "ko")
    package static let english = Language(code: "en")

    package var description: String { self.code }
}

/// A reader's languages in order of preference; followed by a film's own language, English, and any other.
package struct LanguagePreference: Hashable, Sendable {
    /// The maximal number of languages; further ones are ignored.
    package static let limit = 8

    /// At least one, without duplicates.
    package let languages: [Language]

    /// - Parameter languages: An empty array means English; truncated to ``limit``.
    package init(_ languages: [Language] = []) {
        var once: [Language] = []
        for language in languages where !once.contains(language) { once.append(language) }
        self.languages = once.isEmpty ? [.english] : Array(once.prefix(Self.limit))
    }

    package var first: Language { self.languages[0] }

    /// Chooses the text in the first preferred language that has one, else in the film's own language, else in English, else
    /// in the first language code in alphabetical order.
    ///
    /// - Parameters:
    ///   - texts: Texts by language code; empty ones are ignored.
    ///   - original: The film's original language.
    /// - Returns: `nil` if all texts are empty.
    package func choice<Text: Collection>(
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
