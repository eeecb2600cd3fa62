import HTTPServer
import MovieDomain

/// The addresses of pages for search engines (sitemaps.org), each with its translations as alternates.
///
/// Without dates: the sources do not state when their data changed.
struct Sitemap: Sendable {
    static let path = "/sitemap.xml"
    /// Maximum number of addresses; the protocol permits 50,000.
    static let limit = 1000

    private static let pages = ["/", "/discover", "/box-office", "/store", "/about"] + FilmList.allCases.map(\.path)
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">

        """

    /// Whether all lists of films were available.
    let isWhole: Bool
    let xml: String

    /// Lists the site's own pages, and the films of the lists' first pages: the home page's requests, which are shared
    /// with it. Of the embedded catalogue, which needs no requests, all films.
    ///
    /// - Throws: `CancellationError`; failures of a source only omit its films.
    init(
        _ publicURL: PublicURL, catalogue: any MovieCatalogue, language: LanguagePreference, region: Country?
    ) async throws {
        var films: [MovieSummary] = []
        var isWhole = true
        do {
            if catalogue.source == .embedded {
                films = try await Self.all(of: catalogue, language: language)
            } else {
                for section in try await ShowHome(catalogue: catalogue)(language: language, region: region) {
                    switch section.movies {
                    case .success(let page): films += page.results
                    case .failure: isWhole = false
                    }
                }
            }
        } catch is SourceFailure {
            isWhole = false
        }
        var seen: Set<MovieID> = []
        let links = PageLinks(language: nil)
        let paths = Self.pages + films.map(\.id).filter { seen.insert($0).inserted }.map { links.film($0) }
        self.isWhole = isWhole
        self.xml =
            Self.head + paths.prefix(Self.limit).map { Self.entry($0, publicURL) }.joined() + "</urlset>\n"
    }

    private static func all(
        of catalogue: any MovieCatalogue, language: LanguagePreference
    ) async throws -> [MovieSummary] {
        var films: [MovieSummary] = []
        var number = 1
        while films.count < Self.limit {
            let page = try await catalogue.discover(FilmFilter(), page: number, language: language, region: nil)
            films += page.results
            guard number < min(page.totalPages, catalogue.pageLimit) else { break }
            number += 1
        }
        return films
    }

    /// The address without a language, which pages name as the canonical one, and its alternates.
    private static func entry(_ path: String, _ publicURL: PublicURL) -> String {
        let escaped = { (path: String) in ScalarHTML.escape(publicURL.text + path) }
        let alternates = TranslatedTexts.languages.map { language in
            (language.code, PageLinks(language: language).url(path))
        }
        let links = (alternates + [("x-default", path)]).map { code, path in
            "<xhtml:link rel=\"alternate\" hreflang=\"\(code)\" href=\"\(escaped(path))\"/>"
        }
        return "<url><loc>\(escaped(path))</loc>\(links.joined())</url>\n"
    }
}
