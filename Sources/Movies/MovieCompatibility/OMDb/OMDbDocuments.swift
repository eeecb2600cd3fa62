import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// Films in OMDb's format: values are texts, `N/A` if unknown.
struct OMDbDocuments: Sendable {
    /// The width of posters, in pixels.
    private static let posterWidth = 300
    private static let actorLimit = 4
    private static let unknown = "N/A"
    private static let english = LanguagePreference([.english])
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    let posters: FilmPictures
    let absolute: @Sendable (_ target: String) -> String

    /// - Parameters:
    ///   - movie: In English.
    ///   - id: An IMDb id.
    func film(_ movie: Movie, id: String, hasFullPlot: Bool) throws(Problem) -> OrderedJSON {
        let film = movie.summary
        let score = film.score.map { Self.tenths($0.average) }
        let writers = movie.credits.crew.filter { $0.department == .writing }.map(\.name)
        let language = film.originalLanguage.map { TMDBLanguages.names($0).english }
        let texts: [(name: String, text: String?)] = [
            ("Title", film.title), ("Year", film.year.map { String($0) }), ("Rated", movie.certificate?.rating),
            ("Released", film.releaseDate.map { Self.text(of: $0) }),
            ("Runtime", movie.runtimeMinutes.map { "\($0) min" }), ("Genre", Self.list(film.genres.map(\.name))),
            ("Director", Self.list(film.directors)), ("Writer", Self.list(writers)),
            ("Actors", Self.list(movie.credits.cast.prefix(Self.actorLimit).map(\.name))),
            ("Plot", hasFullPlot ? film.overview : Self.firstSentence(of: film.overview)), ("Language", language),
            ("Country", Self.list(movie.countries.map { $0.name(in: Self.english) } + movie.otherCountries)),
            ("Awards", nil), ("Poster", try self.poster(of: film)),
        ]
        let others: [(name: String, text: String?)] = [
            ("Metascore", nil), ("imdbRating", score), ("imdbVotes", film.score.map { Self.grouped($0.count) }),
            ("imdbID", id), ("Type", OMDbRequest.Kind.movie.rawValue), ("DVD", nil), ("BoxOffice", nil),
            ("Production", nil), ("Website", movie.homepage), ("Response", "True"),
        ]
        let ratings: [OrderedJSON] =
            score.map { score in
                [["Source": "Internet Movie Database", "Value": .string("\(score)/10")]]
            } ?? []
        return .object(
            Self.members(texts) + [OrderedJSON.Member("Ratings", .array(ratings))] + Self.members(others))
    }

    /// - Parameter id: An IMDb id.
    func row(_ film: MovieSummary, id: String) throws(Problem) -> OrderedJSON {
        .object(
            Self.members([
                ("Title", film.title), ("Year", film.year.map { String($0) }), ("imdbID", id),
                ("Type", OMDbRequest.Kind.movie.rawValue), ("Poster", try self.poster(of: film)),
            ]))
    }

    static func results(_ rows: [OrderedJSON], total: Int) -> OrderedJSON {
        ["Search": .array(rows), "totalResults": .string("\(total)"), "Response": "True"]
    }

    /// OMDb's document with this server's posters; only films have them.
    func rewritten(_ document: OrderedJSON) throws(Problem) -> OrderedJSON {
        var rows: [OrderedJSON] = []
        for row in document["Search"]?.elements ?? [] { rows.append(try self.rewritten(row: row)) }
        return try self.rewritten(row: document).replacing("Search") { _ in .array(rows) }
    }

    private func rewritten(row: OrderedJSON) throws(Problem) -> OrderedJSON {
        guard row["Type"]?.string == OMDbRequest.Kind.movie.rawValue, let poster = row["Poster"]?.string,
            poster != Self.unknown,
            let id = row["imdbID"]?.string.flatMap({ MovieID(source: .omdb, key: $0) })
        else { return row }
        let url = self.absolute(try self.posters.urls.picture(PictureID(id), width: Self.posterWidth))
        return row.replacing("Poster") { _ in .string(url) }
    }

    private func poster(of film: MovieSummary) throws(Problem) -> String? {
        guard try self.posters.poster(of: film, language: .english) != nil else { return nil }
        let picture = PictureID(film.id, language: .english)
        return self.absolute(try self.posters.urls.picture(picture, width: Self.posterWidth))
    }

    private static func members(_ texts: [(name: String, text: String?)]) -> [OrderedJSON.Member] {
        texts.map { name, text in
            OrderedJSON.Member(name, .string(text.flatMap { $0.isEmpty ? nil : $0 } ?? Self.unknown))
        }
    }

    private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

    /// `04 Mar 1922`
    private static func text(of date: CalendarDate) -> String {
        "\(date.day < 10 ? "0" : "")\(date.day) \(Self.months[date.month - 1]) \(date.year)"
    }

    /// `7.9`
    private static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `331,763`
    private static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.enumerated().map { place, digit in
            place > 0 && (digits.count - place) % 3 == 0 ? ",\(digit)" : String(digit)
        }.joined()
    }

    /// The text up to the first full stop that a space follows.
    private static func firstSentence(of text: String) -> String {
        text.firstRange(of: ". ").map { String(text[..<$0.lowerBound]) + "." } ?? text
    }
}
