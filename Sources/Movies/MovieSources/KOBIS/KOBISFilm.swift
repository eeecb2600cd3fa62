import MovieDomain
import UpstreamClient

/// A film's details at KOBIS, in Korean and partly in English.
struct KOBISFilm: Hashable, Sendable {
    struct Actor: Hashable, Sendable {
        let name: BilingualText
        let role: BilingualText
    }

    struct Worker: Hashable, Sendable {
        let name: BilingualText
        let job: String
    }

    struct Company: Hashable, Sendable {
        let name: BilingualText
        /// The company's role, in Korean.
        let part: String
    }

    let id: MovieID
    let title: BilingualText
    /// Empty for most films.
    let originalTitle: String
    let runtimeMinutes: Int?
    let productionYear: Int?
    let openingDate: TolerantDate?
    let status: String?
    let type: String?
    let nations: [String]
    let genres: [String]
    let directors: [BilingualText]
    let actors: [Actor]
    let workers: [Worker]
    let companies: [Company]
    /// Formats such as `2D 디지털`.
    let screeningTypes: [String]
    /// The age ratings; the first valid one applies.
    let certificates: [String]
}

extension KOBISFilm {
    /// - Returns: `nil` if the film has no code or title.
    static func film(in body: [UInt8]) throws(UnreadableResponse) -> KOBISFilm? {
        guard let result = try TolerantJSON.object(body).object("movieInfoResult") else {
            throw UnreadableResponse(reason: "has no movieInfoResult")
        }
        return result.object("movieInfo").flatMap(KOBISFilm.init(details:))
    }

    /// Whether a response states that there is no such film, by an empty object or none.
    static func isMissing(in body: [UInt8]) -> Bool {
        guard body.count <= 1024, let result = try? TolerantJSON.object(body).object("movieInfoResult") else {
            return false
        }
        return result.object("movieInfo")?.text("movieCd") == nil
    }

    /// - Returns: `nil` if the film has no code or title.
    private init?(details: TolerantObject) {
        guard let id = details.text("movieCd").flatMap({ MovieID(source: .kobis, key: $0) }),
            let title = BilingualText(details, korean: "movieNm", english: "movieNmEn")
        else { return nil }
        self.id = id
        self.title = title
        self.originalTitle = details.plainText("movieNmOg") ?? ""
        self.runtimeMinutes = details.integer("showTm")
        self.productionYear = details.integer("prdtYear")
        self.openingDate = details.date("openDt")
        self.status = details.text("prdtStatNm")
        self.type = details.text("typeNm")
        self.nations = details.rows("nations").compactMap { $0.text("nationNm") }
        self.genres = details.rows("genres").compactMap { $0.text("genreNm") }
        self.directors = details.rows("directors", limit: ResponseLimits.credits).compactMap(
            BilingualText.init(person:))
        self.actors = details.rows("actors", limit: ResponseLimits.credits).compactMap { row in
            BilingualText(person: row).map {
                Actor(name: $0, role: BilingualText(row, korean: "cast", english: "castEn") ?? .empty)
            }
        }
        self.workers = details.rows("staffs", limit: ResponseLimits.credits).compactMap { row in
            BilingualText(person: row).map { Worker(name: $0, job: row.text("staffRoleNm") ?? "") }
        }
        self.companies = details.rows("companys").compactMap { row in
            BilingualText(row, korean: "companyNm", english: "companyNmEn").map {
                Company(name: $0, part: row.text("companyPartNm") ?? "")
            }
        }
        self.screeningTypes = details.rows("showTypes").compactMap { row in
            let words = [row.text("showTypeGroupNm"), row.text("showTypeNm")].compactMap { $0 }
            return words.isEmpty ? nil : words.uniqued.joined(separator: " ")
        }
        self.certificates = details.rows("audits").compactMap { $0.text("watchGradeNm") }.uniqued
    }
}

extension BilingualText {
    fileprivate init?(person row: TolerantObject) {
        self.init(row, korean: "peopleNm", english: "peopleNmEn")
    }
}
