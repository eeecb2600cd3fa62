/// The properties of a GIF and of its first picture.
struct GIFLayout: Sendable {
    /// The size of the canvas in pixels: the screen's size, enlarged if the first picture reaches beyond it.
    let width, height: Int
    /// The first picture's position on the canvas and its size.
    let frame: (left: Int, top: Int, width: Int, height: Int)
    let isInterlaced: Bool
    /// The range of the colours, three bytes each.
    let palette: Range<Int>
    /// The index of transparent pixels.
    let transparentIndex: UInt8?
    /// The offset of the picture's data: the first code size, then sub-blocks.
    let dataStart: Int

    /// Whether pixels may be transparent: by their index, or outside of the first picture, as in browsers.
    var hasAlpha: Bool {
        self.transparentIndex != nil || (self.frame.width, self.frame.height) != (self.width, self.height)
    }

    /// The header with a frame count of 1, because other frames follow the first picture.
    var header: ImageHeader {
        let lastIndex = self.palette.count / 3 - 1
        return ImageHeader(
            format: .gif, width: self.width, height: self.height,
            bitDepth: lastIndex.bitWidth - lastIndex.leadingZeroBitCount, colourModel: .palette, sampling: [],
            isProgressive: self.isInterlaced, isMultiScan: self.isInterlaced,
            isLossless: true, hasAlpha: self.hasAlpha)
    }
}
