public import MovieDomain
public import UpstreamClient

/// Pictures of the web that may be posters: the last resort.
public struct KakaoPosters: PosterFinder {
    /// The most pictures that are looked through.
    private static let pageSize = 80
    /// The longest title that is searched for, in characters.
    private static let maxTitleLength = 100

    private let client: UpstreamClient

    /// ``MovieSource/kakao``
    public var source: MovieSource { .kakao }

    /// - Parameter client: ``UpstreamClient/kakao(key:baseURL:transport:store:now:logger:)``
    public init(_ client: UpstreamClient) {
        self.client = client
    }

    /// Upright pictures that a search for the film's poster finds; they say neither title nor year.
    public func posters(for film: PosterSearchTerms) async throws -> [PosterCandidate] {
        let request = UpstreamRequest(
            "/v2/search/image", query: [("query", Self.query(for: film)), ("size", "\(Self.pageSize)")])
        return try await self.client.get(request) { try KakaoPictures.candidates(in: $0.body) } ?? []
    }

    static func query(for film: PosterSearchTerms) -> String {
        let words = [String(film.titles[0].prefix(Self.maxTitleLength)), film.year.map(String.init), "영화 포스터"]
        return words.compactMap { $0 }.joined(separator: " ")
    }
}
