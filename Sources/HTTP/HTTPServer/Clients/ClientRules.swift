/// How clients are told apart, and what each may do: the same for all ways of answering.
public struct ClientRules: Sendable {
    /// Whose word counts about whom a request came from.
    public var proxies: TrustedProxies
    /// nil lets everybody ask for as much as they like.
    public var rates: ClientRateLimiter?

    /// By default the client is whoever connects, and may ask for as much as it likes.
    public init(proxies: TrustedProxies = TrustedProxies(), rates: ClientRateLimiter? = nil) {
        self.proxies = proxies
        self.rates = rates
    }
}
