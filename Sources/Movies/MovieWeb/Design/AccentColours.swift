/// The colours of a page about a film, from its poster's dominant colour, with the contrast that their texts need (WCAG 2.2, 1.4.3).
struct AccentColours: Hashable, Sendable {
    /// The colours in one scheme.
    struct Scheme: Hashable, Sendable {
        let field, onField, onFieldQuiet, accent: SRGBColour

        /// Declarations of custom properties.
        var css: String {
            "--field:\(self.field);--on-field:\(self.onField);--on-field-quiet:\(self.onFieldQuiet);--accent:\(self.accent)"
        }
    }

    let light, dark: Scheme

    private static let paper = SRGBColour("#f6f2ea")!
    private static let ink = SRGBColour("#1a1917")!
    private static let lightGround = SRGBColour("#f4f1ea")!
    private static let darkGround = SRGBColour("#161514")!
    /// Of text on the field, of quiet text on it, and of accents on the page.
    private static let textContrast = 5.8, quietContrast = 4.7, accentContrast = 4.6
    private static let darkTextContrast = 9.0
    private static let chromaLimit = 0.18
    /// Colours with less are black, grey or white to the eye.
    private static let leastChroma = 0.02

    /// Of a film: the first of its pictures' dominant colours that is more than black, grey or white, else the first.
    ///
    /// - Parameter dominants: `#rrggbb`; nil for pictures with colours that are not known.
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
        ":root{\(self.light.css)}@media(prefers-color-scheme:dark){:root{\(self.dark.css)}}"
    }
}
