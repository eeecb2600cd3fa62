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

    /// The rows and columns of each pass of an interlaced picture (third edition, 8.2): the first, and the distance to
    /// the next.
    private static let passes = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    /// The length of the picture's inflated data: all rows of all passes, each with the byte of its filter.
    var dataLength: Int {
        (self.isInterlaced ? Self.passes : [(0, 0, 1, 1)]).reduce(0) { sum, pass in
            let (left, top, across, down) = pass
            let columns = max(0, (self.width - left + across - 1) / across)
            let rows = max(0, (self.height - top + down - 1) / down)
            let bits = columns * self.bitDepth * self.colourType.samplesPerPixel
            return columns == 0 ? sum : sum + rows * (1 + (bits + 7) / 8)
        }
    }

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
