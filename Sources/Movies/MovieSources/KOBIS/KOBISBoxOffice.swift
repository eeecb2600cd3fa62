public import MovieDomain
public import UpstreamClient

/// The box office of Korea.
public struct KOBISBoxOffice: BoxOfficeRepository {
    /// How long figures are fresh that are not revised any more, in seconds.
    private static let settledLifetime = 7 * 86_400
    /// And those of yesterday, which are revised until the next morning.
    private static let unsettledLifetime = 3600

    private let client: UpstreamClient
    private let area: KOBISArea?

    /// ``MovieSource/kobis``
    public var source: MovieSource { .kobis }
    /// 2003-11-11
    public var firstDay: CalendarDate { CalendarDate(dayNumber: 12_367) }

    /// - Parameters:
    ///   - client: ``UpstreamClient/kobis(key:baseURL:transport:store:now:logger:)``
    ///   - area: nil for all of Korea.
    public init(_ client: UpstreamClient, area: KOBISArea? = nil) {
        self.client = client
        self.area = area
    }

    /// The titles are Korean, whatever the language.
    public func boxOffice(of period: BoxOfficePeriod, language: LanguagePreference) async throws -> BoxOffice {
        let entries = try await self.client.get(self.request(for: period)) { answer in
            try KOBISBoxOfficeAnswer.entries(in: answer.body)
        }
        return BoxOffice(source: .kobis, period: period, entries: entries ?? [])
    }

    private func request(for period: BoxOfficePeriod) -> UpstreamRequest {
        let day = period.from.description.filter { $0 != "-" }
        var query = [(name: "targetDt", value: day), ("itemPerPage", "10")]
        if let area = self.area { query.append(("wideAreaCd", area.description)) }
        guard let span = period.span else {
            return UpstreamRequest(
                "/boxoffice/searchDailyBoxOfficeList.json", query: query, lifetime: self.lifetime(of: period))
        }
        query.append(("weekGb", Self.number(of: span)))
        return UpstreamRequest(
            "/boxoffice/searchWeeklyBoxOfficeList.json", query: query, lifetime: self.lifetime(of: period))
    }

    private static func number(of span: BoxOfficePeriod.Span) -> String {
        switch span {
        case .week: "0"
        case .weekend: "1"
        case .weekdays: "2"
        }
    }

    /// By how long the last of the days is over in Korea.
    private func lifetime(of period: BoxOfficePeriod) -> Duration {
        let today = self.client.now().date(secondsFromGreenwich: 9 * 3600)
        let isSettled = period.to.dayNumber < today.dayNumber - 1
        return .seconds(isSettled ? Self.settledLifetime : Self.unsettledLifetime)
    }
}
