/// Estimates, never too low, the memory of dav1d 1.0 for decoding an AVIF's cells in one thread, and of the decoded
/// cells.
struct AVIFMemoryEstimate {
    let coding: HEIFCoding
    /// The assumed number of pictures per item if the header has none.
    let maxCodedPictures: Int

    var bytes: Int {
        // 64 KiB for tables of more than 8 bits; item data that is joined from several parts.
        self.row(self.coding.colours) + (self.coding.alpha.map(self.row) ?? 0) + self.coding.joinedBytes + (1 << 16)
    }

    /// A decoder and the cells of a row, which are copied if there are several. Freed parts of decoders lie between the
    /// copies; with 256 cells of 64×64 they take as much again.
    private func row(_ cells: HEIFCoding.Cells) -> Int {
        guard cells.columns > 1 else { return self.decoder(cells) }
        let sampleSize = cells.bitDepth > 8 ? 2 : 1
        // Chroma may be half a sample larger along each side.
        let copy = sampleSize * ((cells.width + 1) * (cells.height + 1) * (2 + cells.chromaShare) / 2)
        return self.decoder(cells) + cells.columns * (2 * copy + (8 << 10))
    }

    private func decoder(_ cells: HEIFCoding.Cells) -> Int {
        // dav1d pads its pictures to blocks of 128.
        let (width, height) = ((cells.width + 127) & ~127, (cells.height + 127) & ~127)
        let sampleSize = cells.bitDepth > 8 ? 2 : 1
        let picture = (width * sampleSize + 64) * height * (2 + cells.chromaShare) / 2
        // Data of blocks for filters and for later pictures: 0.4 bytes a pixel, counted as half a byte. Rows around the
        // rows of 64-pixel blocks.
        let blocks = width * height / 2 + picture / 5 + 320 * width
        // Other held pictures also have vectors and segments.
        let held = (self.coding.heldPictures ?? self.maxCodedPictures + Self.mostFinishing) - 1
        let tiles = self.coding.tileCount ?? AV1TileCount.most(width: width, height: height)
        return picture + blocks + held * (picture + width * height / 5) + (held + tiles) * Self.tableBytes
            + Self.decoderBytes
    }

    /// Pictures in addition to the coded ones: upscaled by the decoder, with film grain, and enlarged to the largest
    /// size by libavif.
    private static let mostFinishing = 3
    /// The symbol probabilities of a tile or of a held picture, in bytes.
    private static let tableBytes = 18 << 10
    /// The memory of a decoder that does not depend on the size, in bytes, including 64 KiB of metadata, an item's
    /// maximum.
    private static let decoderBytes = 3 << 19
}
