import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /search`: films and people that match a text; examples without a text.
///
/// Scripts request its content at each pause in typing.
struct SearchPage: Sendable {
    /// Maximum number of people above the films.
    private static let peopleLimit = 6

    static func register(on responder: PageResponder) {
        responder.get("/search", known: ["q", "year", "page"], lifetime: CacheLifetime.list) { request in
            try await SearchPage(request).page()
        }
    }

    private let request: PageRequest

    init(_ request: PageRequest) {
        self.request = request
    }

    private var services: MovieServices { self.request.site.services }
    private var formats: PageFormats { self.request.formats }

    func page() async throws -> Page {
        let catalogue = self.services.catalogue
        let number = try self.request.pageNumber(upTo: catalogue.pageLimit)
        let year = try self.request.query.number("year", in: FilmFilter.allYears)
        guard let query = try self.query(of: year) else { return self.page(self.examples, year: year) }
        async let found = self.people(query, on: number)
        let films = try await catalogue.search(query, page: number, language: self.request.language)
        let people = try await found
        let more = try PageMore(films, limit: catalogue.pageLimit, in: self.request)
        var paint = PagePaint()
        var model: Model = [
            "query": query.text, "summary": self.summary(query, films: films.totalResults, people: people.count),
            "people": try self.model(of: people, paint: &paint),
            "isNothing": films.results.isEmpty && people.isEmpty,
        ]
        if !films.results.isEmpty {
            model["films"] =
                [
                    "cardsHTML": try FilmCard.list(films.results, in: self.request, role: .grid, paint: &paint),
                    "more": more.model,
                ] as Model
        }
        self.request.reportServed(films.results.map(\.id))
        return self.page(
            model, title: self.formats("searchTitleOf", ["query": query.text]), year: year, paint: paint,
            sources: [catalogue.source] + films.results.map(\.id.source) + people.map(\.id.source))
    }

    /// - Returns: `nil` without a text: a year alone matches nothing.
    private func query(of year: Int?) throws(Problem) -> MovieQuery? {
        guard let text = self.request["q"], !text.allSatisfy(\.isWhitespace) else { return nil }
        guard let query = MovieQuery(text, year: year) else {
            throw Problem(
                .invalidParameter, "q must be at most \(MovieQuery.maxLength) characters long",
                parameter: Problem.Parameter("q"))
        }
        return query
    }

    /// People for the first page, which waits for them only briefly. A query with a year is for films alone.
    private func people(_ query: MovieQuery, on page: Int) async throws -> [PersonSummary] {
        guard page == 1, query.year == nil, let catalogue = self.services.personCatalogue else { return [] }
        let language = self.request.language
        let found = try await LatePart.value { try await catalogue.search(query, page: 1, language: language) }
        return Array((found?.results ?? []).prefix(Self.peopleLimit))
    }

    /// The number of results as a text, which screen readers announce.
    private func summary(_ query: MovieQuery, films: Int, people: Int) -> String {
        if films > 0 { return self.formats("searchResults", count: films) }
        if people > 0 { return self.formats("peopleCount", count: people) }
        return self.formats("searchNothing", ["query": query.text])
    }

    private func model(of people: [PersonSummary], paint: inout PagePaint) throws(Problem) -> Model? {
        guard !people.isEmpty else { return nil }
        var rows: [Model] = []
        for person in people {
            let portrait = try self.request.site.pictures.urls.portrait(person.portrait, widths: .page)
            let films = self.formats.list(person.knownFor.map(\.title))
            rows.append([
                "name": person.name, "url": self.request.links.person(person.id),
                "role": [person.originalName, films].filter { !$0.isEmpty }.joined(separator: " · "),
                "portrait": portrait.map { PictureModel($0).model(&paint) },
            ])
        }
        return ["rows": rows]
    }

    private var examples: Model {
        let source = self.services.catalogue.source
        let rows: [Model] = SearchExample.all(for: source).map { example in
            [
                "text": example.text, "url": self.request.links.url("/search", [("q", example.text)]),
                "lang": example.language == self.request.interface ? nil : example.language?.code,
            ]
        }
        return [
            "summary": self.formats(SearchExample.knowsMore(source) ? "searchHint" : "searchHintPlain"),
            "examples": ["rows": rows] as Model,
        ]
    }

    private func page(
        _ model: Model, title: String? = nil, year: Int?, paint: PagePaint = PagePaint(), sources: [MovieSource] = []
    ) -> Page {
        var model = model
        model["year"] = year
        model["firstYear"] = FilmFilter.allYears.lowerBound
        model["lastYear"] = FilmFilter.allYears.upperBound
        model["explicitLanguage"] = self.request.explicitLanguage?.code
        var page = Page(
            title: title ?? self.formats("searchTitle"), main: self.request.render("search", model), paint: paint)
        page.hasSearch = true
        page.receivesCards = true
        page.sources = sources
        return page
    }
}
