import BoundedCache
import HTTPServer
import MovieDomain
import MovieHTTP

/// What all screens use.
struct Website: Sendable {
    /// The most rendered cards of films.
    private static let cardLimit = 4096

    let useCases: MovieUseCases
    /// Of the widths that pages show.
    let pictures: FilmPictures
    let files: WebFiles
    /// Rendered cards of films.
    let cards = BoundedCache<FilmCardKey, RenderedCard>(countLimit: Self.cardLimit)
    /// For pages that have no films of their own.
    let popular = PopularFilms()

    init(_ useCases: MovieUseCases, pictures: any PictureURLs, files: WebFiles) {
        self.useCases = useCases
        self.pictures = FilmPictures(useCases.services, urls: pictures, widths: .page)
        self.files = files
    }

    /// The origin of pictures where clients reach them elsewhere than pages; nil for that of the page.
    var pictureOrigin: String? {
        guard let url = self.useCases.publicURL?.text, let scheme = url.firstRange(of: "://") else { return nil }
        let host = url[scheme.upperBound...].prefix { $0 != "/" }
        return "\(url[..<scheme.upperBound])\(host)"
    }

    var services: MovieServices { self.useCases.services }
    var texts: TextTable { self.files.resources.texts }
    var templates: TemplateLibrary { self.files.templates }

    /// The address of a file of `assets` or `icons`.
    func asset(_ name: String) -> String { self.files.resources.address(of: name) }
}

/// What a film's card depends on.
struct FilmCardKey: Hashable, Sendable {
    let film: MovieSummary
    let poster: PosterObject?
    /// Of the interface.
    let language: Language
    /// That links carry along.
    let explicitLanguage: Language?
    /// What else is in it: how its poster is loaded, and texts that others than films have.
    let variant: [String]
}

/// A card, and the colours that its poster has until it is there.
struct RenderedCard: Sendable {
    let markup: Markup
    let colours: [String]
}
