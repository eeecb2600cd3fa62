/// The pixels of a PNG that is not interlaced and needs no change of gamma: nearly every one there is.
///
/// libpng would do, too, but undoes filters one byte after the other.
final class PNGStreamPixels: PNGPixels {
    private let preamble: PNGPreamble
    private var scanlines: PNGScanlines
    private let expander: PNGExpander
    private let watch: RenderWatch

    var channels: Int { self.preamble.channels }

    /// - Parameter bytes: The encoded picture, whose header was checked. It must stay valid for as long as this object
    ///   lives.
    init(_ bytes: UnsafeRawBufferPointer, watch: RenderWatch) throws(CodecError) {
        let preamble = try PNGPreamble(bytes)
        self.scanlines = PNGScanlines(preamble)
        self.expander = PNGExpander(preamble)
        self.preamble = preamble
        self.watch = watch
    }

    func nextRow() throws(CodecError) -> UnsafePointer<UInt8> {
        self.expander.expand(try self.scanlines.nextRow(watch: self.watch))
    }

    /// Walks from the data to the end: the file must have one, and no chunk that changes what the picture means.
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
