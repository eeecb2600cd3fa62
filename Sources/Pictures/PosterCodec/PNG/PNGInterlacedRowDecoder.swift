/// Decodes the rows of an interlaced PNG from all of its passes at once (third edition, 8.2).
///
/// The passes follow one another in the stream. It is inflated up to the last one, with a copy of the inflater at the
/// beginning of each, and then each copy inflates its own pass: half of the picture's data is inflated twice, but no
/// pixels are stored, only seven inflaters.
final class PNGInterlacedRowDecoder: PNGRowDecoder {
    private let passes: [(shape: PNGPass, rows: PNGStreamRowDecoder)]
    private let pixels: ScratchMemory<UInt8>
    private var y = 0

    let channels: Int

    /// - Parameters:
    ///   - input: A complete file.
    ///   - gamma: See ``PNGColours/gamma``.
    init(_ input: DecoderInput, gamma: Int32, watch: RenderWatch) throws(CodecError) {
        let preamble = try PNGPreamble(input.present)
        let shapes = preamble.frame.passes
        var inflater = PNGInflater(preamble, of: input)
        var passes: [(shape: PNGPass, rows: PNGStreamRowDecoder)] = []
        for shape in shapes.dropLast() where shape.height > 0 {
            let rows = PNGStreamRowDecoder(preamble, shape, gamma: gamma, inflater: inflater.copy(), watch: watch)
            passes.append((shape, rows))
            try inflater.skip(shape.dataLength, watch: watch)
        }
        // The last pass also reads the stream's end.
        let last = shapes[shapes.count - 1]
        let rows = PNGStreamRowDecoder(preamble, last, gamma: gamma, inflater: inflater, watch: watch)
        self.passes = passes + [(last, rows)]
        self.channels = preamble.channels
        self.pixels = ScratchMemory(count: preamble.frame.width * preamble.channels)
    }

    func nextRow() throws(CodecError) -> UnsafePointer<UInt8>? {
        defer { self.y += 1 }
        for pass in self.passes where pass.shape.covers(self.y) {
            guard let row = try pass.rows.nextRow() else { throw .truncated }
            // A row of the last pass is complete.
            if pass.shape.across == 1 { return row }
            self.spread(row, of: pass.shape)
        }
        return UnsafePointer(self.pixels.start)
    }

    func finish() throws(CodecError) {
        try self.passes[self.passes.count - 1].rows.finish()
    }

    /// Copies a pass's pixels to their columns.
    private func spread(_ row: UnsafePointer<UInt8>, of pass: PNGPass) {
        var source = UnsafeRawPointer(row)
        var target = UnsafeMutableRawPointer(self.pixels.start) + pass.left * self.channels
        let step = pass.across * self.channels
        for _ in 0..<pass.width {
            switch self.channels {
            case 1: target.storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
            case 2: target.storeBytes(of: source.loadUnaligned(as: UInt16.self), as: UInt16.self)
            case 3:
                target.storeBytes(of: source.loadUnaligned(as: UInt16.self), as: UInt16.self)
                target.storeBytes(of: source.load(fromByteOffset: 2, as: UInt8.self), toByteOffset: 2, as: UInt8.self)
            default: target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
            }
            source += self.channels
            target += step
        }
    }
}
