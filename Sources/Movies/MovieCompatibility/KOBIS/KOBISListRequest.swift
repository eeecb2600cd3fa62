import HTTPSemantics
import MovieDomain

/// The parameters of KOBIS' list of films.
struct KOBISListRequest: Hashable, Sendable {
    private static let sizes = 1...100
    private static let pages = 1...10_000
    /// The number of films after which no more pages of the catalogue are read to filter them.
    static let filmLimit = 200
    private static let korea = "22041011"

    /// From 1.
    let page: Int
    let size: Int
    /// Empty for any.
    let title, director: String
    /// Years of opening and of production; `nil` for any.
    let opened, made: ClosedRange<Int>?
    /// The country of production by KOBIS' code: Korea, or any other.
    let origin: BoxOfficeFilter.Origin?

    init(_ request: CompatibleRequest) throws(KOBISFault) {
        self.page = try KOBISBoxOfficeRequest.number(request, "curPage", in: Self.pages) ?? 1
        self.size = try KOBISBoxOfficeRequest.number(request, "itemPerPage", in: Self.sizes) ?? 10
        self.title = request["movieNm"] ?? ""
        self.director = request["directorNm"] ?? ""
        self.opened = try Self.years(request, "openStartDt", "openEndDt")
        self.made = try Self.years(request, "prdtStartYear", "prdtEndYear")
        self.origin = request["repNationCd"].map { $0 == Self.korea ? .korean : .foreign }
    }

    private static func years(
        _ request: CompatibleRequest, _ first: String, _ last: String
    ) throws(KOBISFault) -> ClosedRange<Int>? {
        let from = try KOBISBoxOfficeRequest.number(request, first, in: 0...9999)
        let to = try KOBISBoxOfficeRequest.number(request, last, in: 0...9999)
        guard from != nil || to != nil else { return nil }
        let start = from ?? 0
        return start...max(start, to ?? 9999)
    }

    /// Whether a row of the catalogue passes the filters. Its original language represents the country.
    func matches(_ film: MovieSummary) -> Bool {
        guard self.director.isEmpty || film.directors.contains(where: { $0.contains(self.director) }) else {
            return false
        }
        for years in [self.opened, self.made].compactMap({ $0 }) {
            guard let year = film.year, years.contains(year) else { return false }
        }
        guard let origin else { return true }
        return (origin == .korean) == (film.originalLanguage == .korean)
    }

    /// Whether there is a filter besides the title.
    var isFiltered: Bool {
        !self.director.isEmpty || self.opened != nil || self.made != nil || self.origin != nil
    }

    /// The request to KOBIS, with the parameters that it supports.
    ///
    /// - Parameter request: The request from which this value was parsed.
    func upstream(_ request: CompatibleRequest) -> DocumentRequest {
        var parameters = request.parameters.filter { !$0.value.isEmpty }
        if parameters["curPage"] != nil { parameters["curPage"] = String(self.page) }
        if parameters["itemPerPage"] != nil { parameters["itemPerPage"] = String(self.size) }
        let names = [
            "curPage", "itemPerPage", "movieNm", "directorNm", "openStartDt", "openEndDt", "prdtStartYear",
            "prdtEndYear", "repNationCd", "movieTypeCd",
        ]
        return DocumentRequest(
            "/movie/searchMovieList.json",
            query: names.compactMap { name in parameters[name].map { (name: name, value: $0) } },
            lifetime: .seconds(3600))
    }
}

/// A list of films in KOBIS' format: all values are texts, except for the number of films.
struct KOBISListDocument {
    /// In Korean.
    let films: [Movie]
    /// The number of films on all pages.
    let total: Int

    func document(code: (MovieID) -> String) -> OrderedJSON {
        let rows = self.films.map { Self.row($0, code: code($0.id)) }
        return [
            "movieListResult": [
                "totCnt": .integer(self.total), "source": .string(KOBISFilmDocument.source), "movieList": .array(rows),
            ]
        ]
    }

    private static func row(_ film: Movie, code: String) -> OrderedJSON {
        let nations = film.countries.map { KOBISWords.name(of: $0) } + film.otherCountries
        let genres = KOBISFilmDocument.genres(of: film)
        let opening = KOBISFilmDocument.opening(of: film).map { KOBISBoxOfficeRequest.digits($0) } ?? ""
        let original = film.summary.originalTitle
        let texts: [(String, String)] = [
            ("movieCd", code), ("movieNm", film.summary.title),
            ("movieNmEn", original == film.summary.title ? "" : original),
            ("prdtYear", KOBISFilmDocument.productionYear(of: film)), ("openDt", opening),
            ("typeNm", KOBISFilmDocument.usualType), ("prdtStatNm", KOBISFilmDocument.status(of: film)),
            ("nationAlt", nations.joined(separator: ",")), ("genreAlt", genres.joined(separator: ",")),
            ("repNationNm", nations.first ?? ""), ("repGenreNm", genres.first ?? ""),
        ]
        let directors = film.directors.map { name -> OrderedJSON in ["peopleNm": .string(name)] }
        return .object(
            texts.map { OrderedJSON.Member($0.0, .string($0.1)) }
                + [OrderedJSON.Member("directors", .array(directors)), OrderedJSON.Member("companys", [])])
    }
}
