import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /`: the film of the day, and the first films of each list.
struct HomePage: Sendable {
    static let rowLength = 12
    /// Maximum number of supplement requests that the page starts: five requests together with its four lists.
    private static let supplementLimit = 1

    static func register(on responder: PageResponder) {
        responder.get("/", lifetime: CacheLifetime.list, supplementLimit: Self.supplementLimit) { request in
            try await HomePage(request).page()
        }
    }

    private let request: PageRequest

    init(_ request: PageRequest) {
        self.request = request
    }

    private var site: Website { self.request.site }

    func page() async throws -> Page {
        let catalogue = self.site.services.catalogue
        let sections = try await ShowHome(catalogue: catalogue)(
            language: self.request.language, region: self.request.region)
        var paint = PagePaint()
        let hero = try HeroChoice(sections, on: self.site.services.now().date()) { film throws(Problem) in
            try self.site.pictures.backdrop(of: film)
        }
        var heroModel: Model?
        if let hero { heroModel = try self.model(of: hero, paint: &paint) }
        var rows: [Markup] = []
        var shown: [MovieSummary] = hero.map { [$0.film] } ?? []
        for section in sections {
            var row = FilmRow(
                id: section.list.pathName, heading: self.request.formats(section.list.textKey),
                allURL: self.request.links.list(section.list))
            switch section.movies {
            case .success(let page):
                let films = Array(page.results.prefix(Self.rowLength))
                shown += films
                if section.list == .popular { self.site.popular.keep(films, in: self.request.language.first) }
                rows.append(try row.markup(films, in: self.request, paint: &paint))
            case .failure(let failure):
                // A missing list may be available a second later.
                FreshnessRecorder.current?.recordGap()
                row.problem = self.request.formats("unavailable", ["source": failure.source.name])
                row.allURL = nil
                rows.append(row.markup(.empty, in: self.request))
            }
        }
        self.request.reportServed(shown.map(\.id))
        var page = Page(
            title: nil,
            main: self.request.render("home", ["hero": heroModel, "rowsHTML": rows.joined()]), paint: paint)
        page.sources = [catalogue.source] + shown.map(\.id.source)
        page.share = ShareCard(image: hero.map { ShareCard.Image($0.scene, alt: $0.film.title, isScene: true) })
        return page
    }

    private func model(of hero: HeroChoice, paint: inout PagePaint) throws(Problem) -> Model {
        let film = hero.film
        let poster = try self.site.pictures.poster(of: film, language: self.request.language.first)
        paint.accent = AccentColours(of: [poster?.color, hero.scene.color])
        let facts =
            [film.year.map(String.init), self.request.formats.list(film.directors)]
            + film.genres.prefix(2).map { $0.name }
        return [
            "scene": PictureModel(hero.scene, shape: .scene).model(&paint, named: "paint-hero"),
            "label": self.request.formats(hero.list.textKey), "title": film.title,
            "titleLang": film.titleLanguage(in: self.request), "url": self.request.links.film(film.id),
            "facts": facts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " · "),
            "overview": film.overview, "overviewLang": nil,
            "favouriteHTML": PageSlot.mark(.favourite, film.id).markup,
        ]
    }
}

extension MovieList {
    var textKey: String {
        switch self {
        case .nowPlaying: "listNowPlaying"
        case .popular: "listPopular"
        case .topRated: "listTopRated"
        case .upcoming: "listUpcoming"
        }
    }
}
