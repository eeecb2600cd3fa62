package import HTTPSemantics
package import HTTPServer
package import PosterCodec
package import PosterPipeline

/// Builds the URLs of posters, signed where the policy requires it.
package struct PosterURLBuilder: Sendable {
    /// Digits of a digest that make a version: 64 bits.
    static let versionLength = 16

    /// Where clients reach the server; nil makes URLs that are relative to it.
    package let publicURL: PublicURL?
    private let base: String
    private var keys: SigningKeys?
    private var expires: Int64?
    private var usesHints = false

    /// - Parameter publicURL: Where clients reach the server; nil for URLs without scheme and host.
    package init(publicURL: PublicURL? = nil) {
        self.publicURL = publicURL
        self.base = publicURL?.text ?? ""
    }

    /// - Parameters:
    ///   - keys: nil for unsigned URLs.
    ///   - expires: When signatures expire, in seconds since 1970; nil for never.
    package func signed(with keys: SigningKeys?, until expires: Int64?) -> PosterURLBuilder {
        var links = self
        (links.keys, links.expires) = (keys, expires)
        return links
    }

    /// - Parameter usesHints: Whether the server applies client hints, so that URLs of exact widths need `dpr=1`.
    package func withClientHints(_ usesHints: Bool) -> PosterURLBuilder {
        var links = self
        links.usesHints = usesHints
        return links
    }

    /// Exactly `width` pixels wide: a browser that chooses from a `srcset` has already applied its device pixel ratio.
    ///
    /// - Parameters:
    ///   - format: nil lets `Accept` decide.
    ///   - version: nil when the original is not known.
    package func variant(of id: PosterID, width: Int, format: OutputFormat?, version: String?) throws(Problem) -> String
    {
        let format = format.map { "&format=\($0.rawValue)" } ?? ""
        let ratio = self.usesHints ? "&dpr=1" : ""
        let version = version.map { "&v=\($0)" } ?? ""
        return try self.link("\(Self.path(of: id))?w=\(width)\(ratio)\(format)\(version)")
    }

    /// A picture of The Movie Database.
    ///
    /// - Parameters:
    ///   - file: Its name, of letters, digits, `-`, `_` and a dot.
    ///   - size: Such as `w780`.
    package func tmdbImage(_ file: String, size: String) throws(Problem) -> String {
        try self.link("/t/p/\(size)/\(PercentEncoding.encode(file.utf8))")
    }

    /// The URL of another resource than a picture, which needs no signature.
    ///
    /// - Parameter target: Path and query.
    package func address(of target: String) -> String { self.base + target }

    func placeholder(of id: PosterID, version: String) throws(Problem) -> String {
        try self.link("\(Self.path(of: id))/placeholder?v=\(version)")
    }

    package static func version(of digest: Digest) -> String {
        String(digest.description.prefix(Self.versionLength))
    }

    private func link(_ target: String) throws(Problem) -> String {
        self.base + (try self.keys?.sign(target: target, expires: self.expires) ?? target)
    }

    private static func path(of id: PosterID) -> String {
        "/poster/\(PercentEncoding.encode(id.description.utf8))"
    }
}
