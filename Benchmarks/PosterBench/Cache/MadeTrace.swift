/// Generated traces over a catalogue, the same in every run.
enum MadeTrace: Hashable {
    /// Posters follow Zipf's law, their variants a fixed mix. With a crawler, every fifth request is for the next
    /// variant of the whole catalogue, in its order.
    case zipf(exponent: Double, hasCrawler: Bool)
    /// Half of the requests follow Zipf's law (0.9) over the whole catalogue, half (also 0.9) prefer new posters: every
    /// 250 requests a poster is released, ranks first, and moves all others one rank down.
    case drift
    /// Half of the requests follow Zipf's law (0.9), half are for temporarily popular posters: every 100 requests one
    /// of the whole catalogue becomes popular, and the last 40 of them are equally likely.
    case bursts
    /// Cycles through random variants with 12 % of the catalogue's bytes, slightly more than a budget of 10 %.
    case loop

    static let all: [MadeTrace] =
        [0.7, 0.9, 1.1].flatMap { [.zipf(exponent: $0, hasCrawler: false), .zipf(exponent: $0, hasCrawler: true)] }
        + [.drift, .bursts, .loop]

    /// Traces that are also measured with 10^7 requests.
    static let long: [MadeTrace] =
        [.zipf(exponent: 0.9, hasCrawler: false), .zipf(exponent: 0.9, hasCrawler: true), .drift, .bursts]

    private static let crawlerPeriod = 5
    private static let releasePeriod = 250
    private static let (burstPeriod, burstCount) = (100, 40)
    private static let loopShare = 0.12

    var name: String {
        switch self {
        case .zipf(let exponent, let hasCrawler): "zipf-\(exponent.fixed(1))" + (hasCrawler ? "+crawler" : "")
        case .drift: "drift"
        case .bursts: "bursts"
        case .loop: "loop"
        }
    }

    func trace(of catalogue: VariantCatalogue, count: Int) -> CacheTrace {
        var random = SplitMix(seed: 0x5EED)
        var requests: [UInt32] = []
        requests.reserveCapacity(count)
        // Ranks are independent of the catalogue's order, which the crawler follows.
        let posters = Array(0..<catalogue.posterCount).shuffled(using: &random)
        switch self {
        case .zipf(let exponent, let hasCrawler):
            let ranks = AliasTable(zipf: exponent, count: posters.count)
            for index in 0..<count {
                if hasCrawler, index % Self.crawlerPeriod == 0 {
                    requests.append(UInt32(index / Self.crawlerPeriod % catalogue.keyCount))
                } else {
                    requests.append(UInt32(catalogue.variant(of: posters[ranks.draw(&random)], &random)))
                }
            }
        case .drift:
            let ranks = AliasTable(zipf: 0.9, count: posters.count)
            for index in 0..<count {
                var place = ranks.draw(&random)
                if random.next() & 1 == 0 {
                    let newest = index / Self.releasePeriod
                    place = (newest + posters.count - place) % posters.count
                }
                requests.append(UInt32(catalogue.variant(of: posters[place], &random)))
            }
        case .bursts:
            let ranks = AliasTable(zipf: 0.9, count: posters.count)
            for index in 0..<count {
                var place = ranks.draw(&random)
                if random.next() & 1 == 0 {
                    let burst = index / Self.burstPeriod + random.next(below: Self.burstCount)
                    place = Int(SplitMix.mixed(UInt64(burst)) % UInt64(posters.count))
                }
                requests.append(UInt32(catalogue.variant(of: posters[place], &random)))
            }
        case .loop:
            var room = Self.loopShare * catalogue.bytes.reduce(0) { $0 + Double($1) }
            let round = Array(0..<UInt32(catalogue.keyCount)).shuffled(using: &random).prefix {
                room -= Double(catalogue.bytes[Int($0)])
                return room > 0
            }
            for index in 0..<count { requests.append(round[index % round.count]) }
        }
        return CacheTrace(name: self.name, requests: requests, bytes: catalogue.bytes)
    }
}
