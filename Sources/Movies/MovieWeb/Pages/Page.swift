import HTTPServer
import HTTPTypes
import MovieDomain

/// What a screen shows.
struct Page: Sendable {
    /// A place of the main navigation.
    enum Navigation: Sendable, CaseIterable {
        case discover, boxOffice, store
    }

    /// How other sites show a link to it.
    struct ShareCard: Sendable {
        /// Of Open Graph, such as `video.movie`.
        var type = "website"
        /// The path and query of a picture of this site, or a URL; nil for none.
        var image: String?
    }

    /// Without the site's name; nil for the home page.
    let title: String?
    let main: Markup
    let paint: PagePaint
    /// nil for the lifetime of its kind of page.
    var caching: EncodedResponse.CachePolicy?
    var status = HTTPResponse.Status.ok
    var needs = ContentPolicy.Needs()
    /// Whether it needs the style sheet of the screens that are not films or lists.
    var needsMoreStyles = false
    /// Whether it has a search form of its own, in place of the one at the top.
    var hasSearch = false
    /// For search engines; nil for what the site says of itself.
    var description: String?
    var share: ShareCard?
    /// Whose data it shows.
    var sources: [MovieSource] = []
    /// Where it belongs; nil for nowhere.
    var navigation: Navigation?

    init(title: String?, main: Markup, paint: PagePaint = PagePaint()) {
        self.title = title
        self.main = main
        self.paint = paint
    }
}
