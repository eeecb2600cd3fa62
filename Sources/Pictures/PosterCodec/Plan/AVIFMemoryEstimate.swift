/// Estimates, never too low, the memory that dav1d 1.0 takes to decode the cells of an AVIF in one thread, and what becomes of
/// them.
struct AVIFMemoryEstimate {
    let coding: AV1Coding
    /// The pictures per item assumed for a header without their number.
    let maxCodedPictures: Int

    var bytes: Int {
        // Tables of more than 8 bits; the joined parts of an item's data.
        self.row(self.coding.colours) + (self.coding.alpha.map(self.row) ?? 0) + self.coding.joinedBytes + (1 << 16)
    }

    /// A decoder, and the cells of a row, which are copied when there are several. Parts of decoders that were freed lie
    /// between the copies; with 256 cells of 64×64 they take as much again.
    private func row(_ cells: AV1Coding.Cells) -> Int {
        guard cells.columns > 1 else { return self.decoder(cells) }
        let sampleSize = cells.bitDepth > 8 ? 2 : 1
        // Chroma may have half a sample more along each side.
        let copy = sampleSize * ((cells.width + 1) * (cells.height + 1) * (2 + cells.chromaShare) / 2)
        return self.decoder(cells) + cells.columns * (2 * copy + (8 << 10))
    }

    private func decoder(_ cells: AV1Coding.Cells) -> Int {
        // dav1d pads its pictures to blocks of 128.
        let (width, height) = ((cells.width + 127) & ~127, (cells.height + 127) & ~127)
        let sampleSize = cells.bitDepth > 8 ? 2 : 1
        let picture = (width * sampleSize + 64) * height * (2 + cells.chromaShare) / 2
        // What is stored of blocks for filters and for later pictures: 0.4 bytes a pixel; rows around those of blocks of 64.
        let blocks = width * height / 2 + picture / 5 + 320 * width
        // Others that are held have vectors and segments beside them.
        let held = (self.coding.heldPictures ?? self.maxCodedPictures + Self.mostFinishing) - 1
        let tiles = self.coding.tileCount ?? AV1TileCount.most(width: width, height: height)
        return picture + blocks + held * (picture + width * height / 5) + (held + tiles) * Self.tableBytes
            + Self.decoderBytes
    }

    /// The pictures beside the coded ones: enlarged, with noise, of the largest size.
    private static let mostFinishing = 3
    /// The probabilities of symbols, of each tile and of each picture that is held.
    private static let tableBytes = 18 << 10
    /// A decoder without what depends on the size; of it 64 KiB of metadata, the most that an item may have.
    private static let decoderBytes = 3 << 19
}
