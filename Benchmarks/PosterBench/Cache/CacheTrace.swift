struct CacheTrace {
    /// Such as "zipf-0.9+crawler".
    let name: String
    /// The requested keys, which count from 0.
    let requests: [UInt32]
    /// Sizes by key, for the whole catalogue, including keys that are not requested.
    let bytes: [UInt32]

    var catalogueBytes: Int { self.bytes.reduce(0) { $0 + Int($1) } }

    /// The hits of an unlimited cache: all but the first request of each key. No policy can have more.
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
