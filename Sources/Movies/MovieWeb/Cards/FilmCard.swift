import BoundedCache
import HTTPSemantics
import HTTPServer
import MovieDomain

/// A film in a page's list: its poster, its title and a line of facts.
struct FilmCard: Sendable {
    /// The place of cards in a page, which determines how their posters are loaded.
    enum Role: Sendable {
        /// In a row that scrolls sideways, below other content.
        case rail
        /// In a grid at the top of a page: the first posters are loaded eagerly.
        case grid
        /// In a grid further down, or appended to one.
        case laterGrid

        /// The number of posters loaded eagerly: more would compete with the first.
        fileprivate static let eagerCount = 3

        fileprivate func loading(at place: Int) -> String {
            guard self == .grid, place < Self.eagerCount else { return "loading=\"lazy\" " }
            return place == 0 ? "fetchpriority=\"high\" " : ""
        }

        fileprivate var sizes: PictureModel.Sizes { self == .rail ? .railCard : .gridCard }
    }

    /// The style sheet clamps titles to three lines. In characters, which a narrow card may not show completely.
    private static let clampedLength = 15

    let film: MovieSummary
    /// The line below the title; `nil` for the year and the director.
    var meta: String?
    /// Shown before the poster.
    var rank: Int?
    /// Shown below the card.
    var form: Markup?
    /// The lists that the card has a button for.
    var marks: [MarkKind]

    init(
        _ film: MovieSummary, meta: String? = nil, rank: Int? = nil, form: Markup? = nil,
        marks: [MarkKind] = MarkKind.allCases
    ) {
        self.film = film
        self.meta = meta
        self.rank = rank
        self.form = form
        self.marks = marks
    }

    /// - Parameter paint: Receives the posters' colours.
    /// - Throws: ``Problem`` if the posters' URLs cannot be signed.
    static func list(
        _ films: [MovieSummary], in request: PageRequest, role: Role, paint: inout PagePaint
    ) throws(Problem) -> Markup {
        try Self.list(films.map { FilmCard($0) }, in: request, role: role, paint: &paint)
    }

    /// As above, for cards with more than a film.
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
        let poster = try request.poster(of: self.film)
        let loading = role.loading(at: place)
        let meta = self.meta ?? Self.facts(of: self.film, request.formats)
        // Forms differ between visitors.
        let isCached = self.form == nil
        let key = FilmCardKey(
            film: self.film, poster: poster, language: request.interface, explicitLanguage: request.explicitLanguage,
            variant: [loading, role.sizes.rawValue, meta, self.rank.map(String.init) ?? ""]
                + self.marks.map(\.rawValue))
        if isCached, let known = request.site.cards.value(for: key) { return known }
        var paint = PagePaint()
        let picture = poster.picture.map { PictureModel($0, role.sizes) }
        let markup = request.render(
            "card",
            [
                "title": self.film.title,
                "whole": self.film.title.count > Self.clampedLength ? self.film.title : nil,
                "titleLang": self.film.titleLanguage(in: request),
                "url": request.links.film(self.film.id), "meta": meta, "rank": self.rank,
                "poster": picture.map { $0.model(&paint) }, "cardHTML": poster.card(),
                "loadingHTML": Markup(html: loading), "formHTML": self.form,
                "marks": self.marks.map { self.model(of: $0, request.formats) },
            ])
        let card = RenderedCard(markup: markup, colours: picture?.colours ?? [])
        if isCached { request.site.cards.insert(card, for: key) }
        return card
    }

    /// Its state is a visitor's: the card is the same for all.
    private func model(of kind: MarkKind, _ formats: PageFormats) -> Model {
        [
            "action": kind.action(on: self.film.id), "label": formats("\(kind.rawValue)Of", ["title": self.film.title]),
            "stateHTML": PageSlot.state(kind, self.film.id).markup,
        ]
    }

    /// Lines break after the dot.
    private static let separator = "\u{A0}· "

    /// The year and the director, as far as known; the date of a rerelease instead.
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
    /// The language of an untranslated title; `nil` if it is the page's.
    func titleLanguage(in request: PageRequest) -> String? {
        guard self.title == self.originalTitle, let language = self.originalLanguage, language != request.interface
        else { return nil }
        return language.code
    }
}
