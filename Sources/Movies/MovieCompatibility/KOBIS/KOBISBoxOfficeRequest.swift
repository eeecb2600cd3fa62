import HTTPSemantics
import MovieDomain

/// The parameters of KOBIS' box offices.
struct KOBISBoxOfficeRequest: Hashable, Sendable {
    /// Maximum and default number of rows.
    private static let rows = 10

    let period: BoxOfficePeriod
    let filter: BoxOfficeFilter
    let count: Int

    /// - Parameter isDaily: Selects the box office of a day; otherwise `weekGb` selects the days of the week.
    init(_ request: CompatibleRequest, isDaily: Bool) throws(KOBISFault) {
        guard let text = request["targetDt"] else { throw .missing("날짜는", "targetDt") }
        guard let day = Self.day(text) else { throw .date(text) }
        self.period = BoxOfficePeriod(isDaily ? nil : try Self.span(request["weekGb"]), around: day)
        self.count = try Self.number(request, "itemPerPage", in: 1...Self.rows) ?? Self.rows
        var filter = BoxOfficeFilter()
        filter.area = request["wideAreaCd"].flatMap { BoxOfficeArea($0) }
        switch request["repNationCd"] {
        case "K"?: filter.origin = .korean
        case "F"?: filter.origin = .foreign
        default: break
        }
        switch request["multiMovieYn"] {
        case "Y"?: filter.films = .diversity
        case "N"?: filter.films = .commercial
        default: break
        }
        self.filter = filter
    }

    /// Reads `YYYYMMDD`.
    static func day(_ text: String) -> CalendarDate? {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return CalendarDate("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))")
    }

    private static func span(_ text: String?) throws(KOBISFault) -> BoxOfficePeriod.Span {
        switch text {
        case "0"?: return .week
        case nil, "1"?: return .weekend
        case "2"?: return .weekdays
        case let text?: throw .span(text)
        }
    }

    /// A number, limited to the range's upper bound; `nil` if the parameter is absent.
    static func number(
        _ request: CompatibleRequest, _ name: String, in range: ClosedRange<Int>
    ) throws(KOBISFault) -> Int? {
        guard let text = request[name] else { return nil }
        guard let number = QueryParameters.number(text), number >= range.lowerBound else { throw .number(name, text) }
        return min(number, range.upperBound)
    }
}

extension KOBISBoxOfficeRequest {
    /// Freshness lifetimes of final figures, and of figures that may be revised.
    private static let lifetimes = (settled: Duration.seconds(7 * 86_400), unsettled: Duration.seconds(3600))

    /// The request to KOBIS, equal to the one for this server's own box office: they share a stored response.
    func upstream(now: Instant) -> DocumentRequest {
        var query = [(name: "targetDt", value: Self.digits(self.period.from)), ("itemPerPage", "\(Self.rows)")]
        if let code = self.filter.area?.code { query.append(("wideAreaCd", code)) }
        if let origin = self.filter.origin { query.append(("repNationCd", origin == .korean ? "K" : "F")) }
        if let films = self.filter.films { query.append(("multiMovieYn", films == .diversity ? "Y" : "N")) }
        if let number = self.period.span?.number { query.append(("weekGb", number)) }
        let isSettled = self.period.to.dayNumber < now.dateInSeoul.dayNumber - 1
        return DocumentRequest(
            "/boxoffice/search\(self.period.span == nil ? "Daily" : "Weekly")BoxOfficeList.json", query: query,
            lifetime: isSettled ? Self.lifetimes.settled : Self.lifetimes.unsettled,
            settledAt: self.period.to.adding(days: 1).startInSeoul)
    }

    /// `YYYYMMDD`
    static func digits(_ date: CalendarDate) -> String { date.description.filter { $0 != "-" } }
}

extension BoxOfficePeriod.Span {
    /// KOBIS' `weekGb`.
    fileprivate var number: String {
        switch self {
        case .week: "0"
        case .weekend: "1"
        case .weekdays: "2"
        }
    }
}
