/// A sequence of distinct variants: posters change fastest, then widths, then qualities.
struct ColdVariants {
    /// In pixels, centred on the catalogue's medium size.
    static let widths = 268..<469
    /// The step between widths, coprime to their count, so that a few of them are a fair sample.
    static let stride = 37
    static let qualities = 70..<96

    let ids: [String]
    private(set) var next = 0

    init(ids: [String]) {
        self.ids = ids
    }

    /// - Throws: ``BenchError`` if there are no more variants.
    mutating func skip(_ count: Int) throws(BenchError) {
        self.next += count
        guard self.next < self.ids.count * Self.widths.count * Self.qualities.count else {
            throw BenchError("all variants have been requested: try fewer seconds, rounds or connections")
        }
    }

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
