package import HTTPSemantics
import HTTPServer
package import PosterCodec
import Synchronization

/// The configured policy for requests of pictures. A value; ``ReloadablePicturePolicy`` replaces it while the service
/// runs.
package struct PicturePolicy: Sendable {
    /// How far decoders may trade quality for speed.
    package var effort: RenderTarget.Effort
    package var ladder: WidthLadder?
    package var formats = FormatOrder()
    /// Whether client hints apply if the URL has no corresponding parameter.
    package var usesHints = false
    /// Whether the default quality is a likeness instead of a fixed number.
    package var usesLikeness = false
    /// The keys of signed URLs; `nil` without signatures.
    package var signingKeys: SigningKeys?
    /// Whether every picture needs a signature, not only remote URLs outside of ``allowedURLs``.
    package var requiresSignatures = false
    /// The remote URLs that need no signature.
    package var allowedURLs: [URLPrefix] = []
    /// Whether `text=` of badges needs no signature.
    package var allowsBadgeTexts = false

    package var servesTMDBImages = true
    package var servesVideoThumbnails = true

    /// Allows any rendition of the service's own posters and TMDB's images, but no remote URLs.
    package init(effort: RenderTarget.Effort = .balanced) {
        self.effort = effort
    }

    /// The default width of prefetches, in pixels.
    package var usualWidth: Int { self.ladder?.rung(atLeast: Self.usualWidth) ?? Self.usualWidth }

    private static let usualWidth = 368

    func allows(_ url: RemoteURL) -> Bool {
        self.allowedURLs.contains { $0.allows(url) }
    }

    /// Verifies a request's signature; `now` is in seconds since 1970.
    ///
    /// - Throws: ``Problem`` if the signature is missing, wrong or expired.
    func signature(of target: RequestTarget, now: Int64) throws(Problem) -> PictureSignature {
        try PictureSignature(target, keys: self.signingKeys, isRequired: self.requiresSignatures, now: now)
    }
}

/// Allows the remote URLs of one origin below one path.
///
/// Matches origin and path segments, not characters: `https://good.example` allows neither `https://good.example.evil.org` nor
/// `https://good.example@evil.org`, and `/posters` not `/posters-of-others`.
package struct URLPrefix: Hashable, Sendable {
    package static let countLimit = 256

    /// The query of a prefix that allows queries: `?` alone.
    private static let queryMark = "?"

    private let origin: String
    /// The path without a trailing slash; empty for all paths.
    private let path: String
    /// Whether the URLs may have a query. Most servers ignore it, and each query would be fetched and stored as a
    /// separate picture.
    private let allowsQueries: Bool

    /// - Parameter text: `https://host[:port][/path][?]`; the question mark allows queries.
    package init(_ text: String) throws(RemoteURL.Malformed) {
        let url = try RemoteURL(text)
        self.allowsQueries = url.query == Self.queryMark
        guard url.query.isEmpty || self.allowsQueries else { throw RemoteURL.Malformed(reason: "has a query") }
        self.origin = url.origin
        self.path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    }

    /// Whether `url` has this origin and is at or below this path.
    package func allows(_ url: RemoteURL) -> Bool {
        guard url.query.isEmpty || self.allowsQueries, url.origin == self.origin,
            url.path.utf8.starts(with: self.path.utf8)
        else { return false }
        let rest = url.path.utf8.dropFirst(self.path.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}

/// The policy in force, which can be replaced while the service runs. Safe from any thread.
package final class ReloadablePicturePolicy: Sendable {
    private let current: Mutex<PictureRequestParser>
    private let number = Atomic<UInt64>(0)
    private let clock: @Sendable () -> Int64

    /// - Parameters:
    ///   - languages: Not changed by replacing the policy.
    ///   - secondsSince1970: The clock against which signatures expire; `nil` uses the system's.
    package init(
        _ policy: PicturePolicy = PicturePolicy(), languages: PosterLanguages = PosterLanguages(),
        secondsSince1970: (@Sendable () -> Int64)? = nil
    ) {
        self.current = Mutex(PictureRequestParser(policy: policy, languages: languages, generation: 0))
        self.clock = secondsSince1970 ?? { Int64(HTTPDate.currentSecond()) }
    }

    package func replace(_ policy: PicturePolicy) {
        self.current.withLock { parser in
            parser = PictureRequestParser(
                policy: policy, languages: parser.languages, generation: parser.generation + 1)
            self.number.store(parser.generation, ordering: .releasing)
        }
    }

    package var parser: PictureRequestParser { self.current.withLock { $0 } }

    /// Changes with every replacement; an atomic load.
    var generation: UInt64 { self.number.load(ordering: .acquiring) }

    /// The time against which signatures expire, in seconds since 1970.
    var now: Int64 { self.clock() }

    package var policy: PicturePolicy { self.parser.policy }
}

extension PicturePolicy {
    /// The badges of URLs that this server builds. A text that only a signature would allow is not among them: anyone
    /// could have one signed.
    var badgeChoices: BadgeChoices {
        let accepted: @Sendable (String) -> String? = { BadgeText.accepted($0) }
        return BadgeChoices(
            sources: BadgeSource.allCases.map(\.rawValue), positions: Badges.Position.allCases.map(\.rawValue),
            styles: Badges.Style.allCases.map(\.rawValue), colours: BadgeColours.allCases.map(\.rawValue),
            limit: Badges.limit, widths: self.ladder?.rungs ?? PictureWidths.standard.pixels,
            textLimit: Badges.Badge.maxTextLength, text: self.allowsBadgeTexts ? accepted : nil)
    }
}
