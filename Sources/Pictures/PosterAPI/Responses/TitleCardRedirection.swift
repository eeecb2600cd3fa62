import HTTPSemantics
import HTTPTypes
import Hummingbird
import PosterPipeline

/// Redirects from a picture that fails to the film's title card, for pages: browsers log every picture with the status
/// of an error, whether or not a script handles it.
enum TitleCardRedirection {
    /// The picture may exist soon. In seconds.
    private static let lifetime = 60

    /// - Parameters:
    ///   - target: `/poster/{id}`, with any query.
    ///   - language: The language of the film's title.
    /// - Returns: 302 to `/films/{id}/card.svg`.
    static func response(to target: RequestTarget, language: String) -> Response {
        var headers: HTTPFields = [
            .location: "/films/\(target.segments[1])/card.svg?language=\(language)",
            .cacheControl: "public, max-age=\(Self.lifetime)",
        ]
        headers.openToAllOrigins()
        return Response(status: .found, headers: headers)
    }
}

extension PosterError {
    /// Whether the picture or its origin failed. Other failures are this server's, and pass within seconds.
    var isOfPicture: Bool {
        switch self {
        case .unacceptableKey, .tooLarge, .unrenderable, .overloaded, .cutOff, .storageFailed: false
        default: true
        }
    }
}
