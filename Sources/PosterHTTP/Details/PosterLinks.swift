import PosterCodec
import PosterPipeline

/// Writes URLs of posters.
public struct PosterLinks: Sendable {
    /// Digits of a digest that make a version: 64 bits.
    static let versionLength = 16

    private let base: String
    private let sign: (@Sendable (String) -> String)?

    /// - Parameters:
    ///   - publicURL: Where clients reach the server; nil makes URLs that are relative to it.
    ///   - sign: Makes a signed path and query of one without a signature; nil where nothing is signed.
    public init(publicURL: PublicURL? = nil, sign: (@Sendable (String) -> String)? = nil) {
        self.base = publicURL?.text ?? ""
        self.sign = sign
    }

    /// - Parameter format: nil lets `Accept` decide.
    func variant(of id: PosterID, width: Int, format: OutputFormat?, version: String) -> String {
        let format = format.map { "&format=\($0.rawValue)" } ?? ""
        return self.link("\(Self.path(of: id))?w=\(width)\(format)&v=\(version)")
    }

    func placeholder(of id: PosterID, version: String) -> String {
        self.link("\(Self.path(of: id))/placeholder?v=\(version)")
    }

    static func version(of digest: Digest) -> String {
        String(digest.description.prefix(Self.versionLength))
    }

    private func link(_ target: String) -> String {
        self.base + (self.sign?(target) ?? target)
    }

    private static func path(of id: PosterID) -> String {
        "/poster/\(PercentEncoding.encode(id.description.utf8))"
    }
}
