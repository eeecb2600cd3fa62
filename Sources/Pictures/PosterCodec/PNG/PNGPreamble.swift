/// The chunks before a PNG's data that decoding needs: IHDR, PLTE and tRNS (third edition, 11.2 and 11.3.1).
struct PNGPreamble {
    let frame: PNGFrame
    /// Red, green, blue and alpha of each index, red in the lowest byte. Indices without a colour are opaque black, as
    /// in browsers. Empty unless the picture has a palette.
    private(set) var palette: [UInt32] = []
    /// The colour key: the gray, or red, green and blue, that is transparent.
    private(set) var key: [UInt16]?
    private(set) var hasPaletteAlpha = false
    /// Whether there was a palette, even a merely suggested one.
    private(set) var hasPalette = false
    /// The chunks from the first data chunk on.
    private(set) var chunks: PNGChunks

    private var paletteCount = 0

    /// - Parameter bytes: A file with a header that ``PNGParser/header()`` accepted.
    init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        self.chunks = PNGChunks(bytes)
        guard let header = try self.chunks.next(), header.type == .header, self.chunks.isComplete(header) else {
            throw .damaged(reason: "a PNG without header")
        }
        self.frame = try PNGFrame(payload: self.chunks.payload(of: header))
        if self.frame.colourType == .palette { self.palette = [UInt32](repeating: 0xFF00_0000, count: 256) }
        var chunks = self.chunks
        while let chunk = try chunks.next(), chunk.type != .data {
            guard chunks.isComplete(chunk) else { throw .truncated }
            switch chunk.type {
            case .palette: try self.read(palette: chunks.payload(of: chunk))
            case .transparency where chunks.isIntact(chunk): self.read(transparency: chunks.payload(of: chunk))
            default: break
            }
            self.chunks = chunks
        }
    }

    /// Samples per expanded pixel.
    var channels: Int {
        switch self.frame.colourType {
        case .gray: self.key == nil ? 1 : 2
        case .grayAlpha: 2
        case .rgb: self.key == nil ? 3 : 4
        case .palette: self.hasPaletteAlpha ? 4 : 3
        case .rgbAlpha: 4
        }
    }

    private mutating func read(palette payload: UnsafeRawBufferPointer) throws(CodecError) {
        guard !self.hasPalette else { throw .damaged(reason: "a PNG with two palettes") }
        self.hasPalette = true
        guard self.frame.colourType == .palette else { return }
        self.paletteCount = min(payload.count / 3, 1 << self.frame.bitDepth)
        for index in 0..<self.paletteCount {
            let (red, green, blue) = (payload[3 * index], payload[3 * index + 1], payload[3 * index + 2])
            self.palette[index] = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
        }
    }

    /// Records the first valid transparency.
    private mutating func read(transparency payload: UnsafeRawBufferPointer) {
        guard self.key == nil, !self.hasPaletteAlpha,
            self.frame.takesTransparency(byteCount: payload.count, paletteCount: self.paletteCount)
        else { return }
        if self.frame.colourType == .palette {
            self.hasPaletteAlpha = true
            for (index, alpha) in payload.enumerated() {
                self.palette[index] = self.palette[index] & 0xFF_FFFF | UInt32(alpha) << 24
            }
        } else {
            // Only the bits of a sample's depth count (11.3.1.1).
            let mask = UInt16(truncatingIfNeeded: 1 << self.frame.bitDepth - 1)
            self.key = stride(from: 0, to: payload.count, by: 2).map {
                (UInt16(payload[$0]) << 8 | UInt16(payload[$0 + 1])) & mask
            }
        }
    }
}
