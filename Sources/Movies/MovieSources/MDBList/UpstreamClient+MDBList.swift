import MovieDomain
package import UpstreamClient

extension UpstreamClient {
    package static let mdblistBaseURL = "https://api.mdblist.com"

    /// MDBList's quota of requests per UTC day with a free key.
    package static let mdblistDailyRequests = 1000

    /// - Parameters:
    ///   - baseURL: The base URL without a trailing slash.
    ///   - dailyRequests: The plan's quota: 1,000 with a free key, more for supporters.
    package static func mdblist(
        key: String, baseURL: String = mdblistBaseURL, dailyRequests: Int = mdblistDailyRequests,
        in environment: Environment
    ) -> UpstreamClient {
        let budget = DailyBudget.universal(dailyRequests)
        var lifetimes = UpstreamLifetimes.daily
        lifetimes.missing = .seconds(3600)
        return UpstreamClient(
            source: .mdblist, baseURL: baseURL, credentials: [.query(name: "apikey", value: key)],
            lifetimes: lifetimes, budget: budget, in: environment,
            classify: {
                MDBListRefusal.classification($0, secondsLeft: budget.secondsLeft(at: environment.now())) ?? .byStatus
            })
    }

    /// The scores of the film with an IMDb id; `nil` if MDBList has no such film.
    func mdblistFilm(_ imdbID: String) async throws -> MDBListFilm? {
        try await self.get(UpstreamRequest("/imdb/movie/\(imdbID)")) { try MDBListFilm(in: $0.body) }
    }
}

/// A response of MDBList without a film.
enum MDBListRefusal {
    /// The size limit of such a response in bytes.
    private static let maxByteCount = 4096

    /// Classifies a response with an error text instead of a film; `nil` for any other.
    ///
    /// - Parameter secondsLeft: The seconds until the end of MDBList's day.
    static func classification(_ answer: UpstreamResponse, secondsLeft: Int) -> ResponseClassification? {
        guard [200, 401, 403, 404, 429].contains(answer.status), answer.body.count <= Self.maxByteCount,
            let object = try? TolerantJSON.object(answer.body), !object.has("ratings"),
            let message = (object.text("error") ?? object.text("detail"))?.lowercased()
        else { return nil }
        let isOverQuota =
            answer.status == 429
            ? answer.retryAfter == nil && ["limit reached", "daily", "quota"].contains(where: message.contains)
            : message.contains("limit")
        if isOverQuota { return .failure(.busy(.mdblist, retryAfterSeconds: secondsLeft)) }
        // Too many requests at once.
        guard answer.status != 429 else { return nil }
        if message.contains("api key") || message.contains("apikey") || message.contains("credentials") {
            return .failure(.keyRefused(.mdblist))
        }
        if answer.status == 404 || message.contains("not found") { return .missing }
        guard answer.status == 200 else { return nil }
        return .failure(.badAnswer(.mdblist, reason: "the request was rejected for an unknown reason"))
    }
}
