import MovieDomain
import UpstreamClient

/// A film in KMDb's search results.
struct KMDbFilm: Hashable, Sendable {
    struct Worker: Hashable, Sendable {
        let name: BilingualText
        /// The job in Korean, such as `출연` or `각본`.
        let group: String
        /// An actor's role; may be empty.
        let role: String
    }

    let id: MovieID
    /// Titles by language code.
    let titles: [String: String]
    let originalTitle: String
    let productionYear: Int?
    let releaseDate: TolerantDate?
    let directors: [BilingualText]
    let actors: [BilingualText]
    let workers: [Worker]
    let plots: [String: String]
    let nations: [String]
    let genres: [String]
    let company: String?
    let runtimeMinutes: Int?
    let certificate: String?
    let type: String?
    let keywords: [String]
    let awards: [String]
    let url: String?
    let posters: [String]
    let stills: [String]
}

extension KMDbFilm {
    /// The films of a search's results, at most ``ResponseLimits/rows``; `Result` is absent if there are none.
    static func films(in body: [UInt8]) throws(UnreadableResponse) -> [KMDbFilm] {
        let answer = try TolerantJSON.object(body)
        guard answer.has("Data") else { throw UnreadableResponse(reason: "has no Data") }
        var rows: [TolerantObject] = []
        for part in answer.rows("Data") where rows.count < ResponseLimits.rows {
            rows += part.rows("Result", limit: ResponseLimits.rows - rows.count)
        }
        return rows.compactMap(KMDbFilm.init(row:))
    }

    /// Whether a response states that there are no results.
    static func isNone(in body: [UInt8]) -> Bool {
        guard body.count <= 1024, let answer = try? TolerantJSON.object(body), answer.has("Data") else { return false }
        return answer.rows("Data").allSatisfy { $0.rows("Result").isEmpty }
    }

    /// - Returns: `nil` if the row has no id or no title.
    init?(row: TolerantObject) {
        let key = row.text("DOCID") ?? (row.text("movieId") ?? "") + (row.text("movieSeq") ?? "")
        guard let id = MovieID(source: .kmdb, key: key) else { return nil }
        self.id = id
        self.originalTitle = row.plainText("titleOrg") ?? ""
        self.titles = ["ko": row.plainText("title"), "en": row.plainText("titleEng")].compactMapValues { $0 }
        if self.titles.isEmpty && self.originalTitle.isEmpty { return nil }
        self.productionYear = row.text("prodYear").flatMap(TolerantDate.year)
        let ratings = row.object("ratings")?.rows("rating") ?? []
        let main = ratings.first { $0.flag("ratingMain") == true } ?? ratings.first
        self.releaseDate = row.date("repRlsDate") ?? main?.date("releaseDate")
        self.directors = (row.object("directors")?.rows("director", limit: ResponseLimits.credits) ?? []).compactMap {
            BilingualText($0, korean: "directorNm", english: "directorEnNm")
        }
        self.actors = (row.object("actors")?.rows("actor", limit: ResponseLimits.credits) ?? []).compactMap {
            BilingualText($0, korean: "actorNm", english: "actorEnNm")
        }
        self.workers = (row.object("staffs")?.rows("staff", limit: ResponseLimits.credits) ?? []).compactMap { row in
            BilingualText(row, korean: "staffNm", english: "staffEnNm").map {
                Worker(name: $0, group: row.text("staffRoleGroup") ?? "", role: row.plainText("staffRole") ?? "")
            }
        }
        self.plots = Self.plots(in: row.object("plots")?.rows("plot") ?? [])
        self.nations = PlainText.parts(of: row.text("nation"), separator: ",")
        self.genres = PlainText.parts(of: row.text("genre"), separator: ",")
        self.company = row.plainText("company")
        self.runtimeMinutes = row.integer("runtime") ?? main?.integer("runtime")
        self.certificate = row.text("rating") ?? main?.text("ratingGrade")
        self.type = row.text("type")
        self.keywords = PlainText.parts(of: row.plainText("keywords"), separator: ",")
        self.awards = [row.plainText("Awards1"), row.plainText("Awards2")].compactMap { $0 }
        self.url = WebURL.valid(row.text("kmdbUrl"))
        self.posters = KMDbPicture.urls(in: row.text("posters"))
        self.stills = KMDbPicture.urls(in: row.text("stlls"))
    }

    /// The first text of each language.
    private static func plots(in rows: [TolerantObject]) -> [String: String] {
        var plots: [String: String] = [:]
        for row in rows {
            guard let text = row.plainText("plotText") else { continue }
            let code = row.text("plotLang") == "영어" ? "en" : "ko"
            if plots[code] == nil { plots[code] = text }
        }
        return plots
    }
}
