/// For how long answers of an upstream are of use.
public struct UpstreamLifetimes: Sendable, Hashable {
    /// How long an answer is fresh of which neither the request nor the upstream says anything, `1 h` by default.
    public var fresh: Duration = .seconds(3600)
    /// What the upstream says counts within these, `1 min` to `24 h` by default.
    public var bounds: ClosedRange<Duration> = .seconds(60) ... .seconds(86_400)
    /// Whether what the upstream says (`Cache-Control`, RFC 9111) counts at all, `true` by default.
    public var heedsUpstream = true
    /// How long an answer may be told after it was fresh when there is no new one, `7 days` by default.
    public var stale: Duration = .seconds(7 * 86_400)
    /// How long nobody asks again after that, `30 s` by default.
    public var staleRest: Duration = .seconds(30)
    /// How long an answer that may be wrong is remembered, in memory alone, `30 s` by default.
    public var doubtful: Duration = .seconds(30)
    /// How long it is remembered that there is no such thing, `5 min` by default.
    public var missing: Duration = .seconds(300)
    /// After so long an answer is deleted, whatever else holds, `180 days` by default: TMDB allows six months.
    public var maxKept: Duration = .seconds(180 * 86_400)

    /// The defaults.
    public init() {}

    /// How long an answer is fresh.
    ///
    /// - Parameter wish: The request's.
    /// - Returns: nil when it may not be kept at all.
    func freshness(of answer: UpstreamAnswer, wish: Duration?) -> Duration? {
        let usual = wish ?? self.fresh
        guard self.heedsUpstream, let directives = answer.cacheControl.map(Self.directives) else { return usual }
        if directives["no-store"] != nil { return nil }
        guard directives["no-cache"] == nil else { return self.bounds.lowerBound }
        // s-maxage is for caches that many share, as this is one (RFC 9111, 5.2.2.10).
        guard let seconds = (directives["s-maxage"] ?? directives["max-age"]).flatMap({ Int64($0) }) else {
            return usual
        }
        return min(max(.seconds(min(seconds, 1 << 31)), self.bounds.lowerBound), self.bounds.upperBound)
    }

    /// Names in lower case; the first of several counts.
    private static func directives(_ text: String) -> [String: String] {
        var directives: [String: String] = [:]
        for part in text.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = sides[0].filter { !$0.isWhitespace }.lowercased()
            let value = sides.count > 1 ? sides[1].filter { !$0.isWhitespace && $0 != "\"" } : ""
            if directives[name] == nil { directives[name] = value }
        }
        return directives
    }
}
