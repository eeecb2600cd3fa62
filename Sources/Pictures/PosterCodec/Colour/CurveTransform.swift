import Glibc

/// Converts 8-bit RGB, or gray, of another transfer curve to sRGB in linear light. High dynamic range is tone-mapped.
///
/// All channels are scaled by the tone curve's factor for the largest one, which preserves hues. Colours outside sRGB
/// are clipped.
struct CurveTransform {
    /// The linear light of each level: 1 is white, or for HLG the peak of scene light.
    private let light: [Float]
    /// The tone-mapping factors by a pixel's largest level; empty for HLG.
    private let factors: [Float]
    private let display: HLGDisplay?
    /// The columns of the matrix to linear sRGB.
    private let red, green, blue: SIMD3<Float>

    /// - Returns: `nil` if the primaries do not span a triangle.
    init?(_ curve: TransferCurve, _ primaries: ColourPrimaries) {
        guard primaries.spanTriangle else { return nil }
        let levels = (0...255).map { Double($0) / 255 }
        let white = TransferCurve.referenceWhite
        var (light, factors) = (levels, [Double](repeating: 1, count: 256))
        var display: HLGDisplay?
        switch curve {
        case .linear: break
        case .gamma(let exponent): light = levels.map { pow($0, exponent) }
        case .pq(let peak):
            let tone = ToneCurve(peak: peak)
            let luminances = levels.map(ToneCurve.luminance(pq:))
            light = luminances.map { $0 / white }
            factors = luminances.map { $0 > 0 ? tone($0) * white / $0 : 1 }
        case .hlg:
            light = levels.map(HLGDisplay.sceneLight)
            factors = []
            display = HLGDisplay(primaries)
        }
        self.light = light.map(Float.init)
        self.factors = factors.map(Float.init)
        self.display = display
        let matrix = primaries.toSRGB
        (self.red, self.green, self.blue) = (SIMD3(matrix.x), SIMD3(matrix.y), SIMD3(matrix.z))
    }

    /// Writes three bytes per pixel.
    ///
    /// - Parameter channels: The bytes per pixel of the input: 3, or 1 for gray.
    func apply(_ pixels: UnsafePointer<UInt8>, channels: Int, to rgb: UnsafeMutablePointer<UInt8>, count: Int) {
        let (second, third) = channels == 3 ? (1, 2) : (0, 0)
        let last = SIMD3<Float>(repeating: Float(Self.steps))
        self.light.withUnsafeBufferPointer { light in
            self.factors.withUnsafeBufferPointer { factors in
                Self.encoded.withUnsafeBufferPointer { encoded in
                    for index in 0..<count {
                        let pixel = pixels + channels * index
                        let (r, g, b) = (Int(pixel[0]), Int(pixel[second]), Int(pixel[third]))
                        var colour = SIMD3(light[r], light[g], light[b])
                        colour *= self.display?.factor(colour) ?? factors[max(r, g, b)]
                        let linear = self.red * colour.x + self.green * colour.y + self.blue * colour.z
                        let steps = (linear * last + 0.5).clamped(lowerBound: .zero, upperBound: last)
                        for channel in 0..<3 { rgb[3 * index + channel] = encoded[Int(steps[channel])] }
                    }
                }
            }
        }
    }

    /// Fine enough for sRGB levels near black, where the curve is steepest.
    private static let steps = 1 << 14

    /// The sRGB level of each step of linear light.
    private static let encoded: [UInt8] = (0...steps).map { step in
        let light = Double(step) / Double(Self.steps)
        let signal = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((255 * signal).rounded())
    }
}

/// HLG's reference display (BT.2100: 1000 cd/m², system gamma 1.2), with tone mapping.
struct HLGDisplay {
    private let luminances: SIMD3<Float>
    /// The tone-mapping factors by the luminance of the largest channel, in equal steps up to the peak.
    private let factors: [Float]

    init(_ primaries: ColourPrimaries) {
        self.luminances = SIMD3(primaries.luminances)
        let tone = ToneCurve(peak: TransferCurve.nominalPeak)
        let white = TransferCurve.referenceWhite
        self.factors = (0...Self.steps + 1).map { step in
            let luminance = TransferCurve.nominalPeak * Double(step) / Double(Self.steps)
            return Float(luminance > 0 ? tone(luminance) * white / luminance : 1)
        }
    }

    private static let steps = 1024

    /// The factor from scene light to result light: the display's gain relative to reference white, times tone mapping.
    func factor(_ scene: SIMD3<Float>) -> Float {
        let luminance = max(0, (self.luminances * scene).sum())
        let gain = powf(luminance, 0.2)
        let position = min(1, scene.max() * gain) * Float(Self.steps)
        let step = Int(position)
        let share = position - Float(step)
        let tone = self.factors[step] * (1 - share) + self.factors[step + 1] * share
        return gain * tone * Float(TransferCurve.nominalPeak / TransferCurve.referenceWhite)
    }

    /// The inverse OETF: the scene light of a signal, 0...1 each.
    static func sceneLight(_ signal: Double) -> Double {
        guard signal > 0.5 else { return signal * signal / 3 }
        return (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}
