package import HTTPServer
package import Hummingbird
import MovieDomain
package import MovieHTTP

/// The resources about films, accounts and apps.
package enum MovieResources {
    /// - Parameter leadsPeople: Whether `/films/{id}` redirects to the resources, for a server without pages.
    package static func register(
        on router: Router<ServerRequestContext>, _ services: MovieServices, pictures: any PictureURLs,
        publicURL: PublicURL?, leadsPeople: Bool
    ) {
        let responses = MovieResponses(services, pictures: pictures, publicURL: publicURL)
        ListController(responses: responses).register(on: router)
        DiscoverController(responses: responses).register(on: router)
        CollectionController(responses: responses).register(on: router)
        MovieController(responses: responses).register(on: router)
        FilmImagesController(responses: responses).register(on: router)
        OffersController(responses: responses).register(on: router)
        PeopleController(responses: responses).register(on: router)
        BoxOfficeController(responses: responses).register(on: router)
        if leadsPeople { FilmPageController(responses: responses).register(on: router) }
        PosterCandidatesController.register(on: router, responses)
        SignInController(responses).register(on: router)
        if let approvals = services.approvals { ApprovalController(handler: approvals).register(on: router) }
        AccountController(responses).register(on: router)
        UserDataController(responses).register(on: router)
        MarksController(responses: responses).register(on: router)
        for list in SavedFilmsController.List.allCases {
            SavedFilmsController(list, responses).register(on: router)
        }
        AppsController(responses).register(on: router)
    }
}
