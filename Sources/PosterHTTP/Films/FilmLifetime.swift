/// For how long caches may keep what is the same to all, in seconds.
enum FilmLifetime {
    /// Lists change within the hour, what is known of their posters within a minute.
    static let list = 60
    static let genres = 3600
    static let details = 300
    /// Figures of yesterday are still mended until the next morning.
    static let yesterday = 300
    /// Those of older days hardly ever.
    static let pastDays = 3600
}
