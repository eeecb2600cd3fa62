/// The meaning of an AVIF's samples, in code points of ITU-T H.273.
struct AVIFColours: Hashable {
    let primaries, transfer, matrix: Int
    let isFullRange: Bool

    init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// The content of a `colr` box, after its kind.
    init(_ fields: inout ISOFields) throws(CodecError) {
        self.init(
            primaries: try fields.number(2), transfer: try fields.number(2), matrix: try fields.number(2),
            isFullRange: try fields.number(1) & 0x80 != 0)
    }

    /// Whether samples are green, blue and red.
    var isRGB: Bool { self.matrix == 0 }

    /// The matrix of Y′CbCr; unspecified is BT.601, as for JPEGs.
    ///
    /// - Throws: ``CodecError/unsupported(_:)``.
    func yCbCrMatrix() throws(CodecError) -> YCbCrMatrix {
        switch self.matrix {
        case 1: return .bt709
        case 2, 5, 6: return .bt601
        case 4: return .fcc
        case 7: return .smpte240
        case 9: return .bt2020
        // Derived from the primaries.
        case 12 where self.primaries == 1: return .bt709
        case 12 where self.primaries == 9: return .bt2020
        default: throw .unsupported("AVIF with the matrix \(self.matrix) of ITU-T H.273")
        }
    }

    /// The colour space, without a profile. Curves that differ little from that of sRGB are taken for it, as in browsers.
    ///
    /// - Throws: ``CodecError/unsupported(_:)``.
    func tag() throws(CodecError) -> ColourTag {
        switch self.transfer {
        case 0...4, 6, 7, 11...15: break
        case 8: throw .unsupported("AVIF with linear samples")
        case 16: throw .unsupported("AVIF of high dynamic range (PQ)")
        case 18: throw .unsupported("AVIF of high dynamic range (HLG)")
        default: throw .unsupported("AVIF with the transfer curve \(self.transfer) of ITU-T H.273")
        }
        switch self.primaries {
        case 0...3: return .sRGB
        case 4: return Self.tag((0.310, 0.316), (0.67, 0.33), (0.21, 0.71), (0.14, 0.08))
        case 5: return Self.tag((0.3127, 0.3290), (0.64, 0.33), (0.29, 0.60), (0.15, 0.06))
        case 6, 7: return Self.tag((0.3127, 0.3290), (0.630, 0.340), (0.310, 0.595), (0.155, 0.070))
        case 8: return Self.tag((0.310, 0.316), (0.681, 0.319), (0.243, 0.692), (0.145, 0.049))
        case 9: return Self.tag((0.3127, 0.3290), (0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
        case 11: return Self.tag((0.314, 0.351), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
        case 12: return .displayP3
        case 22: return Self.tag((0.3127, 0.3290), (0.630, 0.340), (0.295, 0.605), (0.155, 0.077))
        default: throw .unsupported("AVIF with the primaries \(self.primaries) of ITU-T H.273")
        }
    }

    private typealias Point = (Double, Double)

    private static func tag(_ white: Point, _ red: Point, _ green: Point, _ blue: Point) -> ColourTag {
        func point(_ xy: Point) -> ColourTag.Chromaticity { .init(x: xy.0, y: xy.1) }
        return .chromaticities(white: point(white), red: point(red), green: point(green), blue: point(blue))
    }
}
