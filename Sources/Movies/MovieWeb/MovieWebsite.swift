import Flights
package import HTTPServer
package import Hummingbird
import MovieDomain
package import MovieHTTP

/// The web pages about films, accounts and apps.
package struct MovieWebsite: Sendable {
    private let site: Website
    private let slots: PageSlots
    private let version: String?
    /// The operator's page and the token for it; `nil` omits the page.
    package var administration: (service: any SiteAdministration, token: AdminToken)?

    /// - Parameter version: The program's version for the about page; `nil` shows none.
    package init(
        _ services: MovieServices, pictures: any PictureURLs, publicURL: PublicURL?, files: WebFiles,
        version: String? = nil
    ) {
        self.site = Website(MovieUseCases(services, publicURL: publicURL), pictures: pictures, files: files)
        self.slots = PageSlots(
            templates: self.site.templates, texts: self.site.texts,
            tokens: FormTokens(key: services.formTokenKey))
        self.version = version
    }

    package func register(on router: Router<ServerRequestContext>) {
        let pages = PageResponder(self.site, slots: self.slots, on: router)
        HomePage.register(on: pages)
        FilmPage.register(on: pages)
        CreditsPage.register(on: pages)
        ReviewsPage.register(on: pages)
        GalleryPage.register(on: pages)
        PicturePage.register(on: pages)
        SimilarPage.register(on: pages)
        PersonPage.register(on: pages)
        BoxOfficePage.register(on: pages)
        StorePage.register(on: pages)
        AccountRoutes(self.site, slots: self.slots).register(on: router)
        ListPage.register(on: pages)
        DiscoverPage.register(on: pages)
        SeriesPage.register(on: pages)
        SearchPage.register(on: pages)
        AboutPage.register(on: pages, version: self.version)
        if let (service, token) = self.administration {
            AdminPages(
                site: self.site, session: AdminSession(token: token, now: self.site.services.now),
                administration: service,
                failures: ClientRateLimiter(AdminPages.failureLimit, now: Uptime.nanoseconds)
            ).register(on: router)
        }
        TitleCardRoute(site: self.site).register(on: router)
        WebAssets(self.site.files).register(on: router)
        self.site.files.siteFiles.register(on: router)
        SearchEngineFiles(self.site).register(on: router)
    }

    package var problems: any ProblemPages { ProblemPage(self.site) }
}
