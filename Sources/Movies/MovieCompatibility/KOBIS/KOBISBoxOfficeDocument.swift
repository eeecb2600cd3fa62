import MovieDomain

/// A box office in KOBIS' format: numbers are strings.
struct KOBISBoxOfficeDocument {
    private let request: KOBISBoxOfficeRequest

    init(_ request: KOBISBoxOfficeRequest) {
        self.request = request
    }

    private var listName: String { self.request.period.span == nil ? "dailyBoxOfficeList" : "weeklyBoxOfficeList" }

    /// - Parameters:
    ///   - entries: Empty if there are no figures for the days.
    ///   - openings: Opening days that replace the entries' release dates.
    func document(
        _ entries: [BoxOfficeEntry], openings: [MovieID: CalendarDate] = [:], code: (MovieID) -> String
    ) -> OrderedJSON {
        let period = self.request.period
        var members: [OrderedJSON.Member] = [
            .init("boxofficeType", .string("\(Self.name(of: period.span)) 박스오피스")),
            .init(
                "showRange",
                .string(
                    "\(KOBISBoxOfficeRequest.digits(period.from))~\(KOBISBoxOfficeRequest.digits(period.to))")),
        ]
        if let week = period.week {
            members.append(.init("yearWeekTime", .string("\(week.year)\(week.number < 10 ? "0" : "")\(week.number)")))
        }
        let rows = entries.prefix(self.request.count).enumerated().map { place, entry in
            Self.row(
                entry, number: place + 1, code: code(entry.movieID),
                opening: openings[entry.movieID] ?? entry.releaseDate)
        }
        members.append(.init(self.listName, .array(rows)))
        return ["boxOfficeResult": .object(members)]
    }

    /// KOBIS' own document, limited to the requested number of rows.
    func limited(_ document: OrderedJSON) -> OrderedJSON {
        document.replacing("boxOfficeResult") { result in
            result.replacing(self.listName) { .array(Array($0.elements.prefix(self.request.count))) }
        }
    }

    private static func name(of span: BoxOfficePeriod.Span?) -> String {
        switch span {
        case nil: "일별"
        case .week?: "주간"
        case .weekend?: "주말"
        case .weekdays?: "주중"
        }
    }

    private static func row(
        _ entry: BoxOfficeEntry, number: Int, code: String, opening: CalendarDate?
    ) -> OrderedJSON {
        let texts: [(String, String)] = [
            ("rnum", "\(number)"), ("rank", "\(entry.rank)"), ("rankInten", "\(entry.rankChange)"),
            ("rankOldAndNew", entry.isNew ? "NEW" : "OLD"), ("movieCd", code), ("movieNm", entry.title),
            ("openDt", opening?.description ?? ""), ("salesAmt", "\(entry.sales.value)"),
            ("salesShare", Self.percentage(entry.salesShare)), ("salesInten", "\(entry.sales.change ?? 0)"),
            ("salesChange", Self.percentage(entry.sales.changePercent)), ("salesAcc", "\(entry.sales.total)"),
            ("audiCnt", "\(entry.audience.value)"), ("audiInten", "\(entry.audience.change ?? 0)"),
            ("audiChange", Self.percentage(entry.audience.changePercent)),
            ("audiAcc", "\(entry.audience.total)"), ("scrnCnt", "\(entry.screens)"),
            ("showCnt", "\(entry.showings)"),
        ]
        return .object(texts.map { OrderedJSON.Member($0.0, .string($0.1)) })
    }

    /// `36.3`, `-13`; `0` if unknown.
    private static func percentage(_ number: Double?) -> String {
        guard let number, number.isFinite else { return "0" }
        if let whole = Int(exactly: number) { return "\(whole)" }
        return "\(number)"
    }
}
