import CPosterCodecs

/// Decodes the rows of a PNG that is not interlaced and needs no gamma conversion, as nearly all are.
///
/// Faster than libpng, which undoes filters byte by byte.
final class PNGStreamRowDecoder: PNGRowDecoder {
    private let preamble: PNGPreamble
    private var scanlines: PNGScanlines
    private let expander: PNGSampleExpander
    private let watch: RenderWatch

    var channels: Int { self.preamble.channels }

    /// - Parameter bytes: The encoded picture, with a valid header. It must stay valid for as long as this object
    ///   lives.
    init(_ bytes: UnsafeRawBufferPointer, watch: RenderWatch) throws(CodecError) {
        let preamble = try PNGPreamble(bytes)
        self.scanlines = PNGScanlines(preamble)
        self.expander = PNGSampleExpander(preamble)
        self.preamble = preamble
        self.watch = watch
    }

    func nextRow() throws(CodecError) -> UnsafePointer<UInt8> {
        self.expander.expand(try self.scanlines.nextRow(watch: self.watch))
    }

    /// Reads to the end of the file, which must be there, and rejects critical chunks after the picture.
    func finish() throws(CodecError) {
        var (next, chunks) = try self.scanlines.finish(watch: self.watch)
        while true {
            let following = if let next { next } else { try chunks.next() }
            guard let chunk = following, chunks.isComplete(chunk) else { throw .truncated }
            next = nil
            switch chunk.type {
            case .end: return
            case .data: break  // more data than the picture needs
            case .palette where !self.preamble.hasPalette: break
            case _ where chunk.type.isCritical: throw .damaged(reason: "a PNG chunk that must not follow the picture")
            default: break
            }
        }
    }
}

/// The rows of a PNG that is not interlaced, inflated and unfiltered (third edition, 9).
struct PNGScanlines: ~Copyable {
    private let rowBytes: Int
    /// The bytes from a pixel to the next, at least 1.
    private let step: Int
    /// The current row and the one above it, unfiltered. Two allocations, so that AddressSanitizer checks their bounds.
    private var row: ScratchMemory<UInt8>
    private var above: ScratchMemory<UInt8>
    private var rowsLeft: Int
    private var inflater: PNGInflater

    init(_ preamble: borrowing PNGPreamble) {
        let frame = preamble.frame
        let bitsPerPixel = frame.bitDepth * frame.colourType.samplesPerPixel
        self.inflater = PNGInflater(preamble)
        self.rowBytes = (frame.width * bitsPerPixel + 7) / 8
        self.step = max(1, bitsPerPixel / 8)
        self.rowsLeft = frame.height
        // The row above the first one is zero.
        self.row = ScratchMemory(count: 1 + self.rowBytes, repeating: 0)
        self.above = ScratchMemory(count: 1 + self.rowBytes, repeating: 0)
    }

    /// The next row, valid until the following call.
    ///
    /// - Parameter watch: See ``PNGInflater/read(_:to:watch:)``.
    mutating func nextRow(watch: RenderWatch) throws(CodecError) -> UnsafePointer<UInt8> {
        guard self.rowsLeft > 0 else { throw .internalError(reason: "more rows are read than there are") }
        self.rowsLeft -= 1
        swap(&self.row, &self.above)
        try self.inflater.read(1 + self.rowBytes, to: self.row.start, watch: watch)
        let row = self.row.start + 1
        guard poster_png_unfilter(UInt32(row[-1]), row, self.above.start + 1, self.rowBytes, self.step) != 0 else {
            throw .damaged(reason: "a PNG filter that does not exist")
        }
        return UnsafePointer(row)
    }

    /// See ``PNGInflater/finish(watch:)``.
    mutating func finish(watch: RenderWatch) throws(CodecError) -> (next: PNGChunk?, rest: PNGChunks) {
        try self.inflater.finish(watch: watch)
    }
}
