/// Short texts in coloured boxes, drawn over a rendered picture: scores, or a text such as "4K".
public struct Badges: Hashable, Sendable {
    /// The edge or corner of the picture at which the badges are.
    public enum Position: String, Hashable, Sendable, CaseIterable {
        case bottom
        case top
        case left
        case right
        case topLeft = "top-left"
        case topRight = "top-right"
        case bottomLeft = "bottom-left"
        case bottomRight = "bottom-right"
    }

    /// The shape of the boxes.
    public enum Style: String, Hashable, Sendable, CaseIterable {
        /// One box with round ends for each badge.
        case pill
        /// One box with slightly rounded corners for each badge.
        case square
        /// One box for all badges, along the whole edge; in a corner as wide as its badges.
        case bar
    }

    /// One text and the colour of its box.
    public struct Badge: Hashable, Sendable {
        /// Maximum length of a text, in characters.
        public static let maxTextLength = 24
        /// Maximum length of a text in UTF-8, in bytes: characters may have many combining marks.
        public static let maxTextBytes = 384

        /// 1...``maxTextLength`` characters, without control characters.
        public let text: String
        /// The colour of the box; the text's own is white or black, whichever has the greater contrast.
        public let colour: RenderTarget.Colour

        /// Creates a badge; the caller has checked the length of `text`.
        public init(text: String, colour: RenderTarget.Colour) {
            self.text = text
            self.colour = colour
        }

        /// Compares code units: canonically equivalent texts may be drawn differently, and have different entity tags.
        public static func == (left: Self, right: Self) -> Bool {
            left.colour == right.colour && left.text.utf8.elementsEqual(right.text.utf8)
        }

        /// Adds the code units and the colour.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(self.colour)
            for unit in self.text.utf8 { hasher.combine(unit) }
        }
    }

    /// Maximum number of badges of a picture.
    public static let limit = 6

    /// In the order in which they are drawn, 1...``limit``; the last ones are left out where they do not fit.
    public let badges: [Badge]
    /// Where the badges are.
    public let position: Position
    /// The shape of the boxes.
    public let style: Style

    /// - Parameter badges: At most the first ``limit`` are kept.
    /// - Returns: `nil` without badges.
    public init?(_ badges: [Badge], position: Position = .bottom, style: Style = .pill) {
        guard !badges.isEmpty else { return nil }
        self.badges = Array(badges.prefix(Self.limit))
        self.position = position
        self.style = style
    }
}

extension Badges: CustomStringConvertible {
    /// Differs between badges; part of entity tags. Such as "bottom pill 1f2937 2 4K", with the length of
    /// each text in bytes.
    public var description: String {
        let badges = self.badges.map { "\($0.colour.hexadecimal) \($0.text.utf8.count) \($0.text)" }
        return ([self.position.rawValue, self.style.rawValue] + badges).joined(separator: " ")
    }
}
