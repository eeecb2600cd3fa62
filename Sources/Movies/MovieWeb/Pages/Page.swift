import HTTPServer
import HTTPTypes
import MovieDomain

/// The content of a page, and its settings for the frame and the response.
struct Page: Sendable {
    /// An entry of the main navigation.
    enum Navigation: Sendable, CaseIterable {
        case discover, boxOffice, store
    }

    /// The preview of links on other sites.
    struct ShareCard: Sendable {
        /// The Open Graph type, such as `video.movie`.
        var type = "website"
        /// The path and query of a picture of this site, or a URL.
        var image: String?
    }

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
    var share: ShareCard?
    var sources: [MovieSource] = []
    /// Whether scripts may add cards of films to a page without any.
    var receivesCards = false
    /// The current entry of the navigation; `nil` if the page is outside of it.
    var navigation: Navigation?

    init(title: String?, main: Markup, paint: PagePaint = PagePaint()) {
        self.title = title
        self.main = main
        self.paint = paint
    }
}
