/// The coded pictures of an AVIF, on which the memory of a decoder depends.
public struct AV1Coding: Hashable, Sendable {
    /// Pictures of one size that make up the colours, or the alpha: one, or the cells of a grid.
    public struct Cells: Hashable, Sendable {
        /// The size of each in pixels.
        public var width, height: Int
        /// Their number across and down: 1 without a grid.
        public var columns, rows: Int
        /// Bits per sample: 8, 10 or 12.
        public var bitDepth: Int
        /// The samples of chroma per two of luma: 0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 4 for 4:4:4.
        public var chromaShare: Int
    }

    /// The pictures with the colours.
    public var colours: Cells
    /// Those with the alpha; nil without it.
    public var alpha: Cells?
    /// The length of the longest data that is in several parts, in bytes; 0 when none is.
    public var joinedBytes: Int
    /// Whether colours are those of sRGB, and the matrix that of BT.601, as in JPEGs.
    public var isPlain: Bool
    /// The most pictures that a decoder holds at once; nil until the whole file was read.
    public var heldPictures: Int?
    /// The most tiles of a picture; nil until the whole file was read.
    public var tileCount: Int?

    /// The samples of all planes of all pictures.
    public var sampleCount: Int {
        [self.colours, self.alpha].compactMap(\.self).reduce(0) { sum, cells in
            sum + cells.columns * cells.width * cells.rows * cells.height * (2 + cells.chromaShare) / 2
        }
    }
}
