/// Where the parts of a WebP lie that a poster is made of.
struct WebPLayout: Hashable {
    /// The picture, or the first one of an animation.
    struct Frame: Hashable {
        /// One or several whole chunks as libwebp takes them: from `ALPH`, if there is one, to the end of `VP8 ` or
        /// `VP8L`.
        let data: Range<Int>
        /// Where the frame's upper left corner lies on the canvas, in pixels.
        let x, y: Int
        let bitstream: WebPBitstream
        /// Whether the data has alpha, in the bitstream or in a chunk beside it.
        let hasAlpha: Bool
    }

    /// Of the canvas, in pixels; of a still picture also the frame's.
    let width, height: Int
    let frame: Frame
    /// Frames of an animation; 1 of a still picture.
    let frameCount: Int
    /// The content of the `ICCP` chunk.
    let profile: Range<Int>?
    let orientation: Orientation

    /// Whether the frame leaves no part of the canvas free.
    var coversCanvas: Bool {
        (self.frame.bitstream.width, self.frame.bitstream.height) == (self.width, self.height)
    }

    /// Whether the picture that is shown first has transparent pixels: its own, or those that it does not reach.
    var hasAlpha: Bool { self.frame.hasAlpha || !self.coversCanvas }

    var header: ImageHeader {
        let isLossless = self.frame.bitstream.isLossless
        let one = ImageHeader.SamplingFactors(horizontal: 1, vertical: 1)
        return ImageHeader(
            format: .webp, width: self.width, height: self.height, orientation: self.orientation, bitDepth: 8,
            colourModel: isLossless ? .rgb : .yCbCr,
            sampling: isLossless ? [] : [.init(horizontal: 2, vertical: 2), one, one], isProgressive: false,
            isMultiScan: false, isLossless: isLossless, hasAlpha: self.hasAlpha, frameCount: self.frameCount,
            hasICCProfile: self.profile != nil)
    }
}
