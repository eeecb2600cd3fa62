import BoundedCache
import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// A film in a list of a page: its poster, its title and a line of facts.
struct FilmCard: Sendable {
    /// Where cards stand, by which their posters are loaded.
    enum Role: Sendable {
        /// In a row that scrolls sideways, below other things.
        case rail
        /// In a grid at the top of a page: the first posters are loaded at once.
        case grid
        /// In a grid further down, or appended to one.
        case laterGrid

        /// The posters that are loaded at once: more would compete with the first.
        fileprivate static let eagerCount = 3

        fileprivate func loading(at place: Int) -> String {
            guard self == .grid, place < Self.eagerCount else { return "loading=\"lazy\" " }
            return place == 0 ? "fetchpriority=\"high\" " : ""
        }

        fileprivate var sizes: PictureModel.Sizes { self == .rail ? .railCard : .gridCard }
    }

    let film: MovieSummary
    /// Below the title; nil for the year and the director.
    var meta: String?
    /// Before the poster: a rank.
    var rank: Int?
    /// Below all of it: a form.
    var form: Markup?

    init(_ film: MovieSummary, meta: String? = nil, rank: Int? = nil, form: Markup? = nil) {
        self.film = film
        self.meta = meta
        self.rank = rank
        self.form = form
    }

    /// The cards of films, one behind another.
    ///
    /// - Parameter paint: Gets the colours of their posters.
    /// - Throws: ``Problem``, when their URLs cannot be signed.
    static func list(
        _ films: [MovieSummary], in request: PageRequest, role: Role, paint: inout PagePaint
    ) throws(Problem) -> Markup {
        try Self.list(films.map { FilmCard($0) }, in: request, role: role, paint: &paint)
    }

    /// The same for cards with more than the film.
    static func list(
        _ cards: [FilmCard], in request: PageRequest, role: Role, paint: inout PagePaint
    ) throws(Problem) -> Markup {
        var rendered: [Markup] = []
        for (place, card) in cards.enumerated() {
            let one = try card.rendered(in: request, role: role, place: place)
            _ = paint.add(one.colours)
            rendered.append(one.markup)
        }
        return rendered.joined()
    }

    private func rendered(in request: PageRequest, role: Role, place: Int) throws(Problem) -> RenderedCard {
        let poster = try request.site.pictures.poster(of: self.film, language: request.language.first)
        let loading = role.loading(at: place)
        let meta = self.meta ?? Self.facts(of: self.film, request.formats)
        // What a form holds differs between visitors.
        let isCached = self.form == nil
        let key = FilmCardKey(
            film: self.film, poster: poster, language: request.interface, explicitLanguage: request.explicitLanguage,
            variant: [loading, role.sizes.rawValue, meta, self.rank.map(String.init) ?? ""])
        if isCached, let known = request.site.cards.value(for: key) { return known }
        var paint = PagePaint()
        let picture = poster.map { PictureModel($0, role.sizes) }
        let markup = request.render(
            "card",
            [
                "title": self.film.title, "titleLang": self.film.titleLanguage(in: request),
                "url": request.links.film(self.film.id), "meta": meta, "rank": self.rank,
                "poster": picture.map { $0.model(&paint) }, "loadingHTML": Markup(html: loading),
                "formHTML": self.form,
            ])
        let card = RenderedCard(markup: markup, colours: picture?.colours ?? [])
        if isCached { request.site.cards.insert(card, for: key) }
        return card
    }

    /// Lines break behind the dot.
    private static let separator = "\u{A0}· "

    /// The year and the director, as far as they are known; when it returns to cinemas, that.
    private static func facts(of film: MovieSummary, _ formats: PageFormats) -> String {
        if let rerelease = film.rerelease {
            let years = rerelease.anniversary > 0 ? [formats("anniversary", count: rerelease.anniversary)] : []
            return ([formats("rerelease", ["date": formats.short(rerelease.date)])] + years).joined(
                separator: Self.separator)
        }
        return [film.year.map(String.init), film.directors.first].compactMap { $0 }.joined(separator: Self.separator)
    }
}

extension MovieSummary {
    /// The language of the title where it is not the page's: that of a title that was not translated.
    func titleLanguage(in request: PageRequest) -> String? {
        guard self.title == self.originalTitle, let language = self.originalLanguage, language != request.interface
        else { return nil }
        return language.code
    }
}
