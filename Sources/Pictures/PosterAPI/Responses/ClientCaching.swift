/// For how long clients and caches on the way may keep posters (RFC 9111, 5.2.2; RFC 5861).
public struct ClientCaching: Hashable, Sendable {
    /// While it is taken for current; a day.
    public var maxAge: Duration = .seconds(86_400)
    /// After that, while the next one is asked for; a day. Zero leaves it out.
    public var staleWhileRevalidate: Duration = .seconds(86_400)
    /// After that, when there is an error instead of the next one; 7 days. Zero leaves it out.
    public var staleIfError: Duration = .seconds(604_800)

    /// The defaults.
    public init() {}
}
