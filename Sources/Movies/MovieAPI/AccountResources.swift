package import HTTPServer
package import Hummingbird
import MovieDomain
package import PosterAPI

/// What people have to themselves: sessions, ratings, favourites; and the resources that other services' clients expect.
package enum AccountResources {
    /// - Parameter desk: What the resources about films have in common.
    package static func register(on router: Router<PosterRequestContext>, _ desk: FilmDesk) {
        let site = RequestSite(desk.links)
        let holders = Self.holders(desk.services, links: desk.links)
        SignInController(desk.services, holders: holders, links: desk.links).register(on: router)
        if let approvals = desk.services.approvals {
            ApprovalController(desk: approvals, site: site).register(on: router)
        }
        AccountController(desk, holders: holders).register(on: router)
        FavouritesController(desk, holders: holders).register(on: router)
        AppsController(desk).register(on: router)
        NaverController(desk, site: site).register(on: router)
    }

    /// Who makes a request, as far as films look different to them.
    package static func callers(_ services: MovieServices, links: PosterLinks) -> FilmCallers {
        let holders = Self.holders(services, links: links)
        return FilmCallers { headers in
            do {
                return try await holders.caller(headers)
            } catch is StorageFailure {
                // The library tells of it by itself; films are shown as to nobody rather than not at all.
                return .unknown(isBearer: false)
            }
        }
    }

    private static func holders(_ services: MovieServices, links: PosterLinks) -> TokenHolders {
        TokenHolders(sessions: services.sessions, site: RequestSite(links), now: services.now)
    }
}
