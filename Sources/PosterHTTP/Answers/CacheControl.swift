/// `Cache-Control` of posters (RFC 9111, 5.2.2), made once.
struct CacheControl: Sendable {
    /// For how long others may keep what has a successor soon, in seconds.
    private static let staleSeconds: Int64 = 60

    /// Of what is current.
    let fresh: String
    /// Of what is older than its origin allows: caches are to ask again soon.
    let stale: String

    /// - Parameter maxAge: For how long others may keep what is current.
    init(maxAge: Duration) {
        let seconds = maxAge.components.seconds
        self.fresh = "public, max-age=\(seconds)"
        self.stale = "public, max-age=\(min(seconds, Self.staleSeconds))"
    }
}
