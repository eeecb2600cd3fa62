import HTTPSemantics
package import HTTPServer
package import Hummingbird
import MovieDomain

/// `GET /movies/home`, `/movies/lists/{list}`, `/movies/search` and `/genres`
package struct ListController: Sendable {
    /// Of films that can be looked for.
    static let years = 1888...2999

    let responses: MovieResponses

    package init(responses: MovieResponses) {
        self.responses = responses
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/movies/home", use: self.home)
        router.get("/movies/lists/:list", use: self.list)
        router.get("/movies/search", use: self.search)
        router.get("/genres", use: self.genres)
    }

    private var services: MovieServices { self.responses.services }

    @Sendable
    private func home(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, default: self.services.defaultLanguage)
        return try await self.responses.respond(to: request, parsed, context) {
            let principal = try await self.responses.principals.principal(of: parsed.headers)
            let show = ShowHome(catalogue: self.services.catalogue)
            let home = try await self.home(try await show(language: parsed.language), to: principal, parsed)
            // What is missing may be there in a second.
            let isWhole = home.sections.allSatisfy { $0.problem == nil }
            return try self.responses.response(
                home, to: principal, keeping: isWhole ? principal.keeping(CacheLifetime.list) : .none, parsed)
        }
    }

    private func home(
        _ sections: [ShowHome.Section], to principal: Principal, _ parsed: MovieRequest
    ) async throws -> HomeObject {
        var objects: [HomeObject.Section] = []
        for section in sections {
            switch section.movies {
            case .success(let page):
                let films = try await self.responses.films(page.results, for: principal)
                objects.append(HomeObject.Section(section.list, parsed.language, page: page, results: films))
            case .failure(let failure):
                objects.append(HomeObject.Section(section.list, parsed.language, failure: failure))
            }
        }
        // All at once: they are seen at once.
        self.responses.reportListServed(objects.flatMap { $0.results.map(\.movie.id) }, of: parsed)
        return HomeObject(sections: objects, attribution: Attribution.texts(of: [self.services.catalogue.source]))
    }

    @Sendable
    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, known: ["page"], default: self.services.defaultLanguage)
        let catalogue = self.services.catalogue
        guard let list = MovieList(rawValue: try parsed.segment(2)) else {
            let lists = MovieList.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.notFound, "there is no such list of films; there are \(lists)")
        }
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        return try await self.responses.respond(to: request, parsed, context) {
            let principal = try await self.responses.principals.principal(of: parsed.headers)
            let movies = try await ShowMovieList(catalogue: catalogue)(list, page: page, language: parsed.language)
            return try await self.responses.response(
                movies, limit: catalogue.pageLimit, source: catalogue.source, to: principal, parsed)
        }
    }

    @Sendable
    private func search(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(
            request, context, known: ["query", "page", "year"], default: self.services.defaultLanguage)
        let catalogue = self.services.catalogue
        let page = try parsed.query.page(upTo: catalogue.pageLimit)
        let year = try parsed.query.number("year", in: Self.years)
        let wanted = try parsed.query.value(
            "query", accepted: "1 to \(MovieQuery.maxLength) characters that are not all white space"
        ) { MovieQuery($0, year: year) }
        guard let wanted else { throw Problem(.invalidParameter, "query is missing: what to look for") }
        return try await self.responses.respond(to: request, parsed, context) {
            let principal = try await self.responses.principals.principal(of: parsed.headers)
            let movies = try await SearchMovies(catalogue: catalogue)(wanted, page: page, language: parsed.language)
            return try await self.responses.response(
                movies, limit: catalogue.pageLimit, source: catalogue.source, to: principal, parsed)
        }
    }

    private struct Genres: Encodable {
        let genres: [MovieSummaryObject.GenreObject]
        let attribution: [String]?
    }

    @Sendable
    private func genres(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, default: self.services.defaultLanguage)
        let catalogue = self.services.catalogue
        let genres = try await context.whileClientPresent {
            try await ShowGenres(catalogue: catalogue)(language: parsed.language)
        }
        let answer = try JSONResponse(
            Genres(
                genres: genres.map(MovieSummaryObject.GenreObject.init),
                attribution: Attribution.texts(of: [catalogue.source])),
            keeping: .shared(seconds: CacheLifetime.genres), variance: parsed.languages.variance)
        return try answer.response(to: request)
    }
}
