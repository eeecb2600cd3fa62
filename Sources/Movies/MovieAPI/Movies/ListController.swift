import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /movies/home`, `/movies/lists/{list}`, `/movies/search` and `/genres`
struct ListController: Sendable {
    /// Maximum number of supplement requests per home page: five requests with its four lists. Later pages complete it.
    static let homeSupplementLimit = 1

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        let region = QueryParameters.regionParameter
        self.responses.getFilms(
            "/movies/home", known: [region], supplementLimit: Self.homeSupplementLimit, on: router, self.home)
        self.responses.getFilms("/movies/lists/:list", known: ["page", region], on: router, self.list)
        self.responses.getFilms("/movies/search", known: ["query", "page", "year"], on: router, self.search)
        self.responses.get("/genres", on: router, self.genres)
    }

    private var services: MovieServices { self.responses.services }
    private var catalogue: any MovieCatalogue { self.services.catalogue }
    private var showHome: ShowHome { ShowHome(catalogue: self.catalogue) }

    @Sendable
    private func home(_ parsed: MovieRequest) async throws -> EncodedResponse {
        var objects: [HomeObject.Section] = []
        let region = try self.responses.region(of: parsed)
        for section in try await self.showHome(language: parsed.language, region: region) {
            switch section.movies {
            case .success(let page):
                let films = try self.responses.films(
                    page.results, marks: parsed.marks, language: parsed.language.first)
                objects.append(HomeObject.Section(section.list, parsed.language, page: page, results: films))
            case .failure(let failure):
                objects.append(HomeObject.Section(section.list, parsed.language, failure: failure))
            }
        }
        // Reports all lists together, as clients show them together.
        self.responses.reportListServed(objects.flatMap { $0.results.map(\.movie.id) }, of: parsed)
        // Missing lists may be available a second later.
        if objects.contains(where: { $0.problem != nil }) { FreshnessRecorder.current?.recordGap() }
        return try self.responses.response(
            HomeObject(sections: objects, attribution: Attribution.texts(of: [self.catalogue.source])),
            caching: .shared(seconds: CacheLifetime.list), parsed)
    }

    @Sendable
    private func list(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let catalogue = self.catalogue
        guard let list = MovieList(rawValue: try parsed.segment(2)) else {
            let lists = MovieList.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.notFound, "there is no such list of films; the lists are \(lists)")
        }
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        let movies = try await catalogue.list(
            list, page: page, language: parsed.language, region: try self.responses.region(of: parsed))
        return try self.responses.response(
            movies, limit: catalogue.pageLimit, source: catalogue.source, parsed)
    }

    @Sendable
    private func search(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let catalogue = self.catalogue
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        let year = try parsed.query.number("year", in: FilmFilter.allYears)
        let wanted = try parsed.query.value(
            "query", accepted: "1 to \(MovieQuery.maxLength) characters that are not all white space"
        ) { MovieQuery($0, year: year) }
        guard let wanted else { throw Problem(.invalidParameter, "query is missing; send the search terms") }
        let movies = try await catalogue.search(wanted, page: page, language: parsed.language)
        return try self.responses.response(
            movies, limit: catalogue.pageLimit, source: catalogue.source, parsed)
    }

    private struct Genres: Encodable {
        let genres: [MovieSummaryObject.GenreObject]
        let attribution: [String]?
    }

    @Sendable
    private func genres(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let genres = try await self.catalogue.genres(language: parsed.language)
        return try EncodedResponse.json(
            Genres(
                genres: genres.map(MovieSummaryObject.GenreObject.init),
                attribution: Attribution.texts(of: [self.catalogue.source])),
            caching: .shared(seconds: CacheLifetime.genres), variance: parsed.languages.variance)
    }
}
