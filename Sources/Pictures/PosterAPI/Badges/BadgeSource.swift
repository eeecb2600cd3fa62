import PosterCodec

/// A site with scores of films, for badges on posters.
package enum BadgeSource: String, Hashable, Sendable, CaseIterable {
    case imdb
    /// The critics of Rotten Tomatoes.
    case rt
    /// The audience of Rotten Tomatoes.
    case popcorn
    case metacritic
    case trakt
    case letterboxd
    case mal
    case tmdb
    /// The invented scores of the embedded catalogue.
    case sample

    private enum Form {
        /// One decimal, of 10.
        case ofTen
        /// One decimal, of 5.
        case ofFive
        case percentage
        /// Whole points of 100.
        case points
    }

    /// The number of steps between the worst and the best score as it is drawn.
    var stepCount: Int {
        switch self.form {
        case .ofTen, .percentage, .points: 100
        case .ofFive: 50
        }
    }

    private var form: Form {
        switch self {
        case .imdb, .mal, .tmdb, .sample: .ofTen
        case .letterboxd: .ofFive
        case .rt, .popcorn, .trakt: .percentage
        case .metacritic: .points
        }
    }

    private var label: String {
        switch self {
        case .imdb: "IMDb"
        case .rt: "RT"
        case .popcorn: "Popcorn"
        case .metacritic: "MC"
        case .trakt: "Trakt"
        case .letterboxd: "LB"
        case .mal: "MAL"
        case .tmdb: "TMDB"
        case .sample: "Sample"
        }
    }

    /// The text of a badge, such as `IMDb 8.7`, `RT 88 %` or `MC 73`; the same in all languages.
    func text(of score: BadgeScore) -> String {
        let steps = score.steps
        return switch self.form {
        case .ofTen, .ofFive: "\(self.label) \(steps / 10).\(steps % 10)"
        case .percentage: "\(self.label) \(steps) %"
        case .points: "\(self.label) \(steps)"
        }
    }

    /// The colour of the source's badges.
    var colour: RenderTarget.Colour {
        switch self {
        case .imdb: RenderTarget.Colour(red: 0xF5, green: 0xC5, blue: 0x18)
        case .rt: RenderTarget.Colour(red: 0xB3, green: 0x1B, blue: 0x1B)
        case .popcorn: RenderTarget.Colour(red: 0x8F, green: 0x3D, blue: 0x0A)
        case .metacritic: RenderTarget.Colour(red: 0x14, green: 0x32, blue: 0x5C)
        case .trakt: RenderTarget.Colour(red: 0x6A, green: 0x1B, blue: 0x9A)
        case .letterboxd: RenderTarget.Colour(red: 0x00, green: 0x5F, blue: 0x56)
        case .mal: RenderTarget.Colour(red: 0x2A, green: 0x4B, blue: 0x96)
        case .tmdb: RenderTarget.Colour(red: 0x0B, green: 0x4F, blue: 0x6C)
        case .sample: RenderTarget.Colour(red: 0x4A, green: 0x4A, blue: 0x4A)
        }
    }
}
