/// A member that one of the five apps reads, by its path in the JSON.
struct AppField: Sendable {
    let path: String
    /// Why a response generated from the domain differs there, as in docs/compat.md; `nil` if it has the same value.
    let difference: String?

    private init(_ path: String, _ difference: String? = nil) {
        self.path = path
        self.difference = difference
    }

    /// The members that apps read in a response.
    static func all(of kind: RecordedResponse.Kind) -> [AppField] {
        switch kind {
        case .daily: Self.boxOffice("dailyBoxOfficeList")
        case .weekly: Self.boxOffice("weeklyBoxOfficeList") + [AppField("boxOfficeResult/yearWeekTime")]
        case .film: Self.film
        // No app reads it, and the domain has no list of KOBIS films.
        case .filmList: []
        case .apps: Self.apps
        case .storeFilms: Self.storeFilms
        case .pictures: [AppField("documents/*/image_url", "it leads to this server")]
        case .searchResults: Self.searchResults
        }
    }

    /// BoxOffice2 and BoxOffice-Upgrade.ver.
    private static func boxOffice(_ list: String) -> [AppField] {
        let names = [
            "rnum", "rank", "rankInten", "rankOldAndNew", "movieCd", "movieNm", "openDt", "salesAmt", "salesInten",
            "salesAcc", "audiCnt", "audiInten", "audiAcc", "scrnCnt", "showCnt",
        ]
        let percentages = ["salesShare", "salesChange", "audiChange"]
        return [AppField("boxOfficeResult/boxofficeType"), AppField("boxOfficeResult/showRange")]
            + names.map { AppField("boxOfficeResult/\(list)/*/\($0)") }
            + percentages.map { AppField("boxOfficeResult/\(list)/*/\($0)", "percentages have no .0 at their end") }
    }

    /// BoxOffice2 and BoxOffice-Upgrade.ver.
    private static let film: [AppField] = {
        let names = [
            "movieCd", "movieNm", "movieNmEn", "movieNmOg", "showTm", "prdtYear", "openDt", "prdtStatNm", "typeNm",
            "nations/*/nationNm", "genres/*/genreNm", "directors/*/peopleNm", "directors/*/peopleNmEn",
            "actors/*/peopleNm", "actors/*/peopleNmEn", "actors/*/cast", "audits/*/watchGradeNm",
            "staffs/*/peopleNm", "staffs/*/staffRoleNm",
        ]
        let others = ["showTypes", "companys/*/companyCd", "audits/*/auditNo"]
        return [AppField("movieInfoResult/source")]
            + names.map { AppField("movieInfoResult/movieInfo/\($0)") }
            + others.map { AppField("movieInfoResult/movieInfo/\($0)", "there are no registers") }
    }()

    /// AppStore.
    private static let apps: [AppField] = {
        let names = [
            "trackId", "trackName", "primaryGenreName", "price", "formattedPrice", "userRatingCount",
            "averageUserRating", "contentAdvisoryRating", "fileSizeBytes", "description", "releaseNotes", "version",
            "sellerName", "artistName", "minimumOsVersion",
        ]
        let pictures = ["artworkUrl100", "screenshotUrls"]
        return [AppField("resultCount")] + names.map { AppField("results/*/\($0)") }
            + pictures.map { AppField("results/*/\($0)", "they lead to this server") }
            + [AppField("results/*/languageCodesISO2A", "each language is there once")]
    }()

    /// Read by no app: the members that a list of films shows.
    private static let storeFilms: [AppField] = {
        let names = [
            "wrapperType", "kind", "trackId", "trackName", "trackCensoredName", "artistName", "longDescription",
            "country", "currency",
        ]
        let others = [
            ("artworkUrl100", "they lead to this server"), ("releaseDate", "days have no time"),
            ("primaryGenreName", "genres are the domain's"),
        ]
        return names.map { AppField("results/*/\($0)") } + others.map { AppField("results/*/\($0.0)", $0.1) }
    }()

    /// IAMMovie and BoxOffice2.
    private static let searchResults: [AppField] = {
        let names = ["title", "subtitle", "pubDate", "director", "actor", "userRating"]
        let others = [
            ("lastBuildDate", "it is the time of the response"), ("items/*/link", "it is the film's page here"),
            ("items/*/image", "it leads to this server"),
        ]
        return [AppField("start")] + names.map { AppField("items/*/\($0)") }
            + others.map { AppField($0.0, $0.1) }
    }()
}
