import Glibc
import PosterCodec

/// The requests of a catalogue's visitors in a day; the same in every run.
///
/// A visitor opens a wall of posters or a list, and then films from it, each with similar ones. Pages show posters by
/// Zipf's law, and some that are temporarily popular.
struct DayTrace {
    struct Request: Hashable {
        let poster: Int
        let target: RenderTarget
    }

    struct Page {
        /// Seconds after the previous page is complete.
        let pause: Double
        /// One request per poster.
        let requests: [Request]
    }

    struct Session {
        /// In seconds.
        let start: Double
        let pages: [Page]
    }

    /// The number of posters on a page, and their widths on screens with one, two and three pixels per unit.
    private struct Place {
        let count: Int
        let widths: [Int]
    }

    private static let wall = Place(count: 48, widths: [185, 342, 500])
    private static let list = Place(count: 20, widths: [92, 185, 342])
    private static let similar = Place(count: 6, widths: [154, 342, 500])
    private static let film = Place(count: 1, widths: [342, 780, 780])
    /// Shares of screens with one, two and three pixels per unit.
    private static let screens = AliasTable(weights: [0.3, 0.4, 0.3])
    private static let (wallShare, webPShare) = (0.6, 0.8)
    /// The share of page views that lead to a film, and the maximum number of films per visitor.
    private static let (filmShare, filmLimit) = (0.6, 8)
    /// Seconds of the day between pages.
    private static let pause = 20.0
    static let daySeconds = 86_400.0

    /// The share of requests for popular posters, their number at a time, and how many of them change per day.
    private static let (talkedShare, talkedCount, talkedChanges) = (0.3, 40, 240.0)
    private static let exponent = 0.9

    /// Ordered by start.
    let sessions: [Session]
    let requestCount: Int

    /// - Parameters:
    ///   - seconds: Duration that the day is compressed into.
    ///   - requestCount: Minimum number of requests; the last session is complete.
    ///   - seed: Different seeds give different days of the same catalogue.
    init(posterCount: Int, seconds: Double, requestCount: Int, seed: UInt64) {
        var random = SplitMix(seed: seed)
        let ranks = AliasTable(zipf: Self.exponent, count: posterCount)
        var sessions: [Session] = []
        var count = 0
        while count < requestCount {
            let time = Self.time(&random)
            let pages = Self.pages(at: time, &random) { random in
                guard random.nextUnit() < Self.talkedShare else { return ranks.draw(&random) }
                let talked = UInt64(time * Self.talkedChanges) + UInt64(random.next(below: Self.talkedCount))
                return Int(SplitMix.mixed(seed ^ SplitMix.mixed(talked)) % UInt64(posterCount))
            }
            count += pages.reduce(0) { $0 + $1.requests.count }
            let compressed = pages.map {
                Page(pause: $0.pause * seconds / Self.daySeconds, requests: $0.requests)
            }
            sessions.append(Session(start: time * seconds, pages: compressed))
        }
        self.sessions = sessions.sorted { $0.start < $1.start }
        self.requestCount = count
    }

    /// A moment of the day, 0..<1, weighted by the number of visitors: eight times as many in the evening as at night.
    private static func time(_ random: inout SplitMix) -> Double {
        while true {
            let time = random.nextUnit()
            let visitors = (1 - 7 / 9 * cos(2 * .pi * (time - 0.2))) / (1 + 7 / 9)
            if random.nextUnit() < visitors { return time }
        }
    }

    private static func pages(
        at time: Double, _ random: inout SplitMix, poster: (inout SplitMix) -> Int
    ) -> [Page] {
        let screen = Self.screens.draw(&random)
        let format: OutputFormat = random.nextUnit() < Self.webPShare ? .webp : .jpeg
        func requests(_ place: Place, _ posters: [Int]) -> [Request] {
            let target = RenderTarget(width: place.widths[screen], format: format)
            return posters.map { Request(poster: $0, target: target) }
        }
        func draw(_ place: Place, but other: Int? = nil) -> [Int] {
            var posters: [Int] = []
            // In a small catalogue, pages may have fewer posters.
            for _ in 0..<4 * place.count where posters.count < place.count {
                let next = poster(&random)
                if next != other, !posters.contains(next) { posters.append(next) }
            }
            return posters
        }
        let place = random.nextUnit() < Self.wallShare ? Self.wall : Self.list
        var shown = draw(place)
        var pages = [Page(pause: 0, requests: requests(place, shown))]
        while pages.count <= Self.filmLimit, random.nextUnit() < Self.filmShare {
            let film = shown[random.next(below: shown.count)]
            shown = draw(Self.similar, but: film)
            pages.append(
                Page(
                    pause: -Self.pause * log(1 - random.nextUnit()),
                    requests: requests(Self.film, [film]) + requests(Self.similar, shown)))
            if shown.isEmpty { break }
        }
        return pages
    }
}
