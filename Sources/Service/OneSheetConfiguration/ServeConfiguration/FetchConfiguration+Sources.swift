import HTTPFetch
import MovieDomain

extension FetchConfiguration {
    /// What a mirror of the iTunes Store is asked of: at Apple's pace, but with a minute's worth at once.
    private static let iTunesMirror: OriginLimits = {
        var limits = OriginLimits.itunes
        limits.burst = 20
        return limits
    }()

    /// Has a source's rate hold where the source is said to be, too.
    ///
    /// Where several are at one host and port, the rate is the fastest of theirs; there is none if one of them has none.
    mutating func heed(_ baseURLs: [MovieSource: String]) {
        var sources: [String: [MovieSource]] = [:]
        for (source, url) in baseURLs {
            // Such as http://example.com:80
            guard let name = Fetcher.originName(of: url) else { continue }
            let place = name.drop { $0 != "/" }.drop { $0 == "/" }
            sources[String(place), default: []].append(source)
        }
        for (place, sources) in sources {
            let presets = sources.compactMap(Self.preset)
            guard presets.count == sources.count,
                let fastest = presets.max(by: { $0.requestsPerSecond ?? 0 < $1.requestsPerSecond ?? 0 })
            else { continue }
            var limits = self.originLimits.within(fastest)
            if self.originLimits.requestsPerSecond == nil { limits.burst = fastest.burst }
            self.originLimitsByHost[place] = limits
        }
    }

    private static func preset(of source: MovieSource) -> OriginLimits? {
        switch source {
        case .tmdb: .tmdb
        case .itunes: Self.iTunesMirror
        case .embedded, .omdb, .kobis, .kmdb, .kakao: nil
        }
    }
}
