import PosterPipeline

/// The frame of a video in its thumbnail, which has bars above and below if the video is wider than 4:3.
struct VideoThumbnail {
    /// Size of the usual thumbnail (`hqdefault` at YouTube), in pixels.
    static let size = (width: 480, height: 360)

    /// Sizes of crops in pixels, with an aspect ratio of 16:9.
    private static let crops = [(width: 320, height: 180), (width: 480, height: 270)]

    private let size: (width: Int, height: Int)

    /// - Parameter known: `nil` for a thumbnail of the usual size.
    init(_ known: KnownPicture?) {
        self.size = known.map { ($0.width, $0.height) } ?? Self.size
    }

    /// The 16:9 frames that can be requested, ascending; empty if the ladder permits none.
    ///
    /// Nothing is enlarged, so a thumbnail smaller than all crops has none either.
    func crops(ladder: WidthLadder?) -> [(width: Int, height: Int)] {
        Self.crops.filter { crop in
            crop.width <= self.size.width && crop.height <= self.size.height
                && ladder.map { $0.rungs.contains(crop.width) && $0.heights.contains(crop.height) } ?? true
        }
    }
}
