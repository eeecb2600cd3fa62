import MovieDomain
import UpstreamClient

/// A film of OMDb in English, as a film and as facts about films of other sources.
struct OMDbFilm: Sendable {
    let id: MovieID
    /// `nil` if the title is not a film, such as a series.
    let movie: Movie?
    let supplement: MovieSupplement

    static func film(in body: [UInt8]) throws(UnreadableResponse) -> OMDbFilm? {
        let answer = try TolerantJSON.object(body)
        guard answer.has("Title") || answer.has("Response") else { throw UnreadableResponse(reason: "has no Response") }
        return OMDbFilm(answer)
    }

    private static let facts: [(name: InformationName, member: String)] = [
        (.writers, "Writer"), (.spokenLanguages, "Language"), (.awards, "Awards"), (.boxOffice, "BoxOffice"),
        (.productionCompanies, "Production"), (.discRelease, "DVD"), (.seasons, "totalSeasons"),
    ]

    private static let language = LanguagePreference([.english])

    /// - Returns: `nil` if the row has no id or no title.
    private init?(_ row: TolerantObject) {
        guard let id = row.text("imdbID").flatMap({ MovieID(source: .omdb, key: $0) }),
            let title = row.plainText("Title")
        else { return nil }
        let list = { (name: String) in PlainText.parts(of: row.plainText(name), separator: ",") }
        let directors = list("Director")
        let facts = MovieSupplement(
            scores: Self.scores(row), certificate: row.text("Rated").flatMap { Certificate($0, in: .unitedStates) },
            plot: row.plainText("Plot") ?? "",
            actors: list("Actors"), runtimeMinutes: Self.minutes(row.text("Runtime")),
            information: InformationItem.items(Self.facts.map { name, member in (name, row.plainText(member)) }))
        let releaseDate = row.date("Released")
        let poster = WebURL.valid(row.text("Poster")).map { PosterReference(.web(url: Self.fullSize($0))) }
        let summary = MovieSummary(
            id: id, title: title, overview: facts.plot, releaseDate: releaseDate?.date,
            year: row.text("Year").flatMap(TolerantDate.year) ?? releaseDate?.year,
            genres: Genre.reading(list("Genre"), in: Self.language), directors: directors,
            cast: Array(facts.actors.prefix(3)),
            score: AudienceScore(average: row.number("imdbRating"), count: row.integer("imdbVotes")),
            poster: poster)
        let credits = Credits(
            cast: facts.actors.map { Credits.CastMember(name: $0, role: "") },
            crew: directors.map { .director($0) }
                + list("Writer").map { Credits.CrewMember(name: $0, sourceJob: "Writer") })
        let (countries, otherCountries) = Country.reading(list("Country"))
        let isFilm = (row.text("Type") ?? "movie").lowercased() == "movie"
        self.id = id
        self.supplement = facts
        self.movie = summary.flatMap { summary in
            guard isFilm else { return nil }
            return Movie(
                summary: summary, runtimeMinutes: facts.runtimeMinutes, countries: countries,
                otherCountries: otherCountries,
                certificate: facts.certificate, credits: credits, homepage: WebURL.valid(row.text("Website")),
                imdbID: id.key, otherScores: facts.scores, information: facts.information)
        }
    }

    /// Parses `156 min` or `2 h 36 min`.
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

    /// Removes the size from the names of Amazon's pictures, `…._V1_SX300.jpg`, which yields the largest size.
    static func fullSize(_ url: String) -> String {
        guard url.hasPrefix("https://m.media-amazon.com/images/"), let mark = url.firstRange(of: "._V1_"),
            let dot = url.lastIndex(of: "."), mark.upperBound <= dot
        else { return url }
        return "\(url[..<mark.upperBound])\(url[dot...])"
    }

    private static func scores(_ row: TolerantObject) -> [ExternalScore] {
        var scores = row.rows("Ratings", limit: ExternalScore.limit).compactMap { rating -> ExternalScore? in
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
