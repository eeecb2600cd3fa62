import PosterPipeline

extension FreshnessPolicy {
    /// - Throws: ``SettingError``.
    init(_ settings: Settings) throws {
        self.init()
        let range = 0...10 * 365 * 86_400
        if let value = try settings.number("original-ttl-min", in: range) { self.minimum = Int64(value) }
        if let value = try settings.number("original-ttl-max", in: range) { self.maximum = Int64(value) }
        if let value = try settings.number("original-ttl-default", in: range) { self.fallback = Int64(value) }
        if let value = try settings.number("stale-if-error", in: range) { self.staleIfError = Int64(value) }
        guard self.minimum <= self.maximum else {
            throw SettingError(
                option: "original-ttl-min", value: "\(self.minimum)",
                allowed: "seconds, at most those of --original-ttl-max, which are \(self.maximum)")
        }
    }
}
