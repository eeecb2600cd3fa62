import ArgumentParser
import HTTPSemantics
import MovieAPI
import MovieDomain
import OneSheetConfiguration

/// `onesheet movie ID`
struct MovieCommand: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "movie",
        abstract: "Shows the details of a film.",
        discussion: "Films of other sources need their keys. --json prints the response of GET /movies/{id}.")

    private static let proseWidth = 100
    private static let castLimit = 12

    @Argument(
        help: "Such as nosferatu-1922, tmdb:603, kobis:20228555, kmdb:F01071, omdb:tt0133093 or itunes:361309726.")
    var id: String

    @Flag(help: .jsonResult)
    var json = false

    func validate() throws {
        guard MovieID(self.id) != nil else {
            throw ValidationError(
                "'\(TerminalText.escaped(self.id))' is not a film id: use a name such as nosferatu-1922, or "
                    + "SOURCE:KEY such as tmdb:603.")
        }
    }

    func run(_ given: [String: [String]]) async throws {
        guard let id = MovieID(self.id) else { return }
        try await SourceCommand.run(given, isJSON: self.json) { responses in
            do {
                return try await responses.movie(id)
            } catch is UnknownMovie where id.source == .embedded {
                throw Problem(
                    .unknownMovie,
                    "\(id.source.name) has no film '\(id.key)'; 'onesheet search \(id.key)' finds ids")
            }
        } lines: { details, width in
            Self.lines(details.movie, width)
        }
    }

    static func lines(_ movie: Movie, _ width: Int?) -> [String] {
        let summary = movie.summary
        var lines = [TerminalText.escaped(summary.title) + (summary.year.map { " (\($0))" } ?? "")]
        if !movie.tagline.isEmpty { lines.append(TerminalText.escaped(movie.tagline)) }
        var facts = TerminalTable([("", .left), ("", .left)])
        for (name, value) in Self.facts(movie) where !value.isEmpty { facts.add([name, value]) }
        lines += [""] + facts.lines(limit: width).dropFirst()
        if !summary.overview.isEmpty {
            lines += [""] + WrappedText.lines(TerminalText.escaped(summary.overview), width: width ?? Self.proseWidth)
        }
        let cast = movie.credits.cast.prefix(Self.castLimit)
        if !cast.isEmpty {
            var table = TerminalTable([("Cast", .left), ("Role", .left)])
            for member in cast { table.add([member.name, member.role]) }
            lines += [""] + table.lines(limit: width)
        }
        return lines
    }

    private static func facts(_ movie: Movie) -> [(String, String)] {
        let summary = movie.summary
        // Like the labels.
        let english = LanguagePreference([.english])
        let countries = movie.countries.map { $0.name(in: english) } + movie.otherCountries
        let score = summary.score.map { ["\(NumberText.oneDigit($0.average)) of \(NumberText.grouped($0.count))"] }
        return [
            ("ID", summary.id.description),
            ("Original title", summary.originalTitle == summary.title ? "" : summary.originalTitle),
            ("Directors", summary.directors.joined(separator: ", ")),
            ("Genres", summary.genres.map(\.name).joined(separator: ", ")),
            ("Released", summary.releaseDate.map { "\($0)" } ?? ""),
            ("Runtime", movie.runtimeMinutes.map { "\($0) min" } ?? ""),
            ("Countries", countries.joined(separator: ", ")),
            ("Certificate", movie.certificate?.label(in: english) ?? ""),
            (
                "Score",
                ((score ?? []) + movie.otherScores.map { "\($0.name) \($0.value)" }).joined(separator: "; ")
            ),
        ]
    }
}
