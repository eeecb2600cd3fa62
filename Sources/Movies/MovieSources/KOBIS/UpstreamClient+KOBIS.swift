public import Logging
public import MovieDomain
public import UpstreamClient

extension UpstreamClient {
    /// Where its API is.
    public static let kobisBaseURL = "https://www.kobis.or.kr/kobisopenapi/webservice/rest"

    /// The requests that KOBIS answers in a day of Korea.
    public static let kobisDailyRequests = 3000

    /// How long an empty box office is believed: every day has figures, but those of the latest come in the morning.
    private static let emptyBoxOfficeLifetime: Duration = .seconds(3600)

    /// Asks KOBIS, which refuses with status 200.
    ///
    /// - Parameters:
    ///   - key: Given out for it by KOBIS.
    ///   - baseURL: Without a slash at its end.
    public static func kobis(
        key: String, baseURL: String = kobisBaseURL,
        transport: any UpstreamTransport, store: AnswerStore?, now: @escaping @Sendable () -> Instant, logger: Logger
    ) -> UpstreamClient {
        let budget = DailyBudget.korean(Self.kobisDailyRequests)
        var lifetimes = UpstreamLifetimes()
        // How long figures hold is known better here.
        lifetimes.heedsUpstream = false
        let configuration = Configuration(
            source: .kobis, baseURL: baseURL, credentials: [.query(name: "key", value: key)], lifetimes: lifetimes,
            budget: budget)
        return UpstreamClient(
            configuration, transport: transport, store: store,
            judge: { answer in
                guard answer.status == 200 else { return .asItsStatusSays }
                if let failure = KOBISFault.failure(in: answer.body, secondsLeft: budget.secondsLeft(at: now())) {
                    return .failure(failure)
                }
                if KOBISBoxOfficeAnswer.isEmpty(answer.body) { return .passing(Self.emptyBoxOfficeLifetime) }
                return KOBISFilm.isMissing(in: answer.body) ? .missing : .asItsStatusSays
            }, now: now, logger: logger)
    }
}
