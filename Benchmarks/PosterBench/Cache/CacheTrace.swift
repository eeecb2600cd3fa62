/// Requests to a cache, in their order.
struct CacheTrace {
    /// Such as "zipf-0.9+crawler".
    let name: String
    /// Keys, from 0.
    let requests: [UInt32]
    /// By key; the catalogue, whether asked for or not.
    let bytes: [UInt32]

    var catalogueBytes: Int { self.bytes.reduce(0) { $0 + Int($1) } }

    /// What a cache without limit would hit: all but the first request of each key. No policy can hit more.
    var mostHits: Int {
        var isKnown = [Bool](repeating: false, count: self.bytes.count)
        var hits = 0
        for key in self.requests {
            if isKnown[Int(key)] { hits += 1 }
            isKnown[Int(key)] = true
        }
        return hits
    }
}
