import HTTPSemantics
public import PosterCodec

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

    /// Whether anybody may have pictures made of this.
    func allows(_ url: RemoteURL) -> Bool {
        self.allowedURLs.contains { $0.allows(url) }
    }
}
