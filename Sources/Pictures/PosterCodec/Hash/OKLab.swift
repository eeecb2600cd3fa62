import Glibc

/// A colour in the perceptually uniform space OKLab (https://bottosson.github.io/posts/oklab/).
///
/// Lightness has the toe of the same author's OKHSL (https://bottosson.github.io/posts/colorpicker/), because plain
/// OKLab exaggerates the distances between dark shades, which are common in posters.
struct OKLab {
    /// Lightness 0...1, green to red and blue to yellow about ±0.4; the fourth element is unused.
    let coordinates: SIMD4<Float>

    init(red: UInt8, green: UInt8, blue: UInt8) {
        let r = SRGB.linear[Int(red)]
        let g = SRGB.linear[Int(green)]
        let b = SRGB.linear[Int(blue)]
        let long = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
        let medium = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
        let short = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
        let lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
        self.coordinates = SIMD4(
            Float(Self.toe(lightness)),
            Float(1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short),
            Float(0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short),
            0)
    }

    func squaredDistance(to other: OKLab) -> Float {
        let difference = self.coordinates - other.coordinates
        return (difference * difference).sum()
    }

    private static func toe(_ lightness: Double) -> Double {
        let k1 = 0.206
        let k2 = 0.03
        let k3 = (1 + k1) / (1 + k2)
        let shifted = k3 * lightness - k1
        return 0.5 * (shifted + (shifted * shifted + 4 * k2 * k3 * lightness).squareRoot())
    }
}

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGB {
    /// Linear light, 0...1, of every 8-bit value.
    static let linear: [Double] = (0...255).map { byte in
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The 8-bit value of linear light, clamped to 0...1.
    static func byte(ofLinear light: Double) -> Int {
        let light = max(0, min(1, light))
        if light <= 0.0031308 { return Int(light * 12.92 * 255 + 0.5) }
        return Int((1.055 * pow(light, 1 / 2.4) - 0.055) * 255 + 0.5)
    }
}
