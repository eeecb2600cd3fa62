import PosterAPI

extension ClientCaching {
    /// A year, in seconds: the most that caches heed.
    private static let mostSeconds = 31_536_000.0

    /// - Throws: ``SettingError``.
    init(_ settings: Settings) throws {
        self.init()
        let range = 0...Self.mostSeconds
        self.maxAge = try settings.seconds("max-age", in: range) ?? self.maxAge
        self.staleWhileRevalidate =
            try settings.seconds("stale-while-revalidate", in: range) ?? self.staleWhileRevalidate
        self.staleIfError = try settings.seconds("client-stale-if-error", in: range) ?? self.staleIfError
    }
}
