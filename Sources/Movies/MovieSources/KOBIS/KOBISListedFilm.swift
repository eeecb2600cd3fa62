import MovieDomain
import UpstreamClient

/// A film as KOBIS's search tells of it.
struct KOBISListedFilm: Hashable, Sendable {
    let id: MovieID
    let title: KOBISFilm.Name
    let productionYear: Int?
    /// In Korea.
    let openingDate: TolerantDate?
    /// `개봉` once it was shown.
    let status: String?
    let nations: [String]
    let genres: [String]
    let directors: [String]

    /// The films of a page of the search.
    ///
    /// - Throws: ``UnreadableAnswer``.
    static func films(in body: [UInt8]) throws(UnreadableAnswer) -> [KOBISListedFilm] {
        guard let result = try TolerantJSON.object(body).object("movieListResult") else {
            throw UnreadableAnswer(reason: "has no movieListResult")
        }
        return result.rows("movieList").compactMap(KOBISListedFilm.init(row:))
    }

    private init?(row: TolerantObject) {
        guard let id = row.text("movieCd").flatMap({ MovieID(source: .kobis, key: $0) }),
            let title = KOBISFilm.Name(row, korean: "movieNm", english: "movieNmEn")
        else { return nil }
        self.id = id
        self.title = title
        self.productionYear = row.integer("prdtYear")
        self.openingDate = row.date("openDt")
        self.status = row.text("prdtStatNm")
        self.nations = PlainText.parts(of: row.text("nationAlt") ?? row.text("repNationNm"), separator: ",")
        self.genres = PlainText.parts(of: row.text("genreAlt") ?? row.text("repGenreNm"), separator: ",")
        self.directors = row.rows("directors").compactMap { $0.text("peopleNm") }
    }

    /// Whether it was made or opened in a year, or in the one before or after; any film is of none.
    func isOf(_ year: Int?) -> Bool {
        guard let year else { return true }
        let years = [self.productionYear, self.openingDate?.year].compactMap { $0 }
        return years.isEmpty || years.contains { abs($0 - year) <= 1 }
    }

    func summary(in language: LanguagePreference) -> MovieSummary? {
        let original: Language? = self.nations.first == "한국" ? .korean : nil
        return MovieSummary(
            id: self.id, title: self.title.text(in: language, original: original),
            originalTitle: original == .korean ? self.title.korean : self.title.english, originalLanguage: original,
            releaseDate: self.openingDate?.date, year: self.openingDate?.year ?? self.productionYear,
            genres: self.genres.map { Genre(id: $0, name: $0) }, directors: self.directors)
    }
}
