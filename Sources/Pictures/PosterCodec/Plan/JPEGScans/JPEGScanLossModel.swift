/// Estimates what one component loses with a scan, from the scan's header, code and length.
struct JPEGScanLossModel {
    private let blockCount: Double
    /// By zigzag position: the loss when every block lacks a 1 of this coefficient before dequantisation.
    private let units: [JPEGScanLoss]

    /// - Parameters:
    ///   - blockSide: Of its decoded blocks, in samples: 1, 2, 4 or 8.
    ///   - reduction: Samples of the component, before decoding shrinks it, per sample of the output's plane.
    init(
        _ component: JPEGScanTable.Component, blockSide: Int, reduction: (across: Double, down: Double)
    ) {
        let part = Double(blockSide) / 8
        let across = ShrinkGain(blockSide: blockSide, scale: reduction.across * part)
        let down =
            reduction.across == reduction.down
            ? across : ShrinkGain(blockSide: blockSide, scale: reduction.down * part)
        self.blockCount = Double(component.blockCount)
        self.units = zip(Self.zigzag, component.steps).map { place, step in
            let square = Double(step * step)
            return JPEGScanLoss(
                output: across.output[place.column] * down.output[place.row] * square,
                decoded: across.decoded[place.column] * down.decoded[place.row] * square)
        }
    }

    /// What the component lacks without this scan, if all that needs it is left out as well.
    func loss(without scan: JPEGScan) -> JPEGScanLoss {
        let bits = 8 * Double(scan.dataCount)
        let bit = Double(1 << scan.lowBit)
        if scan.isRefinement {
            // A change takes about eight bits of code, sign, and corrections that change nothing; few coefficients
            // change in more than two of five blocks. Finer bits go, too, and errors of one sign add up.
            let square = 1.2 * bit * bit * (2 - 1 / bit)
            return self.worst(in: scan.band, changes: bits / 8, share: 0.4, square: square)
        }
        // Bits below the lowest one go, too. The coefficients of a block have something in common, hence the 3.
        let square = 3 * bit * bit * (scan.lowBit > 0 ? 1.5 : 1)
        guard let code = scan.code else {
            // Arithmetic coding has no table to learn from: as many coefficients as the bits allow, and large ones.
            return self.worst(in: scan.band, changes: bits / 4, share: 1, square: 200 * square)
        }
        return zip(0..., code.squares(over: scan.band, bits: bits)).reduce(JPEGScanLoss()) { sum, entry in
            sum + self.loss(at: entry.0, squares: entry.1 * square)
        }
    }

    /// So many coefficients of the same square, in at most a share of the blocks each, and those first that show most.
    private func worst(in band: ClosedRange<Int>, changes: Double, share: Double, square: Double) -> JPEGScanLoss {
        var rest = changes
        var sum = JPEGScanLoss()
        for position in band.sorted(by: { self.units[$0].output > self.units[$1].output }) where rest > 0 {
            let count = min(rest, self.blockCount * share)
            sum = sum + self.loss(at: position, squares: count * square)
            rest -= count
        }
        return sum
    }

    private func loss(at position: Int, squares: Double) -> JPEGScanLoss {
        let mean = squares / self.blockCount
        return JPEGScanLoss(output: self.units[position].output * mean, decoded: self.units[position].decoded * mean)
    }

    /// Column and row of each zigzag position (T.81, figure 5).
    private static let zigzag: [(column: Int, row: Int)] = (0..<15).flatMap { diagonal in
        let cells = (max(0, diagonal - 7)...min(7, diagonal)).map { (column: $0, row: diagonal - $0) }
        return diagonal % 2 == 0 ? cells : cells.reversed()
    }
}
