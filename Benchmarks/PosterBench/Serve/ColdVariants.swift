/// A walk through variants in which none comes twice: posters fastest, then widths, then qualities.
struct ColdVariants {
    /// In pixels, with the catalogue's middle size in the middle.
    static let widths = 268..<469
    /// From one width to the next, so that a few of them are a fair sample of all; prime to their count.
    static let stride = 37
    static let qualities = 70..<96

    let ids: [String]
    /// The number of the next one.
    private(set) var next = 0

    init(ids: [String]) {
        self.ids = ids
    }

    /// - Throws: ``BenchError`` when there are no more.
    mutating func skip(_ count: Int) throws(BenchError) {
        self.next += count
        guard self.next < self.ids.count * Self.widths.count * Self.qualities.count else {
            throw BenchError("no variant is left that was never asked for: try fewer seconds, rounds or connections")
        }
    }

    /// The targets of the next variants.
    mutating func take(_ count: Int, on server: Server) throws(BenchError) -> [String] {
        let numbers = self.next..<self.next + count
        try self.skip(count)
        return numbers.map { number in
            let round = number / self.ids.count
            let width = Self.widths.lowerBound + round * Self.stride % Self.widths.count
            let quality = Self.qualities.lowerBound + round / Self.widths.count % Self.qualities.count
            return server.target(self.ids[number % self.ids.count], "\(width)", "\(quality)")
        }
    }
}
