package import HTTPServer
package import Hummingbird
import MovieDomain

/// Registers the resources of sessions, ratings, favourites and apps, and those in other services' formats.
package enum AccountResources {
    /// - Parameter responses: Builds the responses of the movie resources.
    package static func register(on router: Router<ServerRequestContext>, _ responses: MovieResponses) {
        let site = SiteOrigin(responses.publicURL)
        let authenticator = Self.authenticator(responses.services, publicURL: responses.publicURL)
        SignInController(responses.services, authenticator: authenticator, publicURL: responses.publicURL).register(
            on: router)
        if let approvals = responses.services.approvals {
            ApprovalController(handler: approvals, site: site).register(on: router)
        }
        AccountController(responses, authenticator: authenticator).register(on: router)
        FavouritesController(responses, authenticator: authenticator).register(on: router)
        AppsController(responses).register(on: router)
        NaverController(responses, site: site).register(on: router)
    }

    /// The resolver of principals by the sessions of the library.
    package static func principals(_ services: MovieServices, publicURL: PublicURL?) -> PrincipalResolver {
        let authenticator = Self.authenticator(services, publicURL: publicURL)
        return PrincipalResolver { headers in
            do {
                return try await authenticator.principal(of: headers)
            } catch is StorageFailure {
                // The library logs the failure itself; films without marks are better than an error.
                return .unknown(isBearer: false)
            }
        }
    }

    private static func authenticator(_ services: MovieServices, publicURL: PublicURL?) -> SessionAuthenticator {
        SessionAuthenticator(sessions: services.sessions, site: SiteOrigin(publicURL), now: services.now)
    }
}
