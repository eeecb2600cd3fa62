import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// The frame of all pages around their content.
struct Layout: Sendable {
    private static let languageNames: KeyValuePairs = ["ko": "한국어", "en": "English", "ja": "日本語"]

    /// Open Graph's names of the interface's languages.
    private static let locales = ["ko": "ko_KR", "en": "en_GB", "ja": "ja_JP"]

    private let page: Page
    private let request: PageRequest
    private let confirmedSecondsAgo: Int64?
    /// Whether the page has posters of films, which have the visitor's badges.
    private let hasPosters: Bool

    /// - Parameter confirmedSecondsAgo: The age of stored data that replaces a failing source's; `nil` for none.
    init(_ page: Page, _ request: PageRequest, confirmedSecondsAgo: Int64? = nil) {
        self.page = page
        self.request = request
        self.confirmedSecondsAgo = confirmedSecondsAgo
        self.hasPosters = page.main.description.contains("class=\"poster")
    }

    private var site: Website { self.request.site }

    /// Whether the page is one visitor's because of badges.
    private var hasBadges: Bool { self.request.badges != nil && self.hasPosters }

    /// The page as a response, not yet marked with the freshness of its parts.
    ///
    /// - Parameter lifetime: In seconds; used unless the page has its own policy.
    func response(lifetime: Int) -> EncodedResponse {
        let paint = self.page.paint.css
        let html = self.request.render(self.request.isPart ? "part" : "page", self.model(paint: paint))
        var caching = self.page.caching ?? .shared(seconds: lifetime)
        if self.hasBadges, caching != .none { caching = .own }
        var response = EncodedResponse.page(
            html.description, caching: caching,
            variance: self.request.languages.variance.union(self.hasPosters ? .cookie : []),
            extra: self.fields(paint: paint))
        response.status = self.page.status
        return response
    }

    private func model(paint: String) -> Model {
        let formats = self.request.formats
        let links = self.request.links
        var model: Model = [
            "lang": formats.language.code,
            "title": self.page.title.map { formats("titleOf", ["page": $0]) } ?? formats("siteTitle"),
            "paintCSS": Markup(html: paint), "mainHTML": self.page.main,
        ]
        guard !self.request.isPart else {
            // The template has it in an attribute.
            model["paintCSS"] = paint
            return model
        }
        model["sheetCSS"] = Markup(html: self.site.files.sheet)
        model["assets"] =
            [
                "more": self.page.needsMoreStyles ? self.site.asset("more.css") : nil,
                "theme": self.site.asset("theme.js"), "js": self.site.asset("onesheet.js"),
                "print": self.site.asset("print.css"), "icon": self.site.asset("icon.svg"),
                "touchIcon": self.site.asset("icon-180.png"),
            ] as Model
        model["description"] = self.page.description ?? formats("siteDescription")
        model["canonical"] = self.absolute(self.canonical)
        model["alternates"] = self.translations(absolute: true)
        model["share"] = self.share
        model["structuredHTML"] = self.page.structured?.markup
        model["manifest"] = "/manifest.webmanifest?language=\(formats.language)"
        model["scriptStrings"] = self.site.files.scriptTexts[formats.language]
        model["cardFormHTML"] = self.cardForm
        model["worker"] = true
        model["links"] =
            [
                "home": links.home, "search": links.search, "about": links.about, "account": links.account,
                "badges": links.badges,
            ] as Model
        model["nav"] = self.navigation
        model["noFinder"] = self.page.hasSearch
        model["explicitLanguage"] = self.request.explicitLanguage?.code
        model["accountHTML"] = MarkKind.favourite.icon + Markup(formats("navMine"))
        model["languages"] = self.translations(absolute: false)
        model["staleNote"] = self.confirmedSecondsAgo.map {
            formats("staleNote", ["ago": formats.ago(seconds: $0)])
        }
        model["attributions"] = self.attributions
        return model
    }

    /// The form of the cards' buttons, if the page has cards or may receive some.
    private var cardForm: Markup? {
        guard self.page.receivesCards || self.page.main.description.contains("form=\"marks\"") else { return nil }
        return PageSlot.cardForm.markup
    }

    /// The address without a language: the page's address for readers of any language.
    private var canonical: String { self.request.address(links: PageLinks(language: nil)) }

    private func absolute(_ path: String) -> String { self.site.useCases.publicURL.address(of: path) }

    private func translations(absolute: Bool) -> [Model] {
        Self.languageNames.map { code, name in
            let path = self.request.address(links: PageLinks(language: Language(code)))
            return [
                "lang": code, "name": name, "url": absolute ? self.absolute(path) : path,
                "isHere": code == self.request.interface.code,
            ]
        }
    }

    private var share: Model? {
        self.page.share?.model(
            title: self.page.title ?? self.request.formats("siteTitle"),
            url: self.site.useCases.publicURL.map { _ in self.absolute(self.canonical) },
            locale: Self.locales[self.request.interface.code] ?? self.request.interface.code,
            absolute: self.absolute)
    }

    private var navigation: [Model] {
        let (formats, links) = (self.request.formats, self.request.links)
        return Page.Navigation.allCases.map { place in
            let (url, name) =
                switch place {
                case .discover: (links.discover, "navDiscover")
                case .lists: (links.list(.popular), "navLists")
                case .boxOffice: (links.boxOffice, "navBoxOffice")
                case .store: (links.store, "navStore")
                }
            return ["url": url, "name": formats(name), "isHere": place == self.page.navigation]
        }
    }

    private var attributions: [String] {
        let invented = self.page.sources.contains(.embedded) ? [self.request.formats("filmAttributionInvented")] : []
        return (Attribution.texts(of: self.page.sources) ?? []) + invented
    }

    private func fields(paint: String) -> HTTPFields {
        PageFields.make(
            policy: ContentPolicy.fieldValue(
                sheet: self.site.files.sheetSource, paint: ContentPolicy.source(of: paint),
                pictures: self.site.pictureOrigin, needs: self.page.needs),
            language: self.request.interface, hints: self.site.pictures.urls.acceptedHints,
            // Prefetched pages would be stored before the visit.
            speculation: self.request.isPart || self.hasBadges ? nil : self.site.asset("speculation.json"),
            isIndexable: self.page.isIndexable && !self.request.isPart)
    }
}
