import HTTPSemantics
import HTTPServer

/// The languages that URLs of pictures are written in, by their paths.
package enum PictureRoute {
    /// OneSheet's own: the id, still percent-encoded.
    case poster(id: Substring)
    /// TMDB's: what is between the slashes, still percent-encoded.
    case tmdb(size: Substring, file: Substring)
    /// That of Next.js's image loader.
    case next
    /// OneSheet's own, for other people's pictures.
    case proxy

    /// - Returns: nil when there is no picture at this path.
    init?(_ target: RequestTarget) {
        let segments = target.segments
        // No two paths for one picture: an empty segment is none that may be left out.
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
    /// The templates of all of them, what is asked for most first.
    package static let routes = [
        RequestFacts.posterRoute, PictureRoute.tmdbRoute, PictureRoute.nextRoute, PictureRoute.proxyRoute,
    ]

    /// The template of its resource.
    var route: String {
        switch self {
        case .poster: RequestFacts.posterRoute
        case .tmdb: Self.tmdbRoute
        case .next: Self.nextRoute
        case .proxy: Self.proxyRoute
        }
    }
}
