import HTTPServer
import HTTPTypes
import MovieDomain

/// The content of a page, and its settings for the frame and the response.
struct Page: Sendable {
    /// An entry of the main navigation.
    enum Navigation: Sendable, CaseIterable {
        case discover, lists, boxOffice, store
    }

    /// Maximum length of a description for search engines, in characters.
    private static let descriptionLength = 200

    /// Without the site's name; `nil` for the home page.
    let title: String?
    let main: Markup
    let paint: PagePaint
    /// `nil` for the lifetime of the page's route.
    var caching: EncodedResponse.CachePolicy?
    var status = HTTPResponse.Status.ok
    var needs = ContentPolicy.Needs()
    /// Whether the page uses the style sheet for other pages than films and lists.
    var needsMoreStyles = false
    /// Whether the page has its own search form, which replaces the one at the top.
    var hasSearch = false
    /// The description for search engines; `nil` for the site's.
    var description: String?
    /// `nil` for pages that are not shared, such as a visitor's own.
    var share: ShareCard?
    /// The data for search engines; `nil` for none.
    var structured: StructuredData?
    /// Whether search engines may list the page.
    var isIndexable = true
    var sources: [MovieSource] = []
    /// Whether scripts may add cards of films to a page without any.
    var receivesCards = false
    /// The current entry of the navigation; `nil` if the page is outside of it.
    var navigation: Navigation?

    /// The beginning of a text, as a description for search engines.
    static func description(_ text: String) -> String { String(text.prefix(Self.descriptionLength)) }

    init(title: String?, main: Markup, paint: PagePaint = PagePaint()) {
        self.title = title
        self.main = main
        self.paint = paint
    }
}
