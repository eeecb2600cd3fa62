import InternetAddress

/// One request of a fetch: its first, or what a redirect or a retry makes necessary.
///
/// Printing one shows neither headers nor the query.
struct Hop: Sendable, Redacted {
    /// How the host is reached.
    enum Route: Hashable, Sendable {
        /// It has been looked up.
        case addresses([IPAddress])
        /// It is an address.
        case literal
        /// Through the proxy with this URL, which looks it up.
        case proxy(String)
    }

    let url: FetchURL
    var method = FetchMethod.get
    var body: [UInt8]?
    /// See ``FetchRequest/keepsErrorBodies``.
    var keepsErrorBodies = 0
    let headerLines: [String]
    let route: Route
    /// What is left of the time for connecting.
    let connectTimeout: Duration
    /// Whether what the configuration says of private hosts and networks is for this hop too.
    let mayBePrivate: Bool
    /// See ``FetchRequest/isPublicOnly``.
    var isPublicOnly = false
    /// Where the sink's body broke off; nil when it has none.
    let resumePoint: ResumePoint?
    /// Of the fetch that it belongs to.
    let trace: OriginExposure

    /// Whether only the rest of the body is asked for.
    var isResuming: Bool { self.resumePoint?.url == self.url }

    /// Where the host is, as far as that is known before it is connected to.
    var addresses: [IPAddress] {
        if case .addresses(let addresses) = self.route { return addresses }
        return self.url.literalAddress.map { [$0] } ?? []
    }

    var description: String { "\(self.method.rawValue) \(FetchURL.shown(self.url.text))" }
}
