/// The IHDR chunk of a PNG (third edition, 11.2.1).
struct PNGFrame {
    let width, height: Int
    let bitDepth: Int
    let colourType: ColourType
    let isInterlaced: Bool

    enum ColourType: UInt8 {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgbAlpha = 6

        var hasAlpha: Bool { self == .grayAlpha || self == .rgbAlpha }

        var bitDepths: [Int] {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgbAlpha: [8, 16]
            }
        }

        var samplesPerPixel: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgbAlpha: 4
            }
        }

        var model: ImageHeader.ColourModel {
            switch self {
            case .gray, .grayAlpha: .gray
            case .palette: .palette
            case .rgb, .rgbAlpha: .rgb
            }
        }
    }

    init(payload: UnsafeRawBufferPointer) throws(CodecError) {
        guard payload.count == 13 else { throw .damaged(reason: "a PNG header of impossible length") }
        self.width = payload.bigEndian(at: 0)
        self.height = payload.bigEndian(at: 4)
        let sides = 1...Int(Int32.max)
        guard sides.contains(self.width), sides.contains(self.height) else {
            throw .damaged(reason: "a PNG of \(self.width)×\(self.height) pixels")
        }
        self.bitDepth = Int(payload[8])
        guard let colourType = ColourType(rawValue: payload[9]), colourType.bitDepths.contains(self.bitDepth) else {
            throw .damaged(reason: "a PNG of colour type \(payload[9]) with \(payload[8]) bits")
        }
        self.colourType = colourType
        guard payload[10] == 0, payload[11] == 0, payload[12] <= 1 else {
            throw .damaged(reason: "a PNG with unknown compression, filters or interlacing")
        }
        self.isInterlaced = payload[12] == 1
    }

    /// The passes in the order of the data: seven of an interlaced picture (third edition, 8.2), else one.
    var passes: [PNGPass] {
        guard self.isInterlaced else { return [PNGPass(self, left: 0, top: 0, across: 1, down: 1)] }
        let shapes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return shapes.map { PNGPass(self, left: $0.0, top: $0.1, across: $0.2, down: $0.3) }
    }

    var bitsPerPixel: Int { self.bitDepth * self.colourType.samplesPerPixel }

    /// The length of the picture's inflated data.
    var dataLength: Int { self.passes.reduce(0) { $0 + $1.dataLength } }

    /// Whether a tRNS chunk of `byteCount` bytes is valid; browsers ignore others.
    func takesTransparency(byteCount: Int, paletteCount: Int) -> Bool {
        switch self.colourType {
        case .gray: byteCount == 2
        case .rgb: byteCount == 6
        case .palette: (1...max(1, paletteCount)).contains(byteCount) && paletteCount > 0
        case .grayAlpha, .rgbAlpha: false
        }
    }
}

/// Every `across`-th pixel of every `down`-th row, from column `left` and row `top` on: a picture of its own in the data.
struct PNGPass {
    let left, top, across, down: Int
    /// In pixels. Both are 0 if the pass is empty.
    let width, height: Int
    /// The bytes of a row, excluding its filter's.
    let rowBytes: Int

    init(_ frame: PNGFrame, left: Int, top: Int, across: Int, down: Int) {
        (self.left, self.top, self.across, self.down) = (left, top, across, down)
        let columns = max(0, (frame.width - left + across - 1) / across)
        let rows = max(0, (frame.height - top + down - 1) / down)
        (self.width, self.height) = columns == 0 || rows == 0 ? (0, 0) : (columns, rows)
        self.rowBytes = (self.width * frame.bitsPerPixel + 7) / 8
    }

    /// The length of its inflated data: all rows, each with the byte of its filter.
    var dataLength: Int { self.height * (1 + self.rowBytes) }

    /// Whether row `y` of the picture has pixels of this pass.
    func covers(_ y: Int) -> Bool { self.width > 0 && y % self.down == self.top }
}
