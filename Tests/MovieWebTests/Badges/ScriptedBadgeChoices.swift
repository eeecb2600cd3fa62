import HTTPServer

extension BadgeChoices {
    /// Four sites, at most three per poster.
    ///
    /// - Parameter allowsTexts: Whether texts without `!` are drawn; otherwise none.
    static func scripted(allowsTexts: Bool = false) -> BadgeChoices {
        let text: @Sendable (String) -> String? = { $0.contains("!") ? nil : $0 }
        return BadgeChoices(
            sources: ["imdb", "rt", "tmdb", "sample"], positions: ["bottom", "top", "top-left"],
            styles: ["pill", "square", "bar"], colours: ["value", "source"], limit: 3, widths: [92, 342, 500],
            textLimit: 24, text: allowsTexts ? text : nil)
    }
}
