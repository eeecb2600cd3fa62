/// Selects one of a film's posters at sources with several.
package struct PosterChoice: Hashable, Sendable {
    /// The language of the poster's text; `nil` for the source's default.
    package var language: Language?
    /// Whether a poster without text is preferred over one in ``language``.
    package var isTextless: Bool

    package init(language: Language? = nil, isTextless: Bool = false) {
        self.language = language
        self.isTextless = isTextless
    }
}
