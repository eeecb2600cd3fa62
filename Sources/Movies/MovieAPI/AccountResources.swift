package import HTTPServer
package import Hummingbird
import MovieDomain

/// What people have to themselves: sessions, ratings, favourites; and the resources that other services' clients expect.
package enum AccountResources {
    /// - Parameter desk: What the resources about films have in common.
    package static func register(on router: Router<PosterRequestContext>, _ responses: MovieResponses) {
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

    /// Who makes a request, as far as films look different to them.
    package static func principals(_ services: MovieServices, publicURL: PublicURL?) -> PrincipalResolver {
        let authenticator = Self.authenticator(services, publicURL: publicURL)
        return PrincipalResolver { headers in
            do {
                return try await authenticator.principal(of: headers)
            } catch is StorageFailure {
                // The library tells of it by itself; films are shown as to nobody rather than not at all.
                return .unknown(isBearer: false)
            }
        }
    }

    private static func authenticator(_ services: MovieServices, publicURL: PublicURL?) -> SessionAuthenticator {
        SessionAuthenticator(sessions: services.sessions, site: SiteOrigin(publicURL), now: services.now)
    }
}
