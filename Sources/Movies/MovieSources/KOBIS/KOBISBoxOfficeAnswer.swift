import MovieDomain
import UpstreamClient

/// What KOBIS answers about the days of a box office.
enum KOBISBoxOfficeAnswer {
    /// The largest answer that may be empty, in bytes.
    private static let maxEmptyByteCount = 2048

    /// Whether it is a box office without a film.
    static func isEmpty(_ body: [UInt8]) -> Bool {
        guard body.count <= Self.maxEmptyByteCount, let object = try? TolerantJSON.object(body),
            object.object("boxOfficeResult") != nil
        else { return false }
        return (try? Self.entries(in: body))?.isEmpty ?? false
    }

    /// By rank. Rows without a rank, a title or a code are left out.
    ///
    /// - Throws: ``UnreadableAnswer``.
    static func entries(in body: [UInt8]) throws(UnreadableAnswer) -> [BoxOfficeEntry] {
        guard let result = try TolerantJSON.object(body).object("boxOfficeResult") else {
            throw UnreadableAnswer(reason: "has no box office")
        }
        let names = ["dailyBoxOfficeList", "weeklyBoxOfficeList"]
        let rows = names.map { result.rows($0) }.first { !$0.isEmpty } ?? []
        let entries = rows.compactMap(BoxOfficeEntry.init(kobis:))
        guard entries.isEmpty == rows.isEmpty else { throw UnreadableAnswer(reason: "has no readable entry") }
        return Array(entries.sorted { $0.rank < $1.rank }.prefix(10))
    }
}

extension BoxOfficeEntry {
    fileprivate init?(kobis row: TolerantObject) {
        guard let rank = row.integer("rank"), rank > 0, let title = row.plainText("movieNm"),
            let id = row.text("movieCd").flatMap({ MovieID(source: .kobis, key: $0) })
        else { return nil }
        let isNew = row.text("rankOldAndNew")?.uppercased() == "NEW"
        self.init(
            rank: rank, rankChange: isNew ? 0 : row.integer("rankInten") ?? 0, isNew: isNew, movieID: id, title: title,
            releaseDate: row.date("openDt")?.date,
            audience: Figure(
                value: row.integer("audiCnt") ?? 0, change: row.integer("audiInten"),
                changePercent: row.number("audiChange"), total: row.integer("audiAcc") ?? 0),
            sales: Figure(
                value: row.integer("salesAmt") ?? 0, change: row.integer("salesInten"),
                changePercent: row.number("salesChange"), total: row.integer("salesAcc") ?? 0),
            salesShare: row.number("salesShare"), screens: row.integer("scrnCnt") ?? 0,
            showings: row.integer("showCnt") ?? 0)
    }
}
