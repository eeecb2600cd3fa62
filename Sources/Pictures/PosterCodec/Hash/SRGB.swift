import Glibc

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGB {
    /// Linear light, 0...1, of every 8-bit value.
    static let linear: [Double] = (0...255).map { byte in
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The 8-bit value of linear light; what is beyond 0...1 is cut off.
    static func byte(ofLinear light: Double) -> Int {
        let light = max(0, min(1, light))
        if light <= 0.0031308 { return Int(light * 12.92 * 255 + 0.5) }
        return Int((1.055 * pow(light, 1 / 2.4) - 0.055) * 255 + 0.5)
    }
}
