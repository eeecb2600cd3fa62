import HTTPSemantics

/// The badges of a poster in its URL: the sites of scores in the order of drawing, and their appearance. All values are
/// accepted ones: ``BadgeChoices`` makes them.
package struct PictureBadges: Hashable, Sendable {
    /// Without repetition; empty for ``text`` alone.
    package let sources: [String]
    /// `nil` for the default.
    package let position, style, colours: String?
    /// The first badge's text; `nil` without one.
    package let text: String?

    /// The parameters, each after a `&`.
    package var query: String {
        let list = self.sources.isEmpty ? nil : self.sources.joined(separator: ",")
        let parameters = [
            ("badges", list), ("text", self.text.map { PercentEncoding.encode($0.utf8) }),
            ("badge-position", self.position), ("badge-style", self.style), ("badge-colours", self.colours),
        ]
        return parameters.compactMap { name, value in value.map { "&\(name)=\($0)" } }.joined()
    }
}

/// The badges that the current policy allows in URLs.
package struct BadgeChoices: Sendable {
    /// The names of sites of scores.
    package let sources: [String]
    /// The default first.
    package let positions, styles, colours: [String]
    /// Maximum number of badges of a poster, with a text.
    package let limit: Int
    /// The widths of a poster, in pixels, ascending.
    package let widths: [Int]
    /// Maximum length of a text, in code points.
    package let textLimit: Int
    /// Returns a text as it is drawn, `nil` for a rejected one; `nil` if texts need a signature.
    private let text: (@Sendable (String) -> String?)?

    package init(
        sources: [String], positions: [String], styles: [String], colours: [String], limit: Int, widths: [Int],
        textLimit: Int, text: (@Sendable (String) -> String?)?
    ) {
        (self.sources, self.positions, self.styles, self.colours) = (sources, positions, styles, colours)
        (self.limit, self.widths, self.textLimit, self.text) = (limit, widths, textLimit, text)
    }

    package var allowsTexts: Bool { self.text != nil }

    /// Whether ``badges(_:position:style:colours:text:)`` draws the text.
    package func accepts(_ text: String) -> Bool { self.text?(text) != nil }

    /// The badges of these values, without unknown values, repetitions and sources beyond the limit.
    ///
    /// - Returns: `nil` without badges.
    package func badges(
        _ sources: [String], position: String?, style: String?, colours: String?, text: String? = nil
    ) -> PictureBadges? {
        let text = text.flatMap { self.text?($0) }
        let limit = self.limit - (text == nil ? 0 : 1)
        var accepted: [String] = []
        for source in sources where accepted.count < limit && !accepted.contains(source) {
            if self.sources.contains(source) { accepted.append(source) }
        }
        guard !accepted.isEmpty || text != nil else { return nil }
        return PictureBadges(
            sources: accepted, position: Self.chosen(position, self.positions),
            style: Self.chosen(style, self.styles), colours: Self.chosen(colours, self.colours), text: text)
    }

    /// - Returns: `nil` for the default, so that equal badges have one URL, and for unknown values.
    private static func chosen(_ value: String?, _ choices: [String]) -> String? {
        value.flatMap { choices.dropFirst().contains($0) ? $0 : nil }
    }
}
