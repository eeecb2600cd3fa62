import MovieDomain

/// A drawn poster for a film without one: the title in its script, on a colour of the film.
///
/// Its text has presentation attributes only: the policy of pages forbids style attributes.
struct TitleCard: Hashable, Sendable {
    private static let width = 240, height = 360
    private static let margin = 20
    /// The top of the first line's box.
    private static let top = 44

    private let title: String
    /// The title's language, which selects the shapes of Chinese characters.
    private let language: Language
    private let field, text, mark: SRGBColour

    /// - Parameters:
    ///   - language: The language of the texts of `film`.
    ///   - dominant: The dominant colour of the film's other pictures as `#rrggbb`; `nil` selects one by the id.
    init(_ film: MovieSummary, in language: Language, dominant: String?) {
        // XML does not allow noncharacters.
        let allowed = film.title.unicodeScalars.filter { $0.value & 0xFFFE != 0xFFFE }
        self.title = String(String.UnicodeScalarView(allowed))
        self.language = film.title == film.originalTitle ? film.originalLanguage ?? language : language
        let colours = AccentColours(dominant.flatMap { SRGBColour($0) } ?? Self.colour(of: film.id)).light
        (self.field, self.text, self.mark) = (colours.field, colours.onField, colours.onFieldQuiet)
    }

    /// A colour for each film: neighbouring ids have different hues.
    private static func colour(of id: MovieID) -> SRGBColour {
        // Fibonacci hashing: multiplication by 2³² divided by the golden ratio.
        let spread = PagePaint.digest(id.description) &* 0x9E37_79B1
        let hue = Double(spread) / Double(UInt32.max) * 2 * Double.pi
        return OKLCH(lightness: 0.45, chroma: 0.09, hue: hue).colour
    }

    /// An element of a page.
    ///
    /// - Parameter label: The accessible name; `nil` for a decoration beside the title.
    func markup(label: String? = nil) -> Markup {
        let role = label.map { "role=\"img\" aria-label=\"\(ScalarHTML.escape($0))\"" } ?? "aria-hidden=\"true\""
        return Markup(html: "<svg class=\"poster\" \(role) \(self.content())</svg>")
    }

    /// A file, without the fonts of pages.
    var document: String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.width)\" height=\"\(Self.height)\" "
            + self.content(font: " font-family=\"system-ui,sans-serif\"") + "</svg>\n"
    }

    private func content(font: String = "") -> String {
        let lines = TitleLines(self.title)
        let isRightToLeft = self.title.isRightToLeft
        let start = isRightToLeft ? Self.width - Self.margin : Self.margin
        let direction = isRightToLeft ? " direction=\"rtl\"" : ""
        let texts = lines.lines.enumerated().map { place, line in
            let baseline = Self.top + lines.fontSize + place * lines.lineHeight
            return "<tspan x=\"\(start)\" y=\"\(baseline)\">\(ScalarHTML.escape(line))</tspan>"
        }
        return "viewBox=\"0 0 \(Self.width) \(Self.height)\" lang=\"\(self.language)\">"
            + "<path fill=\"\(self.field)\" d=\"M0 0h\(Self.width)v\(Self.height)H0z\"/>"
            + "<path fill=\"\(self.mark)\" d=\"M\(start) 24h\(isRightToLeft ? -40 : 40)v6H\(start)z\"/>"
            + "<text fill=\"\(self.text)\" font-size=\"\(lines.fontSize)\" font-weight=\"700\"\(font)\(direction)>"
            + texts.joined() + "</text>"
    }
}

extension String {
    /// Whether the first letter is of a script from right to left: Hebrew, Arabic and their neighbours.
    fileprivate var isRightToLeft: Bool {
        guard let letter = self.unicodeScalars.first(where: { $0.properties.isAlphabetic }) else { return false }
        switch letter.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }
}
