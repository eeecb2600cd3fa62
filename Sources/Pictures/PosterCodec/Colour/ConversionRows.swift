/// Memory for the rows of colour conversions, which a target keeps from band to band.
final class ConversionRows {
    /// The width of a row in pixels.
    let width: Int
    let upper, lower: ChannelRows
    var averages: ChromaAverages
    let unpremultiplier: Unpremultiplier

    init(width: Int) {
        self.width = width
        self.upper = ChannelRows(width: width)
        self.lower = ChannelRows(width: width)
        self.averages = ChromaAverages(width: width)
        self.unpremultiplier = Unpremultiplier(width: width)
    }

    /// Rows of this width: the kept ones if they have it.
    static func rows(width: Int, keeping kept: ConversionRows?) -> ConversionRows {
        if let kept, kept.width == width { return kept }
        return ConversionRows(width: width)
    }
}
