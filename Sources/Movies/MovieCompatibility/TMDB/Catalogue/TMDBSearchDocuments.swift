import MovieDomain
import MovieHTTP

/// Search results made from the domain.
struct TMDBSearchDocuments: Sendable {
    private static let pageSize = 20

    let services: MovieServices

    func document(_ kind: TMDBResource.Search, _ request: TMDBRequest) async throws -> OrderedJSON {
        let (query, page) = (try Self.query(of: request), try request.page())
        switch kind {
        case .movie: return TMDBFilmRow.page(try await self.films(query, page, request))
        case .person:
            let found = try await self.people(query, page, request)
            return TMDBPage.object(found, rows: found.results.compactMap { TMDBPersonRow.object($0) })
        case .multi: return try await self.both(query, page, request)
        }
    }

    /// - Throws: ``TMDBFault`` without a text.
    private static func query(of request: TMDBRequest) throws(TMDBFault) -> MovieQuery {
        let year = (request["primary_release_year"] ?? request["year"]).flatMap { Int($0) }
        let text = (request["query"] ?? "").prefix(MovieQuery.maxLength)
        guard let query = MovieQuery(String(text), year: year) else { throw .missing("query") }
        return query
    }

    private func films(
        _ query: MovieQuery, _ page: Int, _ request: TMDBRequest
    ) async throws -> Page<MovieSummary> {
        try await self.services.catalogue.search(query, page: page, language: request.language)
    }

    private func people(
        _ query: MovieQuery, _ page: Int, _ request: TMDBRequest
    ) async throws -> Page<PersonSummary> {
        guard let catalogue = self.services.personCatalogue else { return Page(page, of: [], size: Self.pageSize) }
        return try await catalogue.search(query, page: page, language: request.language)
    }

    /// The films, followed by the people.
    private func both(_ query: MovieQuery, _ page: Int, _ request: TMDBRequest) async throws -> OrderedJSON {
        let films = try await self.films(query, page, request)
        let firstPeople = try await self.people(query, 1, request)
        let total = films.totalResults + firstPeople.totalResults
        var rows = films.results.compactMap { TMDBFilmRow.object($0, mediaType: "movie") }
        // People on earlier pages.
        let skipped = max(0, (page - 1) * Self.pageSize - films.totalResults)
        let missing = Self.pageSize - films.results.count
        if page * Self.pageSize > films.totalResults, missing > 0 {
            let number = skipped / Self.pageSize + 1
            var people = firstPeople.results
            if number > 1 { people = try await self.people(query, number, request).results }
            people += try await self.people(query, number + 1, request).results
            rows += people.dropFirst(skipped % Self.pageSize).prefix(missing)
                .compactMap { TMDBPersonRow.object($0, mediaType: "person") }
        }
        let all = Page<Int>(
            number: page, results: [], totalPages: (total + Self.pageSize - 1) / Self.pageSize, totalResults: total)
        return TMDBPage.object(all, rows: rows)
    }
}
