import PosterCodec

/// The colours of badges with scores.
enum BadgeColours: String, Hashable, Sendable, CaseIterable {
    /// By the score: red, orange, yellow, green and dark green.
    case value
    /// One colour per source.
    case source

    /// The colour of `text=`.
    static let text = RenderTarget.Colour(red: 0x1F, green: 0x29, blue: 0x37)

    func colour(of score: BadgeScore, at source: BadgeSource) -> RenderTarget.Colour {
        switch self {
        case .value: Self.colour(percentage: score.percentage)
        case .source: source.colour
        }
    }

    /// Each has a contrast of at least 5:1 with white or black (WCAG 2.2, 1.4.3, asks for 4.5:1).
    ///
    /// - Parameter percentage: 0...100.
    static func colour(percentage: Int) -> RenderTarget.Colour {
        switch percentage {
        case ..<40: RenderTarget.Colour(red: 0xB0, green: 0x1E, blue: 0x1E)
        case ..<50: RenderTarget.Colour(red: 0xA3, green: 0x45, blue: 0x00)
        case ...60: RenderTarget.Colour(red: 0xF2, green: 0xC2, blue: 0x30)
        case ..<75: RenderTarget.Colour(red: 0x2A, green: 0x72, blue: 0x2E)
        default: RenderTarget.Colour(red: 0x14, green: 0x55, blue: 0x1C)
        }
    }
}
