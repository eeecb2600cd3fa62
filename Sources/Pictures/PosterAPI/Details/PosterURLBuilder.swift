import HTTPSemantics
package import HTTPServer
import PosterCodec
import PosterPipeline

/// Builds the URLs of posters, signed where the policy requires it.
package struct PosterURLBuilder: Sendable {
    /// The number of a digest's digits in a version: 64 bits.
    static let versionLength = 16

    /// The server's URL for clients; `nil` makes URLs relative.
    package let publicURL: PublicURL?
    private let base: String
    private var keys: SigningKeys?
    private var expires: Int64?
    private var usesHints = false

    /// - Parameter publicURL: The server's URL for clients; `nil` makes URLs without scheme and host.
    package init(publicURL: PublicURL? = nil) {
        self.publicURL = publicURL
        self.base = publicURL?.text ?? ""
    }

    /// Returns a copy that signs where the policy requires it, and adds `dpr=1`, which URLs of exact widths need with
    /// client hints.
    ///
    /// - Parameter expires: When signatures expire, in seconds since 1970; `nil` if never.
    func applying(_ policy: PicturePolicy, until expires: Int64? = nil) -> PosterURLBuilder {
        var links = self
        links.keys = policy.requiresSignatures ? policy.signingKeys : nil
        links.expires = expires
        links.usesHints = policy.usesHints
        return links
    }

    /// The URL of a variant of exactly `width` pixels: a browser that chooses from a `srcset` has already applied its
    /// device pixel ratio.
    ///
    /// - Parameters:
    ///   - format: `nil` leaves the choice to `Accept`.
    ///   - version: `nil` if the original is unknown.
    ///   - badges: `nil` without badges.
    ///   - card: The language of the title card that replaces a picture that fails; `nil` for an error.
    func variant(
        of id: PosterID, _ selection: PosterSelection, width: Int, format: OutputFormat?, version: String?,
        badges: PictureBadges? = nil, card: String? = nil
    ) throws(Problem) -> String {
        let format = format.map { "&format=\($0.rawValue)" } ?? ""
        let ratio = self.usesHints ? "&dpr=1" : ""
        let card = card.map { "&\(PictureRequestParser.card)=\($0)" } ?? ""
        let version = version.map { "&v=\($0)" } ?? ""
        let query = "w=\(width)\(ratio)\(format)\(selection.query)\(badges?.query ?? "")\(card)\(version)"
        return try self.link("\(Self.path(of: id))?\(query)")
    }

    /// The URL of a picture of The Movie Database.
    ///
    /// - Parameters:
    ///   - file: The file's name: letters, digits, `-`, `_` and a dot.
    ///   - size: For example `w780`.
    func tmdbImage(_ file: String, size: String) throws(Problem) -> String {
        try self.link("/t/p/\(size)/\(PercentEncoding.encode(file.utf8))")
    }

    /// The URL of a picture cropped to exactly `width` × `height` pixels around its centre, unless the original is
    /// smaller.
    func crop(of id: PosterID, width: Int, height: Int, version: String?) throws(Problem) -> String {
        let ratio = self.usesHints ? "&dpr=1" : ""
        let version = version.map { "&v=\($0)" } ?? ""
        return try self.link("\(Self.path(of: id))?w=\(width)&h=\(height)&fit=cover\(ratio)\(version)")
    }

    func placeholder(of id: PosterID, _ selection: PosterSelection, version: String) throws(Problem) -> String {
        try self.link("\(Self.path(of: id))/placeholder?v=\(version)\(selection.query)")
    }

    static func version(of digest: Digest) -> String {
        String(digest.description.prefix(Self.versionLength))
    }

    private func link(_ target: String) throws(Problem) -> String {
        self.base + (try self.keys?.sign(target: target, expires: self.expires) ?? target)
    }

    private static func path(of id: PosterID) -> String {
        "/poster/\(PercentEncoding.encode(id.shortText.utf8))"
    }
}
