public import Logging
public import MovieDomain
public import UpstreamClient

extension UpstreamClient {
    /// Where its API is.
    public static let omdbBaseURL = "https://www.omdbapi.com"

    /// The requests that OMDb answers in a day without payment.
    public static let omdbDailyRequests = 1000

    /// Asks OMDb.
    ///
    /// - Parameters:
    ///   - key: Given out for it by OMDb.
    ///   - baseURL: Without a slash at its end.
    ///   - dailyRequests: Those who pay have more.
    public static func omdb(
        key: String, baseURL: String = omdbBaseURL, dailyRequests: Int = omdbDailyRequests,
        transport: any UpstreamTransport, store: AnswerStore?, now: @escaping @Sendable () -> Instant, logger: Logger
    ) -> UpstreamClient {
        let budget = DailyBudget.universal(dailyRequests)
        var lifetimes = UpstreamLifetimes()
        lifetimes.heedsUpstream = false
        lifetimes.fresh = .seconds(86_400)
        lifetimes.missing = .seconds(3600)
        let configuration = Configuration(
            source: .omdb, baseURL: baseURL, credentials: [.query(name: "apikey", value: key)], lifetimes: lifetimes,
            budget: budget)
        return UpstreamClient(
            configuration, transport: transport, store: store,
            judge: { answer in
                let refusal = OMDbRefusal(
                    status: answer.status, body: answer.body, secondsLeft: budget.secondsLeft(at: now()))
                switch refusal {
                case .unknown: return .missing
                case .failed(let failure): return .failure(failure)
                case nil: return .asItsStatusSays
                }
            }, now: now, logger: logger)
    }

    /// What OMDb knows by an IMDb title; nil when nothing.
    func omdbFilm(_ imdbID: String) async throws -> OMDbFilm? {
        let request = UpstreamRequest("/", query: [("i", imdbID), ("plot", "full"), ("r", "json")])
        return try await self.get(request) { answer -> OMDbFilm in
            guard let film = try OMDbFilm.film(in: answer.body) else {
                throw UnreadableAnswer(reason: "has no id or no title")
            }
            return film
        }
    }
}
