/// The coded pictures of a HEIF, which determine a decoder's memory.
public struct HEIFCoding: Hashable, Sendable {
    /// Pictures of one size that make up the colours or the alpha: a single one, or the cells of a grid.
    public struct Cells: Hashable, Sendable {
        /// The size of each coded picture in pixels.
        public var width, height: Int
        /// The numbers of pictures across and down; 1 without a grid.
        public var columns, rows: Int
        /// Bits per sample: 8, 10 or 12.
        public var bitDepth: Int
        /// Chroma samples per two luma samples: 0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 4 for 4:4:4.
        public var chromaShare: Int
    }

    /// The pictures with the colours.
    public var colours: Cells
    /// The pictures with the alpha; `nil` without alpha.
    public var alpha: Cells?
    /// The size of the longest item data that is stored in several parts, in bytes; 0 if there is none.
    public var joinedBytes: Int
    /// Whether the code points are sRGB's and the matrix is BT.601, as in JPEGs; an ICC profile is not considered.
    public var isPlain: Bool
    /// The maximum number of pictures that a decoder holds at once; `nil` until the whole file has been read.
    public var heldPictures: Int?
    /// The maximum number of tiles per picture of AV1, or of slice segments of HEVC; `nil` until the whole file has been
    /// read.
    public var tileCount: Int?

    /// The number of samples in all planes of all pictures.
    public var sampleCount: Int {
        [self.colours, self.alpha].compactMap(\.self).reduce(0) { sum, cells in
            sum + cells.columns * cells.width * cells.rows * cells.height * (2 + cells.chromaShare) / 2
        }
    }
}
