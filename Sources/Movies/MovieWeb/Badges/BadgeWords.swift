/// The names of badges' values in the interface's language. A value without one has its name in URLs.
struct BadgeWords: Sendable {
    /// Names of sites, the same in all languages.
    private static let sites = [
        "imdb": "IMDb", "metacritic": "Metacritic", "trakt": "Trakt", "letterboxd": "Letterboxd", "mal": "MyAnimeList",
        "tmdb": "TMDB",
    ]
    /// The keys of texts about other sources.
    private static let sources = [
        "": "badgesNone", "rt": "badgesCritics", "popcorn": "badgesAudience", "sample": "badgesSample",
    ]
    /// The keys of texts about positions, styles and colours.
    private static let values = [
        "bottom": "badgesBottom", "top": "badgesTop", "left": "badgesLeft", "right": "badgesRight",
        "top-left": "badgesTopLeft", "top-right": "badgesTopRight", "bottom-left": "badgesBottomLeft",
        "bottom-right": "badgesBottomRight", "pill": "badgesPill", "square": "badgesSquare", "bar": "badgesBar",
        "value": "badgesByScore", "source": "badgesBySource",
    ]

    let formats: PageFormats

    init(_ formats: PageFormats) {
        self.formats = formats
    }

    func source(_ name: String) -> String {
        Self.sites[name] ?? Self.sources[name].map { self.formats($0) } ?? name
    }

    func value(_ name: String) -> String { Self.values[name].map { self.formats($0) } ?? name }
}
