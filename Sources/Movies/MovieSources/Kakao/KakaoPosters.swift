package import MovieDomain
package import UpstreamClient

/// Possible posters from Kakao's image search of the web, as the last resort.
package struct KakaoPosters: PosterFinder {
    private static let pageSize = 80
    /// The maximal length of a searched title in characters.
    private static let maxTitleLength = 100

    private let client: UpstreamClient

    package var source: MovieSource { .kakao }

    package init(_ client: UpstreamClient) {
        self.client = client
    }

    /// The portrait-format results of a search for the film's poster, without titles and years.
    package func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate] {
        let request = UpstreamRequest(
            "/v2/search/image", query: [("query", Self.query(for: film)), ("size", "\(Self.pageSize)")])
        return try await self.client.get(request) { try KakaoImages.candidates(in: $0.body) } ?? []
    }

    static func query(for film: PosterSearchTerms) -> String {
        let words = [String(film.titles[0].prefix(Self.maxTitleLength)), film.year.map(String.init), "영화 포스터"]
        return words.compactMap { $0 }.joined(separator: " ")
    }
}

extension UpstreamClient {
    package static let kakaoBaseURL = "https://dapi.kakao.com"

    /// Kakao's quota of image searches per day in Korea.
    package static let kakaoDailyRequests = 30_000

    /// - Parameters:
    ///   - baseURL: The base URL without a trailing slash.
    ///   - dailyRequests: The key's quota.
    package static func kakao(
        key: String, baseURL: String = kakaoBaseURL, dailyRequests: Int = kakaoDailyRequests,
        in environment: Environment
    ) -> UpstreamClient {
        let budget = DailyBudget.korean(dailyRequests)
        return UpstreamClient(
            source: .kakao, baseURL: baseURL, credentials: [.header(name: "Authorization", value: "KakaoAK \(key)")],
            lifetimes: .daily, budget: budget, in: environment,
            classify: {
                KakaoImages.classification(
                    status: $0.status, body: $0.body, secondsLeft: budget.secondsLeft(at: environment.now()))
            })
    }
}

/// A response of Kakao's image search.
enum KakaoImages {
    /// The minimal width of a candidate in pixels.
    static let minWidth = 300
    /// The ratios of height to width of posters.
    static let posterRatios = 1.3...1.6
    static let limit = 20
    /// The size limit of an error response in bytes.
    private static let maxErrorByteCount = 4096

    /// Portrait-format pictures: first those with a poster's ratio, then the others, each in the search's order.
    static func candidates(in body: [UInt8]) throws(UnreadableResponse) -> [PosterCandidate] {
        let answer = try TolerantJSON.object(body)
        guard answer.has("documents") else { throw UnreadableResponse(reason: "has no documents") }
        let upright = answer.rows("documents").compactMap { row -> (url: String, size: PictureSize)? in
            guard let url = row.text("image_url"), WebURL.isValid(url),
                let size = PictureSize(width: row.integer("width"), height: row.integer("height")),
                size.width >= Self.minWidth, size.height > size.width
            else { return nil }
            return (url, size)
        }
        let isPoster = { (size: PictureSize) in
            Self.posterRatios.contains(Double(size.height) / Double(size.width))
        }
        let ranked = upright.filter { isPoster($0.size) } + upright.filter { !isPoster($0.size) }
        var known: Set<String> = []
        return ranked.filter { known.insert($0.url).inserted }.prefix(Self.limit).map {
            PosterCandidate(source: .kakao, location: .web(url: $0.url), title: "", year: nil, size: $0.size)
        }
    }

    /// Classifies failures that the status does not determine: an exceeded quota is a 400, too.
    ///
    /// - Parameter secondsLeft: The seconds until the end of the day in Korea.
    static func classification(status: Int, body: [UInt8], secondsLeft: Int) -> ResponseClassification {
        guard status != 200, body.count <= Self.maxErrorByteCount, let error = try? TolerantJSON.object(body) else {
            return .byStatus
        }
        switch error.integer("code") {
        case -10: return .failure(.busy(.kakao, retryAfterSeconds: secondsLeft))
        case -401: return .failure(.keyRefused(.kakao))
        default: break
        }
        switch error.text("errorType") {
        case "AccessDeniedError": return .failure(.keyRefused(.kakao))
        case "MissingParameter", "InvalidArgument":
            return .failure(.badAnswer(.kakao, reason: "the request was rejected"))
        default: return .byStatus
        }
    }
}
