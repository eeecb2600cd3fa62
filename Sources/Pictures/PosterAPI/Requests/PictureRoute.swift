import HTTPSemantics
import HTTPServer

/// The routes of pictures: OneSheet's own and those compatible with TMDB and Next.js.
package enum PictureRoute {
    /// `/poster/{id}`; the id is percent-encoded.
    case poster(id: Substring)
    /// `/t/p/{size}/{file}` of TMDB; both are percent-encoded.
    case tmdb(size: Substring, file: Substring)
    /// `/_next/image` of Next.js's image loader.
    case next
    /// `/proxy`, for pictures at remote URLs.
    case proxy

    /// - Returns: nil when the path is not a picture's.
    init?(_ target: RequestTarget) {
        let segments = target.segments
        // An empty segment is not skipped: one picture has one path.
        guard segments.allSatisfy({ !$0.isEmpty }) else { return nil }
        switch segments.count {
        case 1 where segments[0] == "proxy": self = .proxy
        case 2 where segments[0] == "poster": self = .poster(id: segments[1])
        case 2 where segments[0] == "_next" && segments[1] == "image": self = .next
        case 4 where segments[0] == "t" && segments[1] == "p": self = .tmdb(size: segments[2], file: segments[3])
        default: return nil
        }
    }

    private static let tmdbRoute = "/t/p/{size}/{file}"
    private static let nextRoute = "/_next/image"
    private static let proxyRoute = "/proxy"
    /// The templates of all routes, the most frequent first.
    package static let routes = [
        RequestRecord.posterRoute, PictureRoute.tmdbRoute, PictureRoute.nextRoute, PictureRoute.proxyRoute,
    ]

    /// The route's template, for metrics.
    var route: String {
        switch self {
        case .poster: RequestRecord.posterRoute
        case .tmdb: Self.tmdbRoute
        case .next: Self.nextRoute
        case .proxy: Self.proxyRoute
        }
    }
}
