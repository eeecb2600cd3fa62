public import Logging
public import MovieDomain
public import UpstreamClient

extension UpstreamClient {
    /// Where its API is.
    public static let kakaoBaseURL = "https://dapi.kakao.com"

    /// The searches for pictures that Kakao answers in a day of Korea.
    public static let kakaoDailyRequests = 30_000

    /// Asks Kakao.
    ///
    /// - Parameters:
    ///   - key: A REST key of Kakao.
    ///   - baseURL: Without a slash at its end.
    public static func kakao(
        key: String, baseURL: String = kakaoBaseURL, transport: any UpstreamTransport, store: AnswerStore?,
        now: @escaping @Sendable () -> Instant, logger: Logger
    ) -> UpstreamClient {
        let budget = DailyBudget.korean(Self.kakaoDailyRequests)
        var lifetimes = UpstreamLifetimes()
        lifetimes.heedsUpstream = false
        lifetimes.fresh = .seconds(86_400)
        let configuration = Configuration(
            source: .kakao, baseURL: baseURL, credentials: [.header(name: "Authorization", value: "KakaoAK \(key)")],
            lifetimes: lifetimes, budget: budget)
        return UpstreamClient(
            configuration, transport: transport, store: store,
            judge: { answer in
                let failure = KakaoPictures.failure(
                    status: answer.status, body: answer.body, secondsLeft: budget.secondsLeft(at: now()))
                return failure.map { .failure($0) } ?? .asItsStatusSays
            }, now: now, logger: logger)
    }
}
