/// The colours of a film's page, derived from a dominant colour, with sufficient contrast for text (WCAG 2.2, 1.4.3).
struct AccentColours: Hashable, Sendable {
    /// The colours of a light or dark scheme.
    struct Scheme: Hashable, Sendable {
        let field, onField, onFieldQuiet, accent: SRGBColour
    }

    let light, dark: Scheme

    private static let paper = SRGBColour("#f6f2ea")!
    private static let ink = SRGBColour("#1a1917")!
    private static let lightGround = SRGBColour("#f4f1ea")!
    private static let darkGround = SRGBColour("#161514")!
    /// Contrast ratios of text on the field, quiet text on the field, and accents on the page.
    private static let textContrast = 5.8, quietContrast = 4.7, accentContrast = 4.6
    private static let darkTextContrast = 9.0
    private static let chromaLimit = 0.18
    /// Colours of less chroma look black, grey or white.
    private static let leastChroma = 0.02

    /// The colours of a film, from the first dominant colour with sufficient chroma, else from the first one.
    ///
    /// - Parameter dominants: Dominant colours of the film's pictures as `#rrggbb`; `nil` if unknown.
    init?(of dominants: [String?]) {
        let colours = dominants.compactMap { $0.flatMap { SRGBColour($0) } }
        guard let chosen = colours.first(where: { OKLCH($0).chroma >= Self.leastChroma }) ?? colours.first
        else { return nil }
        self.init(chosen)
    }

    init(_ dominant: SRGBColour) {
        var base = OKLCH(dominant)
        base.chroma = min(base.chroma, Self.chromaLimit)
        func with(_ lightness: Double, chroma: Double? = nil) -> OKLCH {
            OKLCH(lightness: lightness, chroma: chroma ?? base.chroma, hue: base.hue)
        }
        let isLight = base.lightness > 0.70
        let field =
            isLight
            ? with(max(base.lightness, 0.80), chroma: min(base.chroma, 0.11)).reaching(
                Self.textContrast, with: Self.ink, step: 0.01)
            : with(min(max(base.lightness, 0.25), 0.52)).reaching(Self.textContrast, with: Self.paper, step: -0.01)
        self.light = Self.scheme(
            field, on: isLight ? Self.ink : Self.paper,
            accent: with(min(base.lightness, 0.55)).reaching(Self.accentContrast, with: Self.lightGround, step: -0.01))
        self.dark = Self.scheme(
            with(min(max(base.lightness, 0.24), 0.36), chroma: base.chroma * 0.9)
                .reaching(Self.darkTextContrast, with: Self.paper, step: -0.01),
            on: Self.paper,
            accent: with(max(base.lightness, 0.68)).reaching(Self.accentContrast, with: Self.darkGround, step: 0.01))
    }

    private static func scheme(_ field: OKLCH, on text: SRGBColour, accent: OKLCH) -> Scheme {
        let colour = field.colour
        let own = OKLCH(colour)
        let isOnDark = text == Self.paper
        let quiet = OKLCH(
            lightness: min(1, max(0, own.lightness + (isOnDark ? 0.42 : -0.38))), chroma: min(own.chroma, 0.03),
            hue: own.hue)
        return Scheme(
            field: colour, onField: text,
            onFieldQuiet: quiet.reaching(Self.quietContrast, with: colour, step: isOnDark ? 0.01 : -0.01).colour,
            accent: accent.colour)
    }

    var css: String {
        let colours: KeyValuePairs<String, KeyPath<Scheme, SRGBColour>> = [
            "field": \.field, "on-field": \.onField, "on-field-quiet": \.onFieldQuiet, "accent": \.accent,
        ]
        let rules = colours.map { name, colour in
            "--\(name):light-dark(\(self.light[keyPath: colour]),\(self.dark[keyPath: colour]))"
        }
        return ":root{\(rules.joined(separator: ";"))}"
    }
}
