public import HTTPSemantics
public import PosterCodec
import Synchronization

/// What the operator lets clients ask for. A value; ``PicturePolicies`` replaces it while the service runs.
public struct PicturePolicy: Sendable {
    /// How much decoders may leave out.
    public var effort: RenderTarget.Effort
    /// The only widths; nil for any.
    public var ladder: WidthLadder?
    /// Whether what clients say of their screen counts where the URL says nothing.
    public var usesHints = false
    /// What URLs may be signed with; nil without signatures.
    public var signingKeys: SigningKeys?
    /// Whether every picture needs a signature, not only those of URLs that nothing else allows.
    public var requiresSignatures = false
    /// Which URLs need none.
    public var allowedURLs: [URLPrefix] = []

    /// Whether The Movie Database's images can be asked for.
    public var servesTMDBImages = true

    /// Everything that the service's own posters can be asked for; no URLs of others.
    public init(effort: RenderTarget.Effort = .balanced) {
        self.effort = effort
    }

    /// What is made in advance when nobody says how wide, in pixels.
    public var usualWidth: Int { self.ladder?.rung(atLeast: Self.usualWidth) ?? Self.usualWidth }

    private static let usualWidth = 368

    /// Whether pictures of this URL need no signature.
    func allows(_ url: RemoteURL) -> Bool {
        self.allowedURLs.contains { $0.allows(url) }
    }

    /// Verifies a request's signature; `now` is in seconds since 1970.
    ///
    /// - Throws: ``Problem``, when the signature is missing, wrong, or has ended.
    func signature(of target: RequestTarget, now: Int64) throws(Problem) -> PictureSignature {
        try PictureSignature(target, keys: self.signingKeys, isRequired: self.requiresSignatures, now: now)
    }
}

/// Which URLs anybody may have pictures made of: those of one origin below one path.
///
/// Not a prefix of characters: `https://good.example` allows neither `https://good.example.evil.org` nor
/// `https://good.example@evil.org`, and `/posters` not `/posters-of-others`.
public struct URLPrefix: Hashable, Sendable {
    /// How many there may be.
    public static let countLimit = 256

    /// What a URL that may have a query ends in.
    private static let queryMark = "?"

    private let origin: String
    /// Without a slash at its end; empty for all paths.
    private let path: String
    /// Whether the URLs may have a query. Most servers give the same picture whatever it is, and each would be fetched and
    /// kept as a picture of its own.
    private let allowsQueries: Bool

    /// - Parameter text: `https://host[:port][/path][?]`; only with the question mark do URLs below it have queries.
    /// - Throws: ``RemoteURL/Malformed``.
    public init(_ text: String) throws(RemoteURL.Malformed) {
        let url = try RemoteURL(text)
        self.allowsQueries = url.query == Self.queryMark
        guard url.query.isEmpty || self.allowsQueries else { throw RemoteURL.Malformed(reason: "has a query") }
        self.origin = url.origin
        self.path = url.path.utf8.last == UInt8(ascii: "/") ? String(url.path.dropLast()) : url.path
    }

    /// Whether `url` is below this.
    public func allows(_ url: RemoteURL) -> Bool {
        guard url.query.isEmpty || self.allowsQueries, url.origin == self.origin,
            url.path.utf8.starts(with: self.path.utf8)
        else { return false }
        let rest = url.path.utf8.dropFirst(self.path.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}

/// The policy in force, which can be replaced while the service runs. Safe from any thread.
public final class PicturePolicies: Sendable {
    private let current: Mutex<PictureRequestParser>
    private let number = Atomic<UInt64>(0)
    private let clock: @Sendable () -> Int64

    /// - Parameter secondsSince1970: What signatures end by; nil for the time of day.
    public init(_ policy: PicturePolicy = PicturePolicy(), secondsSince1970: (@Sendable () -> Int64)? = nil) {
        self.current = Mutex(PictureRequestParser(policy: policy, generation: 0))
        self.clock = secondsSince1970 ?? { Int64(HTTPDate.currentSecond()) }
    }

    /// What is asked from now on is read by this policy.
    public func replace(_ policy: PicturePolicy) {
        self.current.withLock { reader in
            reader = PictureRequestParser(policy: policy, generation: reader.generation + 1)
            self.number.store(reader.generation, ordering: .releasing)
        }
    }

    /// Reads by the policy in force.
    package var reader: PictureRequestParser { self.current.withLock { $0 } }

    /// Changes whenever the policy does; costs a load.
    var generation: UInt64 { self.number.load(ordering: .acquiring) }

    /// As signatures count it, in seconds since 1970.
    var now: Int64 { self.clock() }

    /// The policy in force.
    public var policy: PicturePolicy { self.reader.policy }
}
