import OpenAPI
import PosterCodec

extension APIParameter {
    /// The parameters of scores and texts drawn on a poster.
    static let badges: [APIParameter] = [
        .query(
            "badges",
            .string(pattern: "^\(Self.badgeSource)(,\(Self.badgeSource)){0,\(Badges.limit - 1)}$").example("tmdb,imdb"),
            "Scores to draw, in this order, each source once: imdb, rt (critics of Rotten Tomatoes), popcorn (its audience), "
                + "metacritic, trakt, letterboxd, mal (MyAnimeList), tmdb, sample (the embedded catalogue's invented "
                + "scores). Unknown scores are left out. Only for films."),
        .query(
            "text", .string(1...Badges.Badge.maxTextLength).example("4K"),
            "A text, drawn as the first of at most \(Badges.limit) badges. Requires a signature unless the server has "
                + "--badge-text."),
        .query(
            "badge-position", .choice(Badges.Position.allCases.map(\.rawValue)).by(default: "bottom"),
            "The edge or corner with the badges."),
        .query(
            "badge-style", .choice(Badges.Style.allCases.map(\.rawValue)).by(default: "pill"),
            "pill and square: a box for each badge; bar: one box for all."),
        .query(
            "badge-colours", .choice(BadgeColours.allCases.map(\.rawValue)).by(default: "value"),
            "value: from red to green by the score; source: a colour for each source."),
    ]

    private static let badgeSource = "(\(BadgeSource.allCases.map(\.rawValue).joined(separator: "|")))"
}
