import MovieDomain
import UpstreamClient

/// A film of OMDb, in English.
struct OMDbFilm: Hashable, Sendable {
    let id: MovieID
    let title: String
    let year: Int?
    let releaseDate: TolerantDate?
    let rated: String?
    let runtimeMinutes: Int?
    let genres: [String]
    let directors: [String]
    let writers: [String]
    let actors: [String]
    let plot: String
    let countries: [String]
    let poster: String?
    let scores: [ExternalScore]
    let score: AudienceScore?
    let homepage: String?
    /// Names and values of what else is known.
    let information: [InformationItem]
    /// `movie`, `series`, `episode` or `game`; nil when unknown.
    let type: String?

    static func film(in body: [UInt8]) throws(UnreadableResponse) -> OMDbFilm? {
        let answer = try TolerantJSON.object(body)
        guard answer.has("Title") || answer.has("Response") else { throw UnreadableResponse(reason: "has no Response") }
        return OMDbFilm(answer)
    }

    /// - Returns: nil without an id or a title.
    private init?(_ row: TolerantObject) {
        guard let id = row.text("imdbID").flatMap({ MovieID(source: .omdb, key: $0) }),
            let title = row.plainText("Title")
        else { return nil }
        let list = { (name: String) in PlainText.parts(of: row.plainText(name), separator: ",") }
        self.id = id
        self.title = title
        self.releaseDate = row.date("Released")
        self.year = row.text("Year").flatMap(TolerantDate.year) ?? self.releaseDate?.year
        self.rated = row.text("Rated")
        self.runtimeMinutes = Self.minutes(row.text("Runtime"))
        self.genres = list("Genre")
        self.directors = list("Director")
        self.writers = list("Writer")
        self.actors = list("Actors")
        self.plot = row.plainText("Plot") ?? ""
        self.countries = list("Country")
        self.poster = row.text("Poster").flatMap { WebURL.isValid($0) ? Self.fullSize($0) : nil }
        self.scores = Self.scores(row)
        self.score = row.number("imdbRating").flatMap {
            AudienceScore(average: $0, count: row.integer("imdbVotes") ?? 0)
        }
        self.homepage = WebURL.valid(row.text("Website"))
        self.type = row.text("Type")?.lowercased()
        let others = [
            ("writers", "Writer"), ("languages", "Language"), ("awards", "Awards"), ("boxOffice", "BoxOffice"),
            ("production", "Production"), ("discRelease", "DVD"), ("seasons", "totalSeasons"),
        ]
        self.information = others.compactMap { name, member in
            row.plainText(member).map { InformationItem(name: name, value: $0) }
        }
    }

    /// `156 min`, or `2 h 36 min`.
    static func minutes(_ text: String?) -> Int? {
        var total = 0
        var number: Int?
        for word in (text ?? "").lowercased().split(separator: " ") {
            let digits = word.prefix { ("0"..."9").contains($0) || $0 == "," }.filter { $0 != "," }
            let unit = word.drop { ("0"..."9").contains($0) || $0 == "," }
            if let read = Int(digits) { number = read }
            guard let read = number, read < 10_000 else { continue }
            if unit.hasPrefix("h") { (total, number) = (total + read * 60, nil) }
            if unit.hasPrefix("m") { (total, number) = (total + read, nil) }
        }
        return total > 0 ? total : number.flatMap { $0 > 0 && $0 < 10_000 ? $0 : nil }
    }

    /// Amazon's pictures say the size in their names, `…._V1_SX300.jpg`; without it they are as large as they come.
    static func fullSize(_ url: String) -> String {
        guard url.hasPrefix("https://m.media-amazon.com/images/"), let mark = url.firstRange(of: "._V1_"),
            let dot = url.lastIndex(of: "."), mark.upperBound <= dot
        else { return url }
        return "\(url[..<mark.upperBound])\(url[dot...])"
    }

    private static func scores(_ row: TolerantObject) -> [ExternalScore] {
        var scores = row.rows("Ratings").compactMap { rating -> ExternalScore? in
            guard let name = rating.text("Source"), let value = rating.text("Value") else { return nil }
            return ExternalScore(name: name, value: value)
        }
        let add = { (name: String, value: String?) in
            guard let value, !scores.contains(where: { $0.name == name }) else { return }
            scores.append(ExternalScore(name: name, value: value))
        }
        add("Internet Movie Database", row.text("imdbRating").map { "\($0)/10" })
        add("Metacritic", row.text("Metascore").map { "\($0)/100" })
        return scores
    }
}

extension OMDbFilm {
    var supplement: MovieSupplement {
        MovieSupplement(
            scores: self.scores, certificate: self.rated, plot: self.plot, actors: self.actors,
            runtimeMinutes: self.runtimeMinutes, information: self.information)
    }

    /// nil for what is no film, such as a series.
    var movie: Movie? {
        guard self.type == nil || self.type == "movie",
            let summary = MovieSummary(
                id: self.id, title: self.title, overview: self.plot, releaseDate: self.releaseDate?.date,
                year: self.year, genres: self.genres.map { Genre(id: $0, name: $0) }, directors: self.directors,
                cast: Array(self.actors.prefix(3)), score: self.score,
                poster: self.poster.map { PosterReference(.web(url: $0)) })
        else { return nil }
        return Movie(
            summary: summary, runtimeMinutes: self.runtimeMinutes, countries: self.countries, certificate: self.rated,
            credits: self.credits, homepage: self.homepage, imdbID: self.id.key, otherScores: self.scores,
            information: self.information)
    }

    var credits: Credits {
        Credits(
            cast: self.actors.map { Credits.CastMember(name: $0, role: "") },
            crew: self.directors.map { Credits.CrewMember(name: $0, job: "Director") }
                + self.writers.map { Credits.CrewMember(name: $0, job: "Writer") })
    }
}
