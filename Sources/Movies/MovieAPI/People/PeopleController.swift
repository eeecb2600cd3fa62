import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /people/{id}` and `/people/search`
struct PeopleController: Sendable {
    /// Maximum number of films reported for rendering their posters ahead: the ones visible first.
    private static let warmedFilmCount = 20

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.getFilms("/people/search", known: ["query", "page"], on: router, self.search)
        self.responses.getFilms("/people/:id", on: router, self.person)
    }

    @Sendable
    private func person(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let person = try await self.responses.services.showPerson(
            try parsed.personID(), language: parsed.language)
        let object = try PersonObject(person, self.responses, marks: parsed.marks, language: parsed.language.first)
        self.responses.reportListServed(person.films.prefix(Self.warmedFilmCount).map(\.movie.id), of: parsed)
        return try self.responses.response(object, caching: .shared(seconds: CacheLifetime.details), parsed)
    }

    @Sendable
    private func search(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let catalogue = self.responses.services.personCatalogue
        let limit = catalogue?.pageLimit ?? QueryParameters.pageLimit
        let number = try parsed.query.page(upTo: limit)
        let wanted = try parsed.query.value(
            "query", accepted: "1 to \(MovieQuery.maxLength) characters that are not all white space"
        ) { MovieQuery($0) }
        guard let wanted else { throw Problem(.invalidParameter, "query is missing; send the search terms") }
        let page =
            try await catalogue?.search(wanted, page: number, language: parsed.language)
            ?? Page(number: number, results: [], totalPages: 0, totalResults: 0)
        let people = try page.results.map { person throws(Problem) in
            try PersonSummaryObject(person, self.responses, marks: parsed.marks, language: parsed.language.first)
        }
        return try self.responses.response(
            page, results: people, limit: limit, sources: [catalogue?.source].compactMap { $0 },
            caching: .shared(seconds: CacheLifetime.list), variance: parsed.languages.variance, parsed)
    }
}

extension MovieRequest {
    /// The person in the path's second segment.
    fileprivate func personID() throws(Problem) -> PersonID {
        guard let id = PersonID(try self.segment(1)) else {
            throw Problem(
                .invalidID,
                "the id is not a person id; it must be [source:]key, such as tmdb:31 or fritz-lang; only tmdb and "
                    + "sample have people"
            )
        }
        return id
    }
}
