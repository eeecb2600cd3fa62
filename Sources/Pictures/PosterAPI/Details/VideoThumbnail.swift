import PosterPipeline

/// The frame of a video in its thumbnail, which has bars above and below it where the video is wider than 4:3.
struct VideoThumbnail {
    /// Of the usual thumbnail (`hqdefault` at YouTube), in pixels.
    static let size = (width: 480, height: 360)

    /// The crops' widths, in pixels, each with the height of 16:9.
    private static let crops = [(width: 320, height: 180), (width: 480, height: 270)]

    /// The original's size, in pixels.
    private let size: (width: Int, height: Int)

    /// - Parameter known: nil for a thumbnail of the usual size.
    init(_ known: KnownPicture?) {
        self.size = known.map { ($0.width, $0.height) } ?? Self.size
    }

    /// The frames of 16:9 that can be requested, ascending; empty when the ladder allows none.
    ///
    /// Nothing is enlarged, so a thumbnail that is smaller than all crops gives none either.
    func crops(ladder: WidthLadder?) -> [(width: Int, height: Int)] {
        Self.crops.filter { crop in
            crop.width <= self.size.width && crop.height <= self.size.height
                && ladder.map { $0.rungs.contains(crop.width) && $0.heights.contains(crop.height) } ?? true
        }
    }
}
