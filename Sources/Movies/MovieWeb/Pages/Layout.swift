import FoundationEssentials
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP

/// What every page has around its content.
struct Layout: Sendable {
    /// Texts of scripts.
    static let scriptTexts = [
        "moreLoading", "moreLoaded", "moreFailed", "filmShared", "filmShareLabel", "changeFailed", "changeOffline",
        "offlineNote", "onlineAgain", "favouriteAdded", "favouriteRemoved", "watchlistAdded", "watchlistRemoved",
        "rateSaved", "rateRemoved", "rateValue", "rateRemove",
    ]
    private static let languageNames: KeyValuePairs = ["ko": "한국어", "en": "English", "ja": "日本語"]

    private let page: Page
    private let request: PageRequest

    init(_ page: Page, _ request: PageRequest) {
        self.page = page
        self.request = request
    }

    private var site: Website { self.request.site }

    /// The page as a response, without the marks of the freshness of its parts.
    ///
    /// - Parameter lifetime: In seconds, where the page says nothing.
    func response(lifetime: Int) -> EncodedResponse {
        let paint = self.page.paint.css
        let html = self.request.render(self.request.isPart ? "part" : "page", self.model(paint: paint))
        var response = EncodedResponse.page(
            html.description, caching: self.page.caching ?? .shared(seconds: lifetime),
            variance: self.request.languages.variance, extra: self.fields(paint: paint))
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
            // It stands in an attribute there.
            model["paintCSS"] = paint
            return model
        }
        model["sheetCSS"] = Markup(html: self.site.sheet)
        model["assets"] =
            [
                "more": self.page.needsMoreStyles ? self.site.asset("more.css") : nil,
                "js": self.site.asset("onesheet.js"),
                "print": self.site.asset("print.css"), "icon": self.site.asset("icon.svg"),
                "touchIcon": self.site.asset("icon-180.png"),
            ] as Model
        model["description"] = self.page.description ?? formats("siteDescription")
        model["canonical"] = self.absolute(self.canonical)
        model["alternates"] = self.translations(absolute: true)
        model["share"] = self.share
        model["manifest"] = "/manifest.webmanifest?language=\(formats.language)"
        model["scriptStrings"] = self.scriptStrings
        model["worker"] = true
        model["links"] =
            ["home": links.home, "search": links.search, "about": links.about, "account": links.account] as Model
        model["nav"] = self.navigation
        model["noFinder"] = self.page.hasSearch
        model["explicitLanguage"] = self.request.explicitLanguage?.code
        model["accountHTML"] = MarkKind.favourite.icon + Markup(formats("navMine"))
        model["languages"] = self.translations(absolute: false)
        model["attributions"] = self.attributions
        return model
    }

    /// The address without a language: that of the page for readers of any.
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

    /// Other sites need whole URLs.
    private var share: Model? {
        guard let share = self.page.share, self.site.useCases.publicURL != nil else { return nil }
        let image = share.image.map { $0.hasPrefix("/") ? self.absolute($0) : $0 }
        return [
            "title": self.page.title, "type": share.type, "url": self.absolute(self.canonical), "image": image,
        ]
    }

    private var navigation: [Model] {
        let (formats, links) = (self.request.formats, self.request.links)
        return Page.Navigation.allCases.map { place in
            let (url, name) =
                switch place {
                case .discover: (links.discover, "navDiscover")
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

    private var scriptStrings: String {
        let texts = Self.scriptTexts.map { ($0, self.site.texts.text($0, in: self.request.interface) ?? "") }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(Dictionary(uniqueKeysWithValues: texts)) else { return "{}" }
        return String(decoding: json, as: UTF8.self)
    }

    private func fields(paint: String) -> HTTPFields {
        PageFields.make(
            policy: ContentPolicy.fieldValue(
                sheet: self.site.sheetSource, paint: ContentPolicy.source(of: paint),
                pictures: self.site.pictureOrigin, needs: self.page.needs),
            language: self.request.interface, hints: self.site.pictures.urls.acceptedHints,
            speculation: self.request.isPart ? nil : self.site.asset("speculation.json"), isPart: self.request.isPart)
    }
}
