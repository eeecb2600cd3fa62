/// All variants of many posters: the keys of generated traces, with their sizes.
///
/// A key is `(poster * widths + width) * formats + format`.
struct VariantCatalogue {
    static let widths = [92, 154, 185, 342, 500, 780]
    /// Request weights of the widths: walls and lists request the middle ones, details the large ones.
    private static let widthWeights = [0.05, 0.15, 0.25, 0.35, 0.12, 0.08]
    /// JPEG and WebP: bytes per pixel, approximately as in bench-data/traces/wall.trace, and request weights.
    private static let formats = [(bytesPerPixel: 0.19, weight: 0.2), (bytesPerPixel: 0.11, weight: 0.8)]
    private static let variantsPerPoster = Self.widths.count * Self.formats.count

    let posterCount: Int
    let bytes: [UInt32]
    private let mix: AliasTable

    init(posterCount: Int) {
        self.posterCount = posterCount
        var bytes: [UInt32] = []
        bytes.reserveCapacity(posterCount * Self.variantsPerPoster)
        for poster in 0..<posterCount {
            // Ranges from flat drawings to film grain; the same for all variants of a poster.
            let unit = Double(SplitMix.mixed(UInt64(poster)) >> 11) * 0x1p-53
            let detail = 0.5 + unit
            for width in Self.widths {
                for format in Self.formats {
                    let pixels = Double(width * width) * 1.5  // 2:3
                    bytes.append(UInt32(600 + pixels * format.bytesPerPixel * detail))
                }
            }
        }
        self.bytes = bytes
        self.mix = AliasTable(weights: Self.widthWeights.flatMap { width in Self.formats.map { width * $0.weight } })
    }

    var keyCount: Int { self.bytes.count }

    /// Draws one of the poster's variants by request weight.
    func variant(of poster: Int, _ random: inout SplitMix) -> Int {
        poster * Self.variantsPerPoster + self.mix.draw(&random)
    }
}
