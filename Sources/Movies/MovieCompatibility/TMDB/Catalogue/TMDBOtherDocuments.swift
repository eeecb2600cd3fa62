import MovieDomain
import MovieHTTP

/// Mostly empty lists that clients request even without a key: they accept an empty page, but not an error.
struct TMDBOtherDocuments: Sendable {
    private static let emptySearches: Set<String> = [
        "search/collection", "search/company", "search/keyword", "search/tv",
    ]
    private static let emptyLists: Set<String> = [
        "discover/tv", "movie/changes", "person/changes", "trending/tv/day", "trending/tv/week", "tv/airing_today",
        "tv/changes", "tv/on_the_air", "tv/popular", "tv/top_rated",
    ]

    let services: MovieServices
    let numbers: TMDBNumberTable

    /// - Parameter path: Relative to the version.
    /// - Returns: `nil` for a resource that does not exist without a key.
    func document(_ path: String, _ request: TMDBRequest) async throws -> OrderedJSON? {
        if Self.emptySearches.contains(path) {
            guard request["query"] != nil else { throw TMDBFault.missing("query") }
            return try TMDBPage.empty(request)
        }
        if Self.emptyLists.contains(path) { return try TMDBPage.empty(request) }
        switch path {
        // There is no television: only films can be trending.
        case "trending/all/day": return try await self.trending(.day, request)
        case "trending/all/week": return try await self.trending(.week, request)
        case "trending/person/day", "trending/person/week": return try await self.people(request, mediaType: "person")
        case "person/popular": return try await self.people(request)
        case "certification/movie/list": return TMDBCertifications.films
        case "certification/tv/list": return ["certifications": [:]]
        case "genre/tv/list": return ["genres": []]
        case "watch/providers/regions", "watch/providers/movie", "watch/providers/tv": return ["results": []]
        default: return nil
        }
    }

    private func trending(_ period: TrendingPeriod, _ request: TMDBRequest) async throws -> OrderedJSON {
        TMDBFilmRow.page(
            try await self.services.catalogue.trending(
                period, page: try request.page(), language: request.language), mediaType: "movie")
    }

    /// People, with those in the most popular films first.
    private func people(_ request: TMDBRequest, mediaType: String? = nil) async throws -> OrderedJSON {
        let page = Page(try request.page(), of: try await self.numbers.people(), size: TMDBPage.size)
        var rows: [OrderedJSON] = []
        for id in page.results {
            let person = try await self.services.showPerson(id, language: request.language)
            let summary = PersonSummary(
                id: id, name: person.name, department: person.department, portrait: person.portrait,
                knownFor: person.films.map(\.movie))
            if let row = summary.flatMap({ TMDBPersonRow.object($0, mediaType: mediaType) }) { rows.append(row) }
        }
        return TMDBPage.object(page, rows: rows)
    }
}
