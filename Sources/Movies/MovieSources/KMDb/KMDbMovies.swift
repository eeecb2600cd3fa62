package import MovieDomain
package import UpstreamClient

/// The films of KMDb, including films from before the box office was computerised.
package struct KMDbMovies: MovieRepository {
    private let client: UpstreamClient

    package var source: MovieSource { .kmdb }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    package func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        try await self.film(id)?.movie(in: language)
    }

    package func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.film(id)?.credits(in: language)
    }

    /// Requests a film. An id such as `F01071` is sent as two parameters, letter and number.
    private func film(_ id: MovieID) async throws -> KMDbFilm? {
        let letters = id.key.prefix { !("0"..."9").contains($0) }
        let number = id.key.dropFirst(letters.count)
        guard id.source == .kmdb, !letters.isEmpty, !number.isEmpty, number.allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
        let films = try await self.client.kmdbFilms([("movieId", String(letters)), ("movieSeq", String(number))])
        return films.first { $0.id == id }
    }
}

extension UpstreamClient {
    package static let kmdbBaseURL = "https://api.koreafilm.or.kr/openapi-data2/wisenut/search_api"

    /// KMDb's default quota of requests per day in Korea.
    package static let kmdbDailyRequests = 1000

    /// - Parameters:
    ///   - baseURL: The base URL without a trailing slash.
    ///   - dailyRequests: The key's quota.
    package static func kmdb(
        key: String, baseURL: String = kmdbBaseURL, dailyRequests: Int = kmdbDailyRequests,
        in environment: Environment
    ) -> UpstreamClient {
        UpstreamClient(
            source: .kmdb, baseURL: baseURL, credentials: [.query(name: "ServiceKey", value: key)], lifetimes: .daily,
            budget: .korean(dailyRequests), in: environment,
            classify: { $0.status == 200 && KMDbFilm.isNone(in: $0.body) ? .missing : .byStatus })
    }

    func kmdbFilms(_ query: [(name: String, value: String)]) async throws -> [KMDbFilm] {
        let request = UpstreamRequest(
            "/search_json2.jsp", query: [("collection", "kmdb_new2"), ("detail", "Y")] + query)
        return try await self.get(request) { try KMDbFilm.films(in: $0.body) } ?? []
    }
}
