/// Which of a film's posters is wanted, where its source has several.
package struct PosterChoice: Hashable, Sendable {
    /// The language of the poster's text; nil for the source's usual one.
    package var language: Language?
    /// Whether a poster without text is preferred to one in ``language``.
    package var isTextless: Bool

    package init(language: Language? = nil, isTextless: Bool = false) {
        self.language = language
        self.isTextless = isTextless
    }
}
