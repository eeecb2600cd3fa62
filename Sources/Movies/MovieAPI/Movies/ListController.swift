import HTTPSemantics
package import HTTPServer
package import Hummingbird
import MovieDomain

/// `GET /movies/home`, `/movies/lists/{list}`, `/movies/search` and `/genres`
package struct ListController: Sendable {
    /// Of films that can be looked for.
    static let years = 1888...2999

    let desk: FilmDesk

    package init(desk: FilmDesk) {
        self.desk = desk
    }

    package func register(on router: Router<PosterRequestContext>) {
        router.get("/movies/home", use: self.home)
        router.get("/movies/lists/:list", use: self.list)
        router.get("/movies/search", use: self.search)
        router.get("/genres", use: self.genres)
    }

    private var services: MovieServices { self.desk.services }

    @Sendable
    private func home(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, default: self.services.defaultLanguage)
        return try await self.desk.respond(to: request, order, context) {
            let caller = try await self.desk.callers.caller(order.headers)
            let show = ShowHome(catalogue: self.services.catalogue)
            let home = try await self.home(try await show(language: order.language), to: caller, order)
            // What is missing may be there in a second.
            let isWhole = home.sections.allSatisfy { $0.problem == nil }
            return try self.desk.answer(
                home, to: caller, keeping: isWhole ? caller.keeping(FilmLifetime.list) : .none, order)
        }
    }

    private func home(
        _ sections: [ShowHome.Section], to caller: FilmCaller, _ order: FilmOrder
    ) async throws -> HomeObject {
        var objects: [HomeObject.Section] = []
        for section in sections {
            switch section.movies {
            case .success(let page):
                let films = try await self.desk.films(page.results, for: caller)
                objects.append(HomeObject.Section(section.list, order.language, page: page, results: films))
            case .failure(let failure):
                objects.append(HomeObject.Section(section.list, order.language, failure: failure))
            }
        }
        // All at once: they are seen at once.
        self.desk.tell(objects.flatMap { $0.results.map(\.movie.id) }, of: order)
        return HomeObject(sections: objects, attribution: Attribution.texts(of: [self.services.catalogue.source]))
    }

    @Sendable
    private func list(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, known: ["page"], default: self.services.defaultLanguage)
        let catalogue = self.services.catalogue
        guard let list = MovieList(rawValue: try order.segment(2)) else {
            let lists = MovieList.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.notFound, "there is no such list of films; there are \(lists)")
        }
        let page = try order.query.page(upTo: catalogue.pageLimit)
        return try await self.desk.respond(to: request, order, context) {
            let caller = try await self.desk.callers.caller(order.headers)
            let movies = try await ShowMovieList(catalogue: catalogue)(list, page: page, language: order.language)
            return try await self.desk.answer(
                movies, limit: catalogue.pageLimit, source: catalogue.source, to: caller, order)
        }
    }

    @Sendable
    private func search(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(
            request, context, known: ["query", "page", "year"], default: self.services.defaultLanguage)
        let catalogue = self.services.catalogue
        let page = try order.query.page(upTo: catalogue.pageLimit)
        let year = try order.query.number("year", in: Self.years)
        let wanted = try order.query.value(
            "query", accepted: "1 to \(MovieQuery.maxLength) characters that are not all white space"
        ) { MovieQuery($0, year: year) }
        guard let wanted else { throw Problem(.invalidParameter, "query is missing: what to look for") }
        return try await self.desk.respond(to: request, order, context) {
            let caller = try await self.desk.callers.caller(order.headers)
            let movies = try await SearchMovies(catalogue: catalogue)(wanted, page: page, language: order.language)
            return try await self.desk.answer(
                movies, limit: catalogue.pageLimit, source: catalogue.source, to: caller, order)
        }
    }

    private struct Genres: Encodable {
        let genres: [FilmObject.GenreObject]
        let attribution: [String]?
    }

    @Sendable
    private func genres(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, default: self.services.defaultLanguage)
        let catalogue = self.services.catalogue
        let genres = try await context.whileClientPresent {
            try await ShowGenres(catalogue: catalogue)(language: order.language)
        }
        let answer = try JSONAnswer(
            Genres(
                genres: genres.map(FilmObject.GenreObject.init),
                attribution: Attribution.texts(of: [catalogue.source])),
            keeping: .shared(seconds: FilmLifetime.genres), variance: order.languages.variance)
        return try answer.response(to: request)
    }
}
