/// What libwebp 1.2.4 allocates while it decodes a picture, beside the pixels that it hands out: never less, and seldom
/// much more.
struct WebPMemory {
    let source: ImageHeader
    /// What a header without its prefix codes may have.
    let maxPrefixCodeGroups: Int

    /// In bytes.
    var bytes: Int {
        guard !self.source.isLossless else { return self.lossless }
        // Two rows of macroblocks with their filter's margin, and what is stored for each block across, are 125 bytes a
        // pixel across; a rescaler takes 16 more.
        let lossy = 144 * self.source.width + (1 << 19)
        guard self.source.hasAlpha else { return lossy }
        // The plane, and an older one that is not written to.
        let planes = 2 * self.pixels
        return lossy + planes + (self.source.prefixCodes?.groupCount == 0 ? 0 : self.lossless)
    }

    private var pixels: Int { self.source.width * self.source.height }

    /// Pixels before their transforms, sixteen rows after them and one that predicts; the images of two transforms and
    /// the entropy image, with the smallest blocks; the tables.
    private var lossless: Int {
        let blocks = ((self.source.width + 3) / 4) * ((self.source.height + 3) / 4)
        return 4 * (self.pixels + 17 * self.source.width + 3 * blocks) + self.tables + (1 << 16)
    }

    /// For each group: pointers, a table of pairs of codes, and tables for five codes.
    private var tables: Int {
        let codes = self.source.prefixCodes
        let groupCount = codes?.groupCount ?? self.maxPrefixCodeGroups
        let cacheBits = codes?.colourCacheBits ?? WebPLosslessHeader.maxCacheBits
        // The largest tables that codes of 256 (three times), 40, and 280 symbols with the colour cache's can need, in
        // entries of four bytes. A group may be renumbered, which takes four bytes more.
        let entries = 3 * 630 + 410 + Self.greenEntries[cacheBits]
        return groupCount * (4 * entries + Self.groupBytes + 4)
    }

    private static let groupBytes = 576
    /// By the colour cache's bits.
    private static let greenEntries = [654, 656, 658, 662, 670, 686, 718, 782, 912, 1168, 1680, 2704]
}
