import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import PosterCodec
import PosterPipeline

/// Redirects from RPDB's paths, which contain clients' keys, to one URL of `/poster` for equal settings, so that a
/// cache in front of the server has one copy.
enum RPDBRedirection {
    /// A key's settings may change at the next start. In seconds.
    private static let lifetime = 3600

    /// - Parameters:
    ///   - base: The server's URL for clients; empty for relative URLs.
    ///   - negotiates: Whether `Accept` selects the format.
    /// - Returns: 302; `nil` if `/poster` does not serve the picture.
    static func response(
        to asked: RPDBRequest, _ picture: RPDBPicture, badges: BadgeRequest?, policy: PicturePolicy, base: String,
        negotiates: Bool
    ) -> Response? {
        // Their sizes are not on ladders, their clients cannot sign, and text needs a signature.
        // `/poster` has no placeholder for a picture that fails.
        guard picture.isAtPoster, policy.ladder == nil, !policy.requiresSignatures, !asked.hasFallback else {
            return nil
        }
        var target = "/poster/\(PercentEncoding.encode(picture.id.shortText.utf8))"
        target += "?w=\(asked.box.width)&h=\(asked.box.height)" + (asked.kind == .logo ? "" : "&fit=cover")
        if policy.usesHints { target += "&dpr=1" }
        if !negotiates { target += "&format=\(asked.kind == .logo ? "png" : "jpeg")" }
        if asked.kind.hasBadges, let badges { target += badges.query }
        var headers: HTTPFields = [
            .location: base + target, .cacheControl: "public, max-age=\(Self.lifetime)",
        ]
        headers.openToAllOrigins()
        return Response(status: .found, headers: headers)
    }
}

extension BadgeRequest {
    /// The settings as URL parameters with a leading `&`, without defaults; ``text`` is left out.
    fileprivate var query: String {
        "&badges=" + self.sources.map(\.rawValue).joined(separator: ",")
            + (self.position == .bottom ? "" : "&badge-position=\(self.position.rawValue)")
            + (self.style == .pill ? "" : "&badge-style=\(self.style.rawValue)")
            + (self.colours == .value ? "" : "&badge-colours=\(self.colours.rawValue)")
    }
}
