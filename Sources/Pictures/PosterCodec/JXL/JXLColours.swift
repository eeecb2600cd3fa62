/// The colour space of a JPEG XL's samples as enumerated in its header (ISO/IEC 18181-1, annex E).
struct JXLColours: Hashable, Sendable {
    /// The relation of samples to light.
    enum Curve: Hashable, Sendable {
        /// sRGB's curve, or a curve that displays like it: BT.709's, or an unknown one.
        case sRGB
        case linear, pq, hlg
        /// The exponent that gives light.
        case gamma(Double)
    }

    /// Whether samples are gray.
    var isGray = false
    /// Whether an ICC profile defines the space; curve and chromaticities are then unknown.
    var hasProfile = false
    var curve = Curve.sRGB
    /// x and y of white, red, green and blue.
    var xy = Self.sRGB

    /// sRGB.
    init() {}

    init(_ bits: inout JXLBits) throws(CodecError) {
        guard try !bits.flag() else { return }
        self.hasProfile = try bits.flag()
        let space = try bits.choice()
        self.isGray = space == Space.gray
        guard !self.hasProfile else { return }
        guard space == Space.rgb || space == Space.gray else { throw .unsupported("JPEG XL with samples in XYB") }
        let white = try bits.choice()
        self.xy.replaceSubrange(0..<2, with: try Self.white(white, &bits))
        if !self.isGray { self.xy.replaceSubrange(2..<8, with: try Self.primaries(try bits.choice(), &bits)) }
        self.curve = try Self.curve(&bits)
        // The rendering intent.
        _ = try bits.choice()
    }

    private enum Space {
        static let rgb = 0, gray = 1
    }

    private static let sRGB = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]

    private static func white(_ choice: Int, _ bits: inout JXLBits) throws(CodecError) -> [Double] {
        switch choice {
        case 1: return [0.3127, 0.3290]
        case 2: return try Self.point(&bits)
        case 10: return [1.0 / 3, 1.0 / 3]
        case 11: return [0.314, 0.351]
        default: throw Self.unknown
        }
    }

    private static func primaries(_ choice: Int, _ bits: inout JXLBits) throws(CodecError) -> [Double] {
        switch choice {
        case 1: return Array(Self.sRGB[2...])
        case 2: return try Self.point(&bits) + Self.point(&bits) + Self.point(&bits)
        case 9: return [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
        case 11: return [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
        default: throw Self.unknown
        }
    }

    /// A chromaticity. Its coordinates are signed millionths: even codes are positive.
    private static func point(_ bits: inout JXLBits) throws(CodecError) -> [Double] {
        var point: [Double] = []
        for _ in 0..<2 {
            let code = try bits.number(
                (.bits(19), .bits(19, plus: 524_288), .bits(20, plus: 1_048_576), .bits(21, plus: 2_097_152)))
            point.append(Double(code & 1 == 0 ? code >> 1 : -(code >> 1) - 1) / 1e6)
        }
        return point
    }

    private static func curve(_ bits: inout JXLBits) throws(CodecError) -> Curve {
        if try bits.flag() {
            // The exponent that gives samples, in ten-millionths.
            let exponent = Double(try bits.number(24)) / 1e7
            guard exponent > 0.1, exponent <= 1 else { throw Self.unknown }
            return .gamma(1 / exponent)
        }
        switch try bits.choice() {
        case 1, 2, 13: return .sRGB
        case 8: return .linear
        case 16: return .pq
        case 17: return .gamma(2.6)
        case 18: return .hlg
        default: throw Self.unknown
        }
    }

    private static var unknown: CodecError { .damaged(reason: "a JPEG XL with an undefined colour space") }
}

extension JXLColours {
    /// - Parameter peak: The luminance of the brightest pixel in cd/m²; `nil` if unknown.
    func tag(peak: Double?) -> ColourTag {
        let primaries = ColourPrimaries(self.isGray ? Self.sRGB : self.xy)
        let curve: TransferCurve
        switch self.curve {
        case .linear: curve = .linear
        case .pq: curve = .pq(peak: TransferCurve.peak(peak))
        case .hlg: curve = .hlg
        // A display's gamma of 2.2 differs from sRGB's curve in dark tones only, and counts as it, as in AVIFs.
        case .gamma(let exponent) where abs(exponent - 2.2) > 0.05: curve = .gamma(exponent)
        case .sRGB, .gamma: return primaries == .sRGB ? .sRGB : .chromaticities(primaries)
        }
        return .curved(curve, primaries)
    }
}
