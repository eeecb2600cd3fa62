import Glibc

/// BlurHash: a picture's blurred colours in a short text.
///
/// Algorithm: https://github.com/woltapp/blurhash/blob/master/Algorithm.md. Computed in double precision, as by the
/// Python package `blurhash`; implementations in single precision may differ in a digit. BlurHash has no alpha, so
/// pictures are composited over white.
enum BlurHash {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    /// The hash of straight sRGB with alpha, 8 bits each, of 1...100 px per side: 4 + 2 · `xComponents` · `yComponents`
    /// characters of Base83. There are 1...9 components along each axis.
    static func encode(rgba: [UInt8], width: Int, height: Int, xComponents: Int, yComponents: Int) -> String {
        let light = Self.linearOverWhite(rgba)
        let across = Self.cosines(xComponents, length: width)
        let down = Self.cosines(yComponents, length: height)
        var components: [SIMD4<Double>] = []
        for j in 0..<yComponents {
            for i in 0..<xComponents {
                let gain: Double = i == 0 && j == 0 ? 1 : 2
                // In this order, so that rounding is the same on all machines.
                var sum = SIMD4<Double>()
                for y in 0..<height {
                    let factor = down[j * height + y]
                    for x in 0..<width { sum += gain * across[i * width + x] * factor * light[y * width + x] }
                }
                components.append(sum / Double(width * height))
            }
        }

        let mean = components.removeFirst()
        let largest = components.flatMap { [$0.x, $0.y, $0.z] }.reduce(0) { max($0, abs($1)) }
        let range = Int(max(0, min(82, (largest * 166 - 0.5).rounded(.down))))
        var text: [UInt8] = []
        Self.append(xComponents - 1 + (yComponents - 1) * 9, length: 1, to: &text)
        Self.append(range, length: 1, to: &text)
        let (red, green, blue) = (SRGB.byte(ofLinear: mean.x), SRGB.byte(ofLinear: mean.y), SRGB.byte(ofLinear: mean.z))
        Self.append(red << 16 | green << 8 | blue, length: 4, to: &text)
        for component in components {
            let share = component / (Double(range + 1) / 166)
            let (r, g, b) = (Self.quantised(share.x), Self.quantised(share.y), Self.quantised(share.z))
            Self.append((r * 19 + g) * 19 + b, length: 2, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Linear red, green and blue of each pixel, 0...1; the fourth element is unused.
    private static func linearOverWhite(_ rgba: [UInt8]) -> [SIMD4<Double>] {
        let linear = SRGB.linear
        return stride(from: 0, to: rgba.count, by: 4).map { pixel in
            let alpha = Int(rgba[pixel + 3])
            // Blends sRGB values, as browsers do.
            func light(_ value: UInt8) -> Double { linear[(Int(value) * alpha + 255 * (255 - alpha) + 127) / 255] }
            return SIMD4(light(rgba[pixel]), light(rgba[pixel + 1]), light(rgba[pixel + 2]), 0)
        }
    }

    /// `length` values per frequency, one frequency after the other.
    private static func cosines(_ count: Int, length: Int) -> [Double] {
        (0..<count).flatMap { frequency in
            (0..<length).map { cos(Double.pi * Double(frequency) * Double($0) / Double(length)) }
        }
    }

    /// One of 19 steps of -1...1, finer around 0.
    private static func quantised(_ share: Double) -> Int {
        let root = copysign(pow(abs(share), 0.5), share)
        return Int(max(0, min(18, (root * 9 + 9.5).rounded(.down))))
    }

    private static func append(_ value: Int, length: Int, to text: inout [UInt8]) {
        var value = value
        let start = text.count
        for _ in 0..<length {
            text.insert(Self.digits[value % 83], at: start)
            value /= 83
        }
    }
}
