import Glibc

/// Samples a fixed distribution in constant time: the alias method (Walker 1974; built as in Vose, "A Linear
/// Algorithm for Generating Random Numbers with a Given Distribution", IEEE TSE 17(9), 1991).
struct AliasTable {
    /// The probability of each column's own index, and the index it yields otherwise.
    private var columns: [(own: Double, alias: Int)]

    /// - Parameter weights: At least one weight, all positive; their sum need not be one.
    init(weights: [Double]) {
        let scale = Double(weights.count) / weights.reduce(0, +)
        var rest = weights.map { $0 * scale }
        self.columns = weights.indices.map { (1, $0) }
        var low = rest.indices.filter { rest[$0] < 1 }
        var high = rest.indices.filter { rest[$0] >= 1 }
        while let small = low.popLast(), let large = high.last {
            self.columns[small] = (rest[small], large)
            rest[large] -= 1 - rest[small]
            if rest[large] < 1 { low.append(high.removeLast()) }
        }
    }

    /// Zipf's law: the weight of rank r, from 0, is 1 / (r + 1)^exponent.
    init(zipf exponent: Double, count: Int) {
        self.init(weights: (1...count).map { pow(Double($0), -exponent) })
    }

    func draw(_ random: inout SplitMix) -> Int {
        let place = random.nextUnit() * Double(self.columns.count)
        let column = Int(place)
        return place - Double(column) < self.columns[column].own ? column : self.columns[column].alias
    }
}
