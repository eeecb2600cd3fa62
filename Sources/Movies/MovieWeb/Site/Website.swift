import BoundedCache
import HTTPServer
import MovieDomain
import MovieHTTP

/// The dependencies shared by all pages.
struct Website: Sendable {
    private static let cardLimit = 4096

    let useCases: MovieUseCases
    /// With the picture widths of pages.
    let pictures: FilmPictures
    let files: WebFiles
    let cards = BoundedCache<FilmCardKey, RenderedCard>(countLimit: Self.cardLimit)
    let titles = FilmTitles()
    /// For pages without films of their own.
    let popular = PopularFilms()

    init(_ useCases: MovieUseCases, pictures: any PictureURLs, files: WebFiles) {
        self.useCases = useCases
        self.pictures = FilmPictures(useCases.services, urls: pictures, widths: .page)
        self.files = files
    }

    /// The origin of the public URL, at which clients reach pictures; `nil` if no public URL is configured.
    var pictureOrigin: String? {
        guard let url = self.useCases.publicURL?.text, let scheme = url.firstRange(of: "://") else { return nil }
        let host = url[scheme.upperBound...].prefix { $0 != "/" }
        return "\(url[..<scheme.upperBound])\(host)"
    }

    var services: MovieServices { self.useCases.services }
    var texts: TranslatedTexts { self.files.resources.texts }
    var templates: TemplateLibrary { self.files.templates }

    func asset(_ name: String) -> String { self.files.resources.address(of: name) }
}

/// The values that determine a rendered card.
struct FilmCardKey: Hashable, Sendable {
    let film: MovieSummary
    let poster: FilmPoster
    /// The interface's language.
    let language: Language
    /// The language that links keep.
    let explicitLanguage: Language?
    /// Further content: the poster's loading attributes, and texts other than the film's.
    let variant: [String]
}

/// A card, and the colours of its poster's placeholder.
struct RenderedCard: Sendable {
    let markup: Markup
    let colours: [String]
}
