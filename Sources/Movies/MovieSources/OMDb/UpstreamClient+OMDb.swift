package import Logging
package import MovieDomain
package import UpstreamClient

extension UpstreamClient {
    package static let omdbBaseURL = "https://www.omdbapi.com"

    /// The requests that OMDb answers in a day without payment.
    package static let omdbDailyRequests = 1000

    /// A client of OMDb.
    ///
    /// - Parameters:
    ///   - key: Given out for it by OMDb.
    ///   - baseURL: Without a slash at its end.
    ///   - dailyRequests: 1,000 in the free plan, more in paid ones.
    package static func omdb(
        key: String, baseURL: String = omdbBaseURL, dailyRequests: Int = omdbDailyRequests,
        transport: any UpstreamTransport, store: ResponseStore?, now: @escaping @Sendable () -> Instant, logger: Logger
    ) -> UpstreamClient {
        let budget = DailyBudget.universal(dailyRequests)
        var lifetimes = UpstreamLifetimes()
        lifetimes.respectsCacheControl = false
        lifetimes.fresh = .seconds(86_400)
        lifetimes.missing = .seconds(3600)
        let configuration = Configuration(
            source: .omdb, baseURL: baseURL, credentials: [.query(name: "apikey", value: key)], lifetimes: lifetimes,
            budget: budget)
        return UpstreamClient(
            configuration, transport: transport, store: store,
            classify: { answer in
                let refusal = OMDbError(
                    status: answer.status, body: answer.body, secondsLeft: budget.secondsLeft(at: now()))
                switch refusal {
                case .unknown: return .missing
                case .failed(let failure): return .failure(failure)
                case nil: return .byStatus
                }
            }, now: now, logger: logger)
    }

    /// The film of an IMDb id; nil when there is none.
    func omdbFilm(_ imdbID: String) async throws -> OMDbFilm? {
        let request = UpstreamRequest("/", query: [("i", imdbID), ("plot", "full"), ("r", "json")])
        return try await self.get(request) { answer -> OMDbFilm in
            guard let film = try OMDbFilm.film(in: answer.body) else {
                throw UnreadableResponse(reason: "has no id or no title")
            }
            return film
        }
    }
}

/// A response of OMDb without a film.
enum OMDbError: Hashable {
    /// It knows none of that id.
    case unknown
    case failed(SourceFailure)

    /// The largest answer that may be one, in bytes.
    private static let maxByteCount = 4096

    /// What an answer refuses; nil for one with a film.
    /// - Parameter secondsLeft: Of the day by which OMDb counts.
    init?(status: Int, body: [UInt8], secondsLeft: Int) {
        let answer = body.count <= Self.maxByteCount ? try? TolerantJSON.object(body) : nil
        let message = answer?.text("Error")?.lowercased() ?? ""
        if status == 401 || status == 403 {
            // The quota of a day gives 401 as a wrong key does.
            self =
                message.contains("limit")
                ? .failed(.busy(.omdb, retryAfterSeconds: secondsLeft)) : .failed(.keyRefused(.omdb))
            return
        }
        guard status == 200, answer?.flag("Response") == false else { return nil }
        if message.contains("limit") {
            self = .failed(.busy(.omdb, retryAfterSeconds: secondsLeft))
        } else if message.contains("api key") {
            self = .failed(.keyRefused(.omdb))
        } else if message.contains("not found") || message.contains("incorrect imdb")
            || message.contains("conversion from")
        {
            self = .unknown
        } else {
            self = .failed(.badAnswer(.omdb, reason: "it refuses for a reason that is not known"))
        }
    }
}
