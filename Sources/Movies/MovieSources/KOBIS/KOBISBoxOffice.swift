import BoundedCache
package import MovieDomain
package import UpstreamClient

/// The box office of Korea.
package struct KOBISBoxOffice: BoxOfficeRepository {
    /// The freshness lifetime of final figures in seconds.
    private static let settledLifetime = 7 * 86_400
    /// The freshness lifetime of yesterday's and later figures in seconds: KOBIS revises them until the next morning.
    private static let unsettledLifetime = 3600

    private let client: UpstreamClient
    private let area: BoxOfficeArea?
    private let listed: KOBISListedFilms

    package var source: MovieSource { .kobis }
    /// 2003-11-11.
    package var firstDay: CalendarDate { CalendarDate(dayNumber: 12_367) }

    package var filters: Set<BoxOfficeFilter.Field> { Set(BoxOfficeFilter.Field.allCases) }

    /// - Parameters:
    ///   - area: The default area of requests without one; `nil` for all of Korea.
    ///   - listed: Records the films of every returned box office.
    package init(
        _ client: UpstreamClient, area: BoxOfficeArea? = nil, listed: KOBISListedFilms = KOBISListedFilms()
    ) {
        self.client = client
        self.area = area
        self.listed = listed
    }

    /// Titles are always Korean.
    package func boxOffice(
        of period: BoxOfficePeriod, matching filter: BoxOfficeFilter, language: LanguagePreference
    ) async throws -> BoxOffice {
        var filter = filter
        filter.area = (filter.area ?? self.area).flatMap { $0 == .all ? nil : $0 }
        let entries = try await self.client.get(self.request(for: period, filter)) { answer in
            try KOBISBoxOfficeResponse.entries(in: answer.body)
        }
        self.listed.note(entries ?? [])
        return BoxOffice(source: .kobis, period: period, filter: filter, entries: entries ?? [])
    }

    private func request(for period: BoxOfficePeriod, _ filter: BoxOfficeFilter) -> UpstreamRequest {
        let day = period.from.description.filter { $0 != "-" }
        var query = [(name: "targetDt", value: day), ("itemPerPage", "10")]
        if let code = filter.area?.code { query.append(("wideAreaCd", code)) }
        if let origin = filter.origin { query.append(("repNationCd", origin == .korean ? "K" : "F")) }
        if let films = filter.films { query.append(("multiMovieYn", films == .diversity ? "Y" : "N")) }
        if let span = period.span { query.append(("weekGb", Self.number(of: span))) }
        let list = period.span == nil ? "Daily" : "Weekly"
        // Figures from before the period's end are partial.
        return UpstreamRequest(
            "/boxoffice/search\(list)BoxOfficeList.json", query: query, lifetime: self.lifetime(of: period),
            settledAt: period.to.adding(days: 1).startInSeoul)
    }

    private static func number(of span: BoxOfficePeriod.Span) -> String {
        switch span {
        case .week: "0"
        case .weekend: "1"
        case .weekdays: "2"
        }
    }

    /// The freshness lifetime, which depends on whether the period ended before yesterday in Korea.
    private func lifetime(of period: BoxOfficePeriod) -> Duration {
        let today = self.client.now().dateInSeoul
        let isSettled = period.to.dayNumber < today.dayNumber - 1
        return .seconds(isSettled ? Self.settledLifetime : Self.unsettledLifetime)
    }
}

/// A box office response of KOBIS.
enum KOBISBoxOfficeResponse {
    /// The size limit of a response that may be empty, in bytes.
    private static let maxEmptyByteCount = 2048

    /// Whether the response is a box office without films.
    static func isEmpty(_ body: [UInt8]) -> Bool {
        guard body.count <= Self.maxEmptyByteCount, let object = try? TolerantJSON.object(body),
            object.object("boxOfficeResult") != nil
        else { return false }
        return (try? Self.entries(in: body))?.isEmpty ?? false
    }

    private static let limit = 10

    /// The entries by rank, without duplicate films. Rows without a rank, a title or a code are dropped.
    static func entries(in body: [UInt8]) throws(UnreadableResponse) -> [BoxOfficeEntry] {
        guard let result = try TolerantJSON.object(body).object("boxOfficeResult") else {
            throw UnreadableResponse(reason: "has no box office")
        }
        let names = ["dailyBoxOfficeList", "weeklyBoxOfficeList"]
        let rows = names.map { result.rows($0) }.first { !$0.isEmpty } ?? []
        let entries = rows.compactMap(BoxOfficeEntry.init(kobis:))
        guard entries.isEmpty == rows.isEmpty else { throw UnreadableResponse(reason: "has no readable entry") }
        var films: Set<MovieID> = []
        return Array(
            entries.sorted { $0.rank < $1.rank }.filter { films.insert($0.movieID).inserted }.prefix(Self.limit))
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

/// Caches titles and opening days from recent box offices, to search for posters at other sources without a request to
/// KOBIS for each film.
package final class KOBISListedFilms: Sendable {
    /// The maximal number of films, of about 300 bytes each.
    private static let limit = 4096

    private let terms = BoundedCache<MovieID, PosterSearchTerms>(countLimit: KOBISListedFilms.limit)

    package init() {}

    /// Records films. Films without an opening day are skipped: a title alone is not enough.
    func note(_ entries: [BoxOfficeEntry]) {
        for entry in entries {
            guard let opening = entry.releaseDate,
                let terms = PosterSearchTerms(listed: entry.movieID, title: entry.title, opening: opening)
            else { continue }
            self.terms.insert(terms, for: entry.movieID)
        }
    }

    /// The search terms of a film; `nil` if no recent box office contains it. Without I/O.
    package func terms(for id: MovieID) -> PosterSearchTerms? { self.terms.value(for: id) }
}
