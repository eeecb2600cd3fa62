import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /discover`: filtered films, with the filter form.
struct DiscoverPage: Sendable {
    /// In their order in addresses.
    private static let parameters =
        [FilmFilter.Field.genre, .decade, .country, .keyword].map(\.rawValue) + ["sort", "page"]

    static func register(on responder: PageResponder) {
        responder.get("/discover", known: Self.parameters, lifetime: CacheLifetime.list) { request in
            try await DiscoverPage(request).page()
        }
    }

    private let request: PageRequest

    init(_ request: PageRequest) {
        self.request = request
    }

    func page() async throws -> Page {
        let (request, services) = (self.request, self.request.site.services)
        let catalogue = services.catalogue
        let filter = try FilmFilter(request.query, of: services)
        let number = try request.pageNumber(upTo: catalogue.pageLimit)
        async let choices = LatePart.value { try await catalogue.filterChoices(language: request.language) }
        let films = try await catalogue.discover(
            filter, page: number, language: request.language, region: request.region)
        let form = FilterForm(
            filter, by: catalogue.filters, choices: try await choices, year: services.now().date().year,
            language: request.language, text: request.formats)
        var model = form.model
        model["explicitLanguage"] = request.explicitLanguage?.code
        let region = (name: QueryParameters.regionParameter, value: request[QueryParameters.regionParameter])
        model["explicitRegion"] = region.value
        model["resetURL"] = form.isChanged ? request.links.url("/discover", [region]) : nil
        let heading = request.formats("discoverTitle")
        var grid = FilmGrid(heading: heading)
        // The chosen filters come first: they distinguish the entries of a browser's history.
        grid.title = form.chosen.isEmpty ? nil : (form.chosen + [heading]).joined(separator: " · ")
        grid.nothing = request.formats("discoverNothing")
        grid.filters = request.render("filters", model)
        var page = try grid.page(films, of: catalogue, in: request)
        page.navigation = .discover
        return page
    }
}
