/// Chooses quantised coefficients with the least sum of bits and weighted errors, by dynamic programming over the last
/// nonzero coefficient (Crouse and Ramchandran, "Joint thresholding and quantizer selection for transform image
/// coding", IEEE Transactions on Image Processing 6, 1997).
struct JPEGTrellis: ~Copyable {
    /// The zigzag positions of its coefficients.
    private let band: ClosedRange<Int>
    /// By zigzag position.
    private let positions: ScratchMemory<Position>
    /// By symbol; see ``JPEGSymbolCounts``.
    private let costs: ScratchMemory<Float>

    struct Position {
        /// The index in a block.
        var place: Int
        /// The reciprocal of the quantiser of a coefficient times ``JPEGTransform/scale``.
        var reciprocal: Float
    }

    /// A path that ends with a nonzero coefficient.
    private struct Node {
        var position: Int
        var value: Int32 = 0
        /// The index of the node before it.
        var previous = 0
        /// The bits and errors up to the coefficient.
        var cost: Float = 0
        /// The errors up to the coefficient if all were zero.
        var zeroed: Float = 0
    }

    /// The number of nodes that a path can come from, which bounds the time.
    private static let mostPredecessors = 12

    /// The index in a block of each zigzag position (T.81, figure 5).
    static let zigzag: [Int] = (0..<15).flatMap { diagonal in
        let places = (max(0, diagonal - 7)...min(7, diagonal)).map { 8 * $0 + diagonal - $0 }
        return diagonal % 2 == 0 ? places.reversed() : places
    }

    /// - Parameter costs: One per symbol.
    init(_ band: ClosedRange<Int>, _ quantiser: JPEGQuantiser, costs: [Float]) {
        self.band = band
        self.positions = ScratchMemory(count: 64, repeating: Position(place: 0, reciprocal: 0))
        self.costs = ScratchMemory(count: 256, repeating: 0)
        for (position, place) in Self.zigzag.enumerated() {
            self.positions.start[position] = Position(
                place: place, reciprocal: 1 / Float(Int(quantiser.steps[place]) * JPEGTransform.scale))
        }
        for (symbol, cost) in costs.enumerated() { self.costs.start[symbol] = cost }
    }

    /// Quantises the band of a block.
    ///
    /// - Parameters:
    ///   - block: The transform's coefficients, in natural order; replaced if `replaces` is set.
    ///   - errorCost: The weight of errors: bits per step of the quantiser.
    ///   - counts: Receives the symbols.
    func quantise(
        _ block: UnsafeMutablePointer<Int16>, errorCost: Float, counts: UnsafeMutablePointer<UInt32>, replaces: Bool
    ) {
        withUnsafeTemporaryAllocation(of: Node.self, capacity: 64) { buffer in
            let nodes = buffer.baseAddress!
            let end = self.findPath(block, errorCost: errorCost, nodes)
            if nodes[end].position < self.band.upperBound { counts[JPEGSymbolCounts.endOfBlock] += 1 }
            var index = end
            while index > 0 {
                let node = nodes[index]
                let run = node.position - nodes[node.previous].position - 1
                counts[JPEGSymbolCounts.longRun] += UInt32(run >> 4)
                counts[(run & 15) << 4 | Self.size(node.value)] += 1
                if block[self.positions.start[node.position].place] < 0 { nodes[index].value = -node.value }
                index = node.previous
            }
            guard replaces else { return }
            for position in self.band { block[self.positions.start[position].place] = 0 }
            index = end
            while index > 0 {
                block[self.positions.start[nodes[index].position].place] = Int16(nodes[index].value)
                index = nodes[index].previous
            }
        }
    }

    /// Writes the nodes of the cheapest paths to each coefficient, and returns the index of the cheapest path's last
    /// node; 0 for a band of zeros.
    private func findPath(
        _ block: UnsafePointer<Int16>, errorCost: Float, _ nodes: UnsafeMutablePointer<Node>
    ) -> Int {
        let (positions, costs) = (self.positions.start, self.costs.start)
        var count = 1
        nodes[0] = Node(position: self.band.lowerBound - 1)
        var zeroed: Float = 0
        for position in self.band {
            let coefficient = block[positions[position].place]
            guard coefficient != 0 else { continue }
            let exact = Float(coefficient.magnitude) * positions[position].reciprocal
            let rounded = Int32(exact + 0.5)
            if rounded > 0 {
                var best = Node(position: position, cost: .infinity)
                // A smaller value of the same size is never cheaper.
                let smaller = max(1, Self.size(rounded - 1) < Self.size(rounded) ? rounded - 1 : rounded)
                for value in smaller...rounded {
                    let size = Self.size(value)
                    let error = exact - Float(value)
                    let own = error * error * errorCost + Float(size) + zeroed
                    for index in max(0, count - Self.mostPredecessors)..<count {
                        let run = position - nodes[index].position - 1
                        let cost =
                            nodes[index].cost - nodes[index].zeroed + own + costs[(run & 15) << 4 | size]
                            + Float(run >> 4) * costs[JPEGSymbolCounts.longRun]
                        if cost < best.cost { (best.cost, best.value, best.previous) = (cost, value, index) }
                    }
                }
                best.zeroed = zeroed + exact * exact * errorCost
                nodes[count] = best
                count += 1
            }
            zeroed += exact * exact * errorCost
        }
        var (end, least) = (0, Float.infinity)
        for index in 0..<count {
            let isLast = nodes[index].position == self.band.upperBound
            let cost =
                nodes[index].cost + (zeroed - nodes[index].zeroed) + (isLast ? 0 : costs[JPEGSymbolCounts.endOfBlock])
            if cost < least { (end, least) = (index, cost) }
        }
        return end
    }

    /// The size of a value in bits.
    private static func size(_ value: Int32) -> Int { 32 - value.leadingZeroBitCount }
}
