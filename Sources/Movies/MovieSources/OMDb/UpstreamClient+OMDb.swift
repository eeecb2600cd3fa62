import MovieDomain
package import UpstreamClient

extension UpstreamClient {
    package static let omdbBaseURL = "https://www.omdbapi.com"

    /// OMDb's quota of requests per day in the free plan.
    package static let omdbDailyRequests = 1000

    /// - Parameters:
    ///   - baseURL: The base URL without a trailing slash.
    ///   - dailyRequests: The plan's quota: 1,000 in the free plan, more in paid ones.
    package static func omdb(
        key: String, baseURL: String = omdbBaseURL, dailyRequests: Int = omdbDailyRequests, in environment: Environment
    ) -> UpstreamClient {
        let budget = DailyBudget.universal(dailyRequests)
        var lifetimes = UpstreamLifetimes.daily
        lifetimes.missing = .seconds(3600)
        return UpstreamClient(
            source: .omdb, baseURL: baseURL, credentials: [.query(name: "apikey", value: key)], lifetimes: lifetimes,
            budget: budget, in: environment,
            classify: {
                OMDbRefusal.classification($0, secondsLeft: budget.secondsLeft(at: environment.now())) ?? .byStatus
            })
    }

    /// The film of an IMDb id; `nil` if there is none.
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
enum OMDbRefusal {
    /// The size limit of such a response in bytes.
    private static let maxByteCount = 4096

    /// Classifies a response without a film; `nil` for any other.
    ///
    /// - Parameter secondsLeft: The seconds until the end of OMDb's day.
    static func classification(_ answer: UpstreamResponse, secondsLeft: Int) -> ResponseClassification? {
        let object = answer.body.count <= Self.maxByteCount ? try? TolerantJSON.object(answer.body) : nil
        let message = object?.text("Error")?.lowercased() ?? ""
        let isOverLimit = message.contains("limit")
        guard [200, 401, 403].contains(answer.status), object?.flag("Response") == false else { return nil }
        // An exhausted quota gives 401, as an invalid key does.
        if isOverLimit { return .failure(.busy(.omdb, retryAfterSeconds: secondsLeft)) }
        if message.contains("api key") { return .failure(.keyRefused(.omdb)) }
        guard answer.status == 200 else { return nil }
        let missing = ["not found", "incorrect imdb", "conversion from", "too many results"]
        if missing.contains(where: message.contains) { return .missing }
        return .failure(.badAnswer(.omdb, reason: "the request was rejected for an unknown reason"))
    }
}
