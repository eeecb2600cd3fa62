public import Logging
public import MovieDomain
public import UpstreamClient

extension UpstreamClient {
    /// Where its API is.
    public static let kmdbBaseURL = "https://api.koreafilm.or.kr/openapi-data2/wisenut/search_api"

    /// The requests that KMDb answers in a day of Korea, as it gives them out at first.
    public static let kmdbDailyRequests = 1000

    /// Asks KMDb.
    ///
    /// - Parameters:
    ///   - key: Given out for it by KMDb.
    ///   - baseURL: Without a slash at its end.
    public static func kmdb(
        key: String, baseURL: String = kmdbBaseURL,
        transport: any UpstreamTransport, store: AnswerStore?, now: @escaping @Sendable () -> Instant, logger: Logger
    ) -> UpstreamClient {
        var lifetimes = UpstreamLifetimes()
        lifetimes.heedsUpstream = false
        lifetimes.fresh = .seconds(86_400)
        let configuration = Configuration(
            source: .kmdb, baseURL: baseURL, credentials: [.query(name: "ServiceKey", value: key)],
            lifetimes: lifetimes, budget: .korean(Self.kmdbDailyRequests))
        return UpstreamClient(
            configuration, transport: transport, store: store,
            judge: { $0.status == 200 && KMDbFilm.isNone(in: $0.body) ? .missing : .asItsStatusSays },
            now: now, logger: logger)
    }

    /// The films that a search of KMDb finds.
    func kmdbFilms(_ query: [(name: String, value: String)]) async throws -> [KMDbFilm] {
        let request = UpstreamRequest(
            "/search_json2.jsp", query: [("collection", "kmdb_new2"), ("detail", "Y")] + query)
        return try await self.get(request) { try KMDbFilm.films(in: $0.body) } ?? []
    }
}
