import HTTPServer
import MovieDomain
import OneSheetConfiguration

/// The first line of `serve`: its addresses, the films that it shows, and the options for other films and posters.
struct StartMessage {
    /// Films of the embedded catalogue.
    static let embeddedFilms = 48
    /// Terminals that print the escape sequences of hyperlinks instead of ignoring them.
    private static let plainTerminals: Set = ["", "dumb", "linux"]

    let places: [ListenAddress]
    /// The path of the data directory.
    let directory: String
    /// Whether films come from the embedded catalogue: there is no key of TMDB.
    let isEmbedded: Bool
    /// Whether posters of the operator's own origins are served.
    let hasOrigins: Bool

    init(places: [ListenAddress], directory: String, _ configuration: ServeConfiguration) {
        self.places = places
        self.directory = directory
        self.isEmbedded = configuration.sources.keys[.tmdb] == nil
        self.hasOrigins = !configuration.origins.isEmpty
    }

    /// - Parameter isLinked: Whether addresses are hyperlinks of a terminal (OSC 8).
    func text(isLinked: Bool) -> String {
        let places = self.places.map { isLinked ? Self.link($0) : $0.description }.joined(separator: ", ")
        let directory = TerminalText.escaped(self.directory)
        guard self.isEmbedded else { return "OneSheet serves \(places) and keeps its data in \(directory)" }
        var text = "OneSheet serves \(places) and shows \(Self.embeddedFilms) embedded films, with data in \(directory)"
        text += "; --tmdb-key KEY shows TMDB's films"
        if !self.hasOrigins { text += ", --origin NAME=https://host/{key}.jpg serves your own posters" }
        return text
    }

    /// Whether standard output shows hyperlinks: on a terminal, unless `TERM` or `NO_COLOR` exclude it.
    static func showsLinks(isTerminal: Bool, environment: [String: String]) -> Bool {
        isTerminal && !self.plainTerminals.contains(environment["TERM"] ?? "")
            && environment["NO_COLOR"]?.isEmpty ?? true
    }

    private static func link(_ place: ListenAddress) -> String {
        guard case .port = place.socket else { return place.description }
        return "\u{1B}]8;;\(place)\u{1B}\\\(place)\u{1B}]8;;\u{1B}\\"
    }
}
