public import Logging
public import MovieDomain
public import UpstreamClient

extension UpstreamClient {
    /// Where its API is.
    public static let iTunesBaseURL = "https://itunes.apple.com"

    /// How long the store is left alone that refuses, and does not say for how long, in seconds.
    private static let iTunesPause = 60

    /// Asks the iTunes Search API, which needs no key and answers about 20 requests a minute: the transport has to keep to that.
    ///
    /// - Parameter baseURL: Without a slash at its end.
    public static func iTunes(
        baseURL: String = iTunesBaseURL, transport: any UpstreamTransport, store: AnswerStore?,
        now: @escaping @Sendable () -> Instant, logger: Logger
    ) -> UpstreamClient {
        var lifetimes = UpstreamLifetimes()
        lifetimes.doubtful = .seconds(Self.iTunesPause)
        return UpstreamClient(
            Configuration(source: .itunes, baseURL: baseURL, lifetimes: lifetimes), transport: transport, store: store,
            judge: { Self.iTunesVerdict($0) }, now: now, logger: logger)
    }

    /// Whoever asks too often gets a 403 or a 429, an empty body, or a result without anything.
    static func iTunesVerdict(_ answer: UpstreamAnswer) -> UpstreamVerdict {
        let isEmpty = !answer.body.contains { $0 > 32 }
        if [403, 429].contains(answer.status) || (answer.status == 200 && isEmpty) {
            let wait = answer.retryAfter.map { Int(clamping: $0.components.seconds) } ?? Self.iTunesPause
            return .failure(.busy(.itunes, retryAfterSeconds: max(1, wait)))
        }
        guard answer.status == 200, answer.body.count <= 1024, let results = try? ITunesResults(answer.body),
            results.count == 0
        else { return .asItsStatusSays }
        return .doubtful
    }
}
