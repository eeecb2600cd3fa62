import Glibc

/// An sRGB colour; components from 0 to 1.
struct SRGBColour: Hashable, Sendable, CustomStringConvertible {
    let red, green, blue: Double

    init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// - Returns: `nil` unless the text is `#rrggbb`.
    init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard digits.count == 6, text.utf8.first == UInt8(ascii: "#"), digits.allSatisfy(Self.isHexadecimal),
            let number = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        let parts = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
        self.init(red: parts[0], green: parts[1], blue: parts[2])
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    var description: String {
        "#"
            + [self.red, self.green, self.blue].map { part in
                let digits = String(Int((min(1, max(0, part)) * 255).rounded()), radix: 16)
                return digits.utf8.count == 1 ? "0" + digits : digits
            }.joined()
    }

    /// The components in linear light.
    var linear: SIMD3<Double> {
        SIMD3([self.red, self.green, self.blue].map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) })
    }

    /// WCAG 2.2, relative luminance.
    var luminance: Double { (self.linear * SIMD3(0.2126, 0.7152, 0.0722)).sum() }

    /// WCAG 2.2, contrast ratio: from 1 to 21.
    func contrast(with other: SRGBColour) -> Double {
        let (dark, light) = (min(self.luminance, other.luminance), max(self.luminance, other.luminance))
        return (light + 0.05) / (dark + 0.05)
    }
}

/// A colour as lightness, chroma and hue (Ottosson, Oklab, 2020).
struct OKLCH: Hashable, Sendable {
    var lightness, chroma, hue: Double

    init(lightness: Double, chroma: Double, hue: Double) {
        (self.lightness, self.chroma, self.hue) = (lightness, chroma, hue)
    }

    init(_ colour: SRGBColour) {
        let linear = colour.linear
        let long = cbrt((linear * SIMD3(0.4122214708, 0.5363325363, 0.0514459929)).sum())
        let medium = cbrt((linear * SIMD3(0.2119034982, 0.6806995451, 0.1073969566)).sum())
        let short = cbrt((linear * SIMD3(0.0883024619, 0.2817188376, 0.6299787005)).sum())
        let cone = SIMD3(long, medium, short)
        let a = (cone * SIMD3(1.9779984951, -2.4285922050, 0.4505937099)).sum()
        let b = (cone * SIMD3(0.0259040371, 0.7827717662, -0.8086757660)).sum()
        self.init(
            lightness: (cone * SIMD3(0.2104542553, 0.7936177850, -0.0040720468)).sum(), chroma: hypot(a, b),
            hue: atan2(b, a))
    }

    /// The sRGB colour of this lightness and hue; reduces the chroma to fit the gamut.
    var colour: SRGBColour {
        var chroma = self.chroma
        while true {
            let linear = Self.linear(self.lightness, chroma * cos(self.hue), chroma * sin(self.hue))
            let isInside = linear.min() >= -0.0005 && linear.max() <= 1.0005
            if isInside || chroma < 0.002 {
                let parts = [linear.x, linear.y, linear.z].map { part in
                    let part = min(1, max(0, part))
                    return part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055
                }
                return SRGBColour(red: parts[0], green: parts[1], blue: parts[2])
            }
            chroma *= 0.94
        }
    }

    private static func linear(_ lightness: Double, _ a: Double, _ b: Double) -> SIMD3<Double> {
        let long = lightness + 0.3963377774 * a + 0.2158037573 * b
        let medium = lightness - 0.1055613458 * a - 0.0638541728 * b
        let short = lightness - 0.0894841775 * a - 1.2914855480 * b
        let cone = SIMD3(long * long * long, medium * medium * medium, short * short * short)
        return SIMD3(
            (cone * SIMD3(4.0767416621, -3.3077115913, 0.2309699292)).sum(),
            (cone * SIMD3(-1.2684380046, 2.6097574011, -0.3413193965)).sum(),
            (cone * SIMD3(-0.0041960863, -0.7034186147, 1.7076147010)).sum())
    }

    /// Moves the lightness by `step` until the colour has the contrast with `ground`.
    func reaching(_ contrast: Double, with ground: SRGBColour, step: Double) -> OKLCH {
        var moved = self
        while moved.colour.contrast(with: ground) < contrast, (0...1).contains(moved.lightness + step) {
            moved.lightness += step
        }
        return moved
    }
}
