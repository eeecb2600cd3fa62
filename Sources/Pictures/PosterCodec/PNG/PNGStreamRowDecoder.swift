import CPosterCodecs

/// Decodes the rows of a PNG, or of one pass of an interlaced PNG (third edition, 9).
///
/// Faster than libpng, which undoes filters byte by byte.
final class PNGStreamRowDecoder: PNGRowDecoder {
    private let preamble: PNGPreamble
    private let expander: PNGSampleExpander
    private let watch: RenderWatch
    private let rowBytes: Int
    /// Bytes from one pixel to the next, at least 1.
    private let step: Int
    /// The current row and the one above it, unfiltered. Two allocations, so that AddressSanitizer checks their bounds.
    private var row: ScratchMemory<UInt8>
    private var above: ScratchMemory<UInt8>
    private var rowsLeft: Int
    /// Whether ``row`` holds a row that has not completely arrived.
    private var isInRow = false
    private var inflater: PNGInflater

    var channels: Int { self.preamble.channels }

    /// - Parameter gamma: See ``PNGColours/gamma``.
    convenience init(_ input: DecoderInput, gamma: Int32 = 0, watch: RenderWatch) throws(CodecError) {
        let preamble = try PNGPreamble(input.present)
        self.init(
            preamble, preamble.frame.passes[0], gamma: gamma, inflater: PNGInflater(preamble, of: input), watch: watch)
    }

    /// - Parameter inflater: Continues with the pass's first row.
    init(
        _ preamble: PNGPreamble, _ pass: PNGPass, gamma: Int32, inflater: consuming PNGInflater, watch: RenderWatch
    ) {
        self.preamble = preamble
        self.expander = PNGSampleExpander(preamble, width: pass.width, gamma: gamma)
        self.watch = watch
        self.rowBytes = pass.rowBytes
        self.step = max(1, preamble.frame.bitsPerPixel / 8)
        self.rowsLeft = pass.height
        self.inflater = inflater
        // The row above the first one is zero.
        self.row = ScratchMemory(count: 1 + self.rowBytes, repeating: 0)
        self.above = ScratchMemory(count: 1 + self.rowBytes, repeating: 0)
    }

    func nextRow() throws(CodecError) -> UnsafePointer<UInt8>? {
        guard self.rowsLeft > 0 else { throw .internalError(reason: "more rows are read than the PNG has") }
        if !self.isInRow { swap(&self.row, &self.above) }
        let filter = self.row.start
        self.isInRow = try !self.inflater.read(1 + self.rowBytes, to: filter, watch: self.watch)
        if self.isInRow { return nil }
        self.rowsLeft -= 1
        let row = filter + 1
        guard poster_png_unfilter(UInt32(filter[0]), row, self.above.start + 1, self.rowBytes, self.step) != 0 else {
            throw .damaged(reason: "an unknown PNG filter")
        }
        return self.expander.expand(UnsafePointer(row))
    }

    /// Reads to the end of the file, which may be missing, and rejects critical chunks after the picture.
    func finish() throws(CodecError) {
        var (next, chunks) = try self.inflater.finish(watch: self.watch)
        while true {
            // Bytes that are not a chunk count as an end, too.
            let following = if let next { next } else { try? chunks.next() }
            guard let chunk = following, chunks.isComplete(chunk) else { return }
            next = nil
            switch chunk.type {
            case .end: return
            case .data: break  // more data than the picture needs
            case .palette where !self.preamble.hasPalette: break
            case _ where chunk.type.isCritical: throw .damaged(reason: "a misplaced PNG chunk after the picture")
            default: break
            }
        }
    }
}
