import PosterCodec

/// The costs of one original at a width and in a format, with and without badges.
struct BadgeCosts {
    let file: String
    let width: Int
    let format: OutputFormat
    /// Milliseconds of CPU time of each pair.
    var plain: [Double] = []
    var badged: [Double] = []
    /// Peak of allocated bytes with badges, above that without; fonts and glyphs are in memory already.
    var heapGrowth = 0
    /// Milliseconds of CPU time of other programs with badges, by their names.
    var peers: [String: [Double]] = [:]

    init(file: String, width: Int, format: OutputFormat) {
        (self.file, self.width, self.format) = (file, width, format)
    }

    /// CPU time with badges divided by that without, of each pair.
    var ratios: [Double] { zip(self.badged, self.plain).map { $0 / $1 } }
}
