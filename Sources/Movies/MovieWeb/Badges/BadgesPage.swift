import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// `/badges`: a form with all options of badges, a preview with its URL, and the visitor's setting.
struct BadgesPage: Sendable {
    static let path = "/badges"
    /// Maximum length of a film's id, in characters: a source and a key.
    private static let idLimit = 80
    private static let imdbPrefix = "imdb:"

    private enum Subject {
        case film(MovieSummary)
        /// The key of a text, and the source that it is about.
        case problem(String, source: MovieSource?)
    }

    private let request: PageRequest
    private let token: String
    private let form: BadgeForm

    /// - Parameter token: The token of the visitor's forms.
    init(_ request: PageRequest, token: String) {
        self.request = request
        self.token = token
        self.form = BadgeForm(request)
    }

    private var formats: PageFormats { self.request.formats }
    private var site: Website { self.request.site }

    func page() async throws -> Page {
        let named = self.request[BadgeForm.filmParameter]
        let popular = self.site.popular.films(in: self.request.interface)
        let subject = try await self.subject(named, popular)
        var notes: [String] = []
        var preview: Model?
        var sources: [MovieSource] = []
        var film = named
        switch subject {
        case .film(let summary):
            preview = try self.preview(of: summary)
            sources = [summary.id.source]
            film = film ?? summary.id.description
        case .problem(let key, let source): notes.append(self.formats(key, ["source": source?.name ?? ""]))
        }
        if self.form.hasRefusedText { notes.append(self.formats("badgesTextRefused")) }
        if self.form.badges == nil { notes.append(self.formats("badgesNoneChosen")) }
        var model = self.form.model
        model["film"] = film
        model["idLimit"] = Self.idLimit
        model["films"] = popular.map { ["value": $0.id.description, "text": $0.title] as Model }
        model["explicitLanguage"] = self.request.explicitLanguage?.code
        model["notes"] = notes
        model["preview"] = preview
        model["setting"] = self.setting
        var page = Page(title: self.formats("badgesTitle"), main: self.request.render("badges", model))
        page.needsMoreStyles = true
        page.isIndexable = false
        page.sources = sources
        return page
    }

    // MARK: The film

    private func subject(_ named: String?, _ popular: [MovieSummary]) async throws -> Subject {
        do {
            guard let named else {
                if let film = popular.first { return .film(film) }
                let page = try await self.site.services.catalogue.list(
                    .popular, page: 1, language: self.request.language, region: self.request.region)
                return page.results.first.map { .film($0) } ?? .problem("errorUnknownFilm", source: nil)
            }
            guard let id = try await self.id(named) else { return .problem("badgesFilmRefused", source: nil) }
            return .film(try await self.request.film(id))
        } catch is UnknownMovie {
            return .problem("errorUnknownFilm", source: nil)
        } catch SourceFailure.off(let source, _) {
            return .problem("errorSourceOff", source: source)
        } catch let failure as SourceFailure {
            return .problem("unavailable", source: failure.source)
        }
    }

    /// - Parameter text: The id of a film, or its IMDb title with or without `imdb:`.
    /// - Returns: `nil` for other texts.
    /// - Throws: ``UnknownMovie``, ``SourceFailure``, `CancellationError`.
    private func id(_ text: String) async throws -> MovieID? {
        let text = text.drop { $0 == " " }.prefix(Self.idLimit)
        let key = text.hasPrefix(Self.imdbPrefix) ? text.dropFirst(Self.imdbPrefix.count) : text
        guard let title = MovieID(source: .omdb, key: String(key)) else { return MovieID(String(text)) }
        guard let find = self.site.services.findByIMDbTitle else { return nil }
        guard let id = try await find(title.key) else { throw UnknownMovie(title) }
        return id
    }

    // MARK: The preview

    private func preview(of film: MovieSummary) throws(Problem) -> Model {
        let url = try self.site.pictures.urls.picture(
            PictureID(film.id), width: self.form.width, badges: self.form.badges)
        let size = film.poster?.size
        let height = size.map { self.form.width * $0.height / max(1, $0.width) } ?? self.form.width * 3 / 2
        return [
            "url": url, "width": self.form.width, "height": height,
            "alt": self.formats("posterOf", ["title": film.title]), "title": film.title,
            "titleLang": film.titleLanguage(in: self.request), "filmURL": self.request.links.film(film.id),
        ]
    }

    // MARK: The setting

    private var setting: Model {
        let current = self.request.badges
        let words = BadgeWords(self.formats)
        // The text of a badge is no setting.
        let offered = self.form.badges.flatMap { $0.sources.isEmpty ? nil : $0 }
        return [
            "state": current.map {
                self.formats("badgesOn", ["names": self.formats.list($0.sources.map(words.source))])
            } ?? self.formats("badgesOff"),
            "isOn": current != nil,
            "token": self.token, "returnTo": self.request.returnPath.description,
            "offered": offered.map { badges -> Model in
                [
                    "badges": badges.sources.joined(separator: ","), "position": badges.position,
                    "style": badges.style, "colours": badges.colours,
                ]
            },
        ]
    }
}
