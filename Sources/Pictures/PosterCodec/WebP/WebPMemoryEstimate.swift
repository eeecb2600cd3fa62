/// Estimates, never too low, the memory that libwebp 1.2.4 allocates to decode a picture, without its output.
struct WebPMemoryEstimate {
    let source: ImageHeader
    /// The assumed number of prefix-code groups if the header has none.
    let maxPrefixCodeGroups: Int

    var bytes: Int {
        guard !self.source.isLossless else { return self.lossless }
        // Two rows of macroblocks with their filter's margin, and the data stored per block across, are 125 bytes a
        // pixel across; a rescaler takes 16 more.
        let lossy = 144 * self.source.width + (1 << 19)
        guard self.source.hasAlpha else { return lossy }
        // The alpha plane, and a previous one.
        let planes = 2 * self.pixels
        return lossy + planes + (self.source.prefixCodes?.groupCount == 0 ? 0 : self.lossless)
    }

    private var pixels: Int { self.source.width * self.source.height }

    /// The memory for lossless data: pixels before their transforms, sixteen rows after them and one for prediction;
    /// the images of two transforms and the entropy image, with the smallest blocks; the tables.
    private var lossless: Int {
        let blocks = ((self.source.width + 3) / 4) * ((self.source.height + 3) / 4)
        return 4 * (self.pixels + 17 * self.source.width + 3 * blocks) + self.tables + (1 << 16)
    }

    /// The tables: for each group pointers, a table of pairs of codes, and tables of five codes.
    private var tables: Int {
        let codes = self.source.prefixCodes
        let groupCount = codes?.groupCount ?? self.maxPrefixCodeGroups
        let cacheBits = codes?.colourCacheBits ?? WebPLosslessHeader.maxCacheBits
        // The largest tables of codes of 256 (three times), 40, and 280 symbols with the colour cache's, in entries of
        // four bytes. The renumbering of a group takes four bytes more.
        let entries = 3 * 630 + 410 + Self.greenEntries[cacheBits]
        return groupCount * (4 * entries + Self.groupBytes + 4)
    }

    private static let groupBytes = 576
    /// The entries of green's table, by the colour cache's bits.
    private static let greenEntries = [654, 656, 658, 662, 670, 686, 718, 782, 912, 1168, 1680, 2704]
}
