import CPosterCodecs

/// The blocks of one component, in memory of the writer.
struct JPEGComponentBlocks {
    private let rows: UnsafePointer<UnsafeMutablePointer<Int16>>
    /// The blocks with samples.
    private let across, down: Int
    private var rowsDone = 0
    /// The weight of each block's errors: bits per step of the quantiser, relative to the component's weight.
    private var errorWeights: [Float] = []

    /// Added to the mean energy of a block's coefficients: little texture masks nothing.
    private static let minimumEnergy: Float = 450

    init(_ blocks: poster_jpeg_plane_blocks, width: Int, height: Int) {
        self.rows = blocks.rows!
        self.across = (width + 7) / 8
        self.down = (height + 7) / 8
        self.errorWeights.reserveCapacity(self.across * self.down)
    }

    /// Transforms the next rows, a multiple of 8 except in the last call.
    mutating func add(_ plane: Plane, watch: RenderWatch) throws(CodecError) {
        guard plane.stride >= 8 * self.across, self.rowsDone + (plane.height + 7) / 8 <= self.down else {
            throw .internalError(reason: "rows that are not of the picture")
        }
        for top in stride(from: 0, to: plane.height, by: 8) {
            try watch.check()
            // Below the last row, that row is repeated.
            var offsets = SIMD8<Int>()
            for y in 0..<8 { offsets[y] = min(top + y, plane.height - 1) * plane.stride }
            let row = self.rows[self.rowsDone]
            plane.samples.withUnsafeBufferPointer { samples in
                for x in 0..<self.across {
                    let block = row + 64 * x
                    JPEGTransform.transform(offsets, of: samples.baseAddress! + 8 * x, into: block)
                    self.errorWeights.append(Self.errorWeight(block))
                }
            }
            self.rowsDone += 1
        }
    }

    /// Less in a block with texture, which masks errors, and in a bright one.
    private static func errorWeight(_ block: UnsafePointer<Int16>) -> Float {
        var energy = 0
        for index in 1..<64 { energy += Int(block[index]) * Int(block[index]) }
        let unit = Float(JPEGTransform.scale)
        let mean = Float(energy) / (63 * unit * unit)
        let level = Float(block[0]) / (1024 * unit)
        return 1 / ((mean + Self.minimumEnergy).squareRoot() * (1 + 0.4 * level))
    }

    /// Quantises all blocks in place.
    func quantise(_ quantiser: JPEGQuantiser, bands: [ClosedRange<Int>], watch: RenderWatch) throws(CodecError) {
        guard self.rowsDone == self.down else { throw .internalError(reason: "a picture without all of its rows") }
        let step = Int(quantiser.steps[0]) * JPEGTransform.scale
        for y in 0..<self.down {
            for x in 0..<self.across {
                let constant = Int(self.rows[y][64 * x])
                let rounded = (abs(constant) + step / 2) / step
                self.rows[y][64 * x] = Int16(constant < 0 ? -rounded : rounded)
            }
        }
        for band in bands {
            let symbols = try self.pass(band, quantiser, costs: JPEGSymbolCounts.initialCosts, replaces: false, watch)
            _ = try self.pass(band, quantiser, costs: symbols.costs, replaces: true, watch)
        }
    }

    private func pass(
        _ band: ClosedRange<Int>, _ quantiser: JPEGQuantiser, costs: [Float], replaces: Bool, _ watch: RenderWatch
    ) throws(CodecError) -> JPEGSymbolCounts {
        let trellis = JPEGTrellis(band, quantiser, costs: costs)
        var symbols = JPEGSymbolCounts()
        for y in 0..<self.down {
            try watch.check()
            symbols.counts.withUnsafeMutableBufferPointer { counts in
                for x in 0..<self.across {
                    trellis.quantise(
                        self.rows[y] + 64 * x,
                        errorCost: quantiser.errorCost * self.errorWeights[y * self.across + x],
                        counts: counts.baseAddress!, replaces: replaces)
                }
            }
        }
        return symbols
    }
}
