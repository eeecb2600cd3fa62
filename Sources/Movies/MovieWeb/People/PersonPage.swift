import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `GET /persons/{id}`: a person with all their films.
struct PersonPage: Sendable {
    /// The largest number of films shown as posters; more are a list by year.
    private static let posterLimit = 12
    /// Maximum number of films reported for rendering their posters ahead: the ones visible first.
    private static let warmedCount = 20

    let person: Person
    let request: PageRequest

    static func register(on responder: PageResponder) {
        responder.get("/persons/:id", lifetime: CacheLifetime.details, Self.page)
    }

    @Sendable
    static func page(_ request: PageRequest) async throws -> Page {
        let text = request.segments.count > 1 ? request.segments[1] : ""
        guard let id = PersonID(text) else {
            throw Problem(
                .invalidID,
                "the id is not a person id; it must be [source:]key, such as tmdb:31 or fritz-lang; only tmdb and "
                    + "sample have people"
            )
        }
        try request.checkSpelling(id.description)
        let person = try await request.site.services.showPerson(id, language: request.language)
        request.reportServed(person.films.prefix(Self.warmedCount).map(\.movie.id))
        return try PersonPage(person: person, request: request).page()
    }

    private func page() throws(Problem) -> Page {
        let formats = self.request.formats
        var paint = PagePaint()
        let picture = try self.request.site.pictures.urls.portrait(self.person.portrait, widths: .page)
        let alt = formats("portraitOf", ["name": self.person.name])
        var portrait = picture.map { PictureModel($0).model(&paint, named: "paint-portrait") }
        portrait?["alt"] = alt
        let original: Model = ["text": self.person.originalName]
        let biography: Model = ["paragraphs": self.person.biography.paragraphs]
        let facts = self.facts()
        let count = formats("personMovies", count: self.person.films.count)
        let summary = [self.person.department?.name(in: formats.preference), count].compactMap { $0 }
        let main = self.request.render(
            "person",
            [
                "portrait": portrait, "name": self.person.name,
                "original": self.person.originalName.isEmpty ? nil : original,
                "summary": summary.joined(separator: " · "),
                "biography": self.person.biography.isEmpty ? nil : biography,
                "films": self.person.films.isEmpty ? nil : try self.films(count: count, paint: &paint),
                "facts": facts.isEmpty ? nil : ["rows": facts] as Model,
            ])
        var page = Page(title: self.person.name, main: main, paint: paint)
        page.needsMoreStyles = true
        page.sources = [self.person.id.source]
        page.description = self.person.biography.isEmpty ? nil : Page.description(self.person.biography)
        page.share = ShareCard(
            type: "profile", image: picture.map { ShareCard.Image($0, alt: alt, isScene: false) })
        page.structured = StructuredData(self.request.breadcrumbs(self.person.name))
        return page
    }

    private func films(count: String, paint: inout PagePaint) throws(Problem) -> Model {
        let films = self.person.films
        guard films.count > Self.posterLimit else {
            let cards = films.map { film in
                let meta = [self.year(of: film.movie), self.parts(of: film)].filter { !$0.isEmpty }
                return FilmCard(film.movie, meta: meta.joined(separator: " · "))
            }
            return [
                "count": count, "hasCards": true, "hasRows": false,
                "cardsHTML": try FilmCard.list(
                    cards, in: self.request, role: self.person.portrait == nil ? .grid : .laterGrid, paint: &paint),
            ]
        }
        var rows: [Model] = []
        for film in films { rows.append(try self.row(film, paint: &paint)) }
        return ["count": count, "hasCards": false, "hasRows": true, "rows": rows]
    }

    private func row(_ film: Person.FilmPart, paint: inout PagePaint) throws(Problem) -> Model {
        let poster = try self.request.poster(of: film.movie)
        return [
            "year": self.year(of: film.movie), "poster": poster.picture.map { PictureModel($0).model(&paint) },
            "cardHTML": poster.card(),
            "title": film.movie.title, "titleLang": film.movie.titleLanguage(in: self.request),
            "url": self.request.links.film(film.movie.id), "parts": self.parts(of: film),
        ]
    }

    private func year(of film: MovieSummary) -> String {
        film.year.map(String.init) ?? self.request.formats("personNoYear")
    }

    /// The person's roles, followed by jobs.
    private func parts(of film: Person.FilmPart) -> String {
        let formats = self.request.formats
        let acting = Department.acting.name(in: formats.preference)
        let roles = film.roles.map { $0.isEmpty ? acting : formats("personRole", ["role": $0]) }
        let jobs = film.jobs.map { $0.job.name(in: formats.preference) ?? $0.sourceJob }.filter { !$0.isEmpty }
        var once: [String] = []
        for part in roles + jobs where !once.contains(part) { once.append(part) }
        return formats.list(once)
    }

    private func facts() -> [Model] {
        let formats = self.request.formats
        let person = self.person
        let facts: [(key: String, value: String?, url: String?)] = [
            ("personBorn", person.birthday.map(formats.long), nil),
            ("personDied", person.deathday.map(formats.long), nil),
            ("personPlace", person.placeOfBirth, nil), ("personNames", formats.list(person.otherNames), nil),
            ("personHomepage", person.homepage, person.homepage.flatMap { OuterLink($0)?.description }),
        ]
        return facts.compactMap { key, value, url in
            guard let value, !value.isEmpty else { return nil }
            return ["label": formats(key), "value": value, "url": url]
        }
    }
}
