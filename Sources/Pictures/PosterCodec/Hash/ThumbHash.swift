import Glibc

/// ThumbHash: a blurred picture in some 25 bytes, with its aspect ratio and its alpha.
///
/// Algorithm: https://evanw.github.io/thumbhash/. Computed in double precision. Ties are rounded to even, as by the
/// Python package `thumbhash`; the JavaScript original rounds them up. The two differ for opaque sides of 5 : 14, 9 :
/// 14 and 13 : 14 and for sides of 1 : 2 and 9 : 10 with alpha. The waves of a flat picture are rounding errors, so
/// some of its digits depend on the C library's cosine.
enum ThumbHash {
    /// The hash of straight sRGB with alpha, 8 bits each, of 1...100 px per side; about 20...30 bytes.
    static func encode(rgba: [UInt8], width: Int, height: Int) -> [UInt8] {
        let planes = Planes(rgba: rgba)
        let longer = max(width, height)
        let limit = planes.hasAlpha ? 5 : 7
        let columns = max(1, Self.rounded(Double(limit * width) / Double(longer)))
        let rows = max(1, Self.rounded(Double(limit * height) / Double(longer)))

        func channel(_ samples: [Double], _ columns: Int, _ rows: Int) -> ThumbHashChannel {
            ThumbHashChannel(samples, width: width, height: height, columns: columns, rows: rows)
        }
        let light = channel(planes.light, max(3, columns), max(3, rows))
        let yellowBlue = channel(planes.yellowBlue, 3, 3)
        let redGreen = channel(planes.redGreen, 3, 3)

        let isLandscape = width > height
        let header24 =
            Self.rounded(63 * light.dc) | Self.rounded(31.5 + 31.5 * yellowBlue.dc) << 6
            | Self.rounded(31.5 + 31.5 * redGreen.dc) << 12 | Self.rounded(31 * light.scale) << 18
            | (planes.hasAlpha ? 1 << 23 : 0)
        let header16 =
            (isLandscape ? rows : columns) | Self.rounded(63 * yellowBlue.scale) << 3
            | Self.rounded(63 * redGreen.scale) << 9 | (isLandscape ? 1 << 15 : 0)
        var hash = [header24, header24 >> 8, header24 >> 16, header16, header16 >> 8].map(
            UInt8.init(truncatingIfNeeded:))

        var waves = light.ac + yellowBlue.ac + redGreen.ac
        if planes.hasAlpha {
            let alpha = channel(planes.alpha, 5, 5)
            hash.append(UInt8(Self.rounded(15 * alpha.dc) | Self.rounded(15 * alpha.scale) << 4))
            waves += alpha.ac
        }
        for (index, wave) in waves.enumerated() {
            let digit = UInt8(Self.rounded(15 * wave))
            if index.isMultiple(of: 2) { hash.append(digit) } else { hash[hash.count - 1] |= digit << 4 }
        }
        return hash
    }

    private static func rounded(_ value: Double) -> Int { Int(value.rounded(.toNearestOrEven)) }

    /// The channels of ThumbHash: luminance and two colour differences of a picture composited over its mean colour.
    struct Planes {
        /// The mean of red, green and blue, 0...1.
        private(set) var light: [Double] = []
        /// Yellow against blue, -1...1.
        private(set) var yellowBlue: [Double] = []
        /// Red against green, -1...1.
        private(set) var redGreen: [Double] = []
        /// 0...1.
        private(set) var alpha: [Double] = []
        /// Whether any pixel is not opaque.
        let hasAlpha: Bool

        init(rgba: [UInt8]) {
            // Red, green and blue times alpha, and alpha, 0...1.
            let pixels = stride(from: 0, to: rgba.count, by: 4).map { pixel in
                let alpha = Double(rgba[pixel + 3]) / 255
                let colour = SIMD4(Double(rgba[pixel]), Double(rgba[pixel + 1]), Double(rgba[pixel + 2]), 0)
                var product = alpha / 255 * colour
                product.w = alpha
                return product
            }
            let sum = pixels.reduce(SIMD4(), +)
            let mean = sum.w > 0 ? sum / sum.w : sum
            self.hasAlpha = sum.w < Double(pixels.count)
            for pixel in pixels {
                let over = mean * (1 - pixel.w) + pixel
                self.light.append((over.x + over.y + over.z) / 3)
                self.yellowBlue.append((over.x + over.y) / 2 - over.z)
                self.redGreen.append(over.x - over.y)
                self.alpha.append(pixel.w)
            }
        }
    }
}

/// The DCT coefficients of one channel of a ``ThumbHash``: type II, only frequencies below the diagonal.
struct ThumbHashChannel {
    /// The mean, in units of the samples.
    private(set) var dc = 0.0
    /// The other coefficients, row by row of the frequencies, as 0...1 of ±``scale``.
    private(set) var ac: [Double] = []
    /// The largest magnitude of the other coefficients.
    private(set) var scale = 0.0

    /// - Parameter columns: The number of frequencies along a row; `rows` is the number along a column.
    init(_ samples: [Double], width: Int, height: Int, columns: Int, rows: Int) {
        let across = Self.cosines(columns, length: width)
        let down = Self.cosines(rows, length: height)
        for cy in 0..<rows {
            for cx in 0..<columns where cx * rows < columns * (rows - cy) {
                // Products and sum in exactly this order, because rounding errors of a zero coefficient decide a digit
                // of the hash.
                var sum = 0.0
                for y in 0..<height {
                    let factor = down[cy * height + y]
                    for x in 0..<width { sum += samples[y * width + x] * across[cx * width + x] * factor }
                }
                sum /= Double(width * height)
                if cx == 0 && cy == 0 {
                    self.dc = sum
                } else {
                    self.ac.append(sum)
                    self.scale = max(self.scale, abs(sum))
                }
            }
        }
        // If all coefficients are 0, they stay 0, the bottom of the range.
        guard self.scale > 0 else { return }
        for index in self.ac.indices { self.ac[index] = 0.5 + 0.5 / self.scale * self.ac[index] }
    }

    /// `length` values per frequency, one frequency after the other.
    private static func cosines(_ count: Int, length: Int) -> [Double] {
        (0..<count).flatMap { frequency in
            (0..<length).map { cos(Double.pi / Double(length) * Double(frequency) * (Double($0) + 0.5)) }
        }
    }
}

extension ThumbHash {
    /// Compensates for the loss of saturation by quantisation, as the reference does.
    private static let saturation = 1.25

    /// Decodes a hash to straight sRGB with alpha, 8 bits each, of 1...100 px per side; `nil` for an invalid hash.
    static func rgba(of hash: [UInt8], width: Int, height: Int) -> [UInt8]? {
        guard hash.count >= 5 else { return nil }
        let header24 = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
        let header16 = Int(hash[3]) | Int(hash[4]) << 8
        let hasAlpha = header24 >> 23 != 0
        let isLandscape = header16 >> 15 != 0
        let limit = hasAlpha ? 5 : 7
        let columns = max(3, isLandscape ? limit : header16 & 7)
        let rows = max(3, isLandscape ? header16 & 7 : limit)
        guard !hasAlpha || hash.count >= 6 else { return nil }

        var digits = hash[(hasAlpha ? 6 : 5)...].flatMap { [Double($0 & 15), Double($0 >> 4)] }[...]
        /// The samples of the next channel, from its mean and its coefficients; `nil` if coefficients are missing.
        func samples(_ columns: Int, _ rows: Int, dc: Double, scale: Double) -> [Double]? {
            let across = Self.cosines(columns, length: width)
            let down = Self.cosines(rows, length: height)
            var samples = [Double](repeating: dc, count: width * height)
            for cy in 0..<rows {
                for cx in 0..<columns where cx * rows < columns * (rows - cy) && cx + cy > 0 {
                    guard let digit = digits.popFirst() else { return nil }
                    for y in 0..<height {
                        let amount = 2 * ((digit / 7.5 - 1) * scale) * down[cy * height + y]
                        for x in 0..<width { samples[y * width + x] += amount * across[cx * width + x] }
                    }
                }
            }
            return samples
        }
        guard
            let light = samples(
                columns, rows, dc: Double(header24 & 63) / 63, scale: Double(header24 >> 18 & 31) / 31),
            let yellowBlue = samples(
                3, 3, dc: Double(header24 >> 6 & 63) / 31.5 - 1,
                scale: Double(header16 >> 3 & 63) / 63 * Self.saturation),
            let redGreen = samples(
                3, 3, dc: Double(header24 >> 12 & 63) / 31.5 - 1,
                scale: Double(header16 >> 9 & 63) / 63 * Self.saturation)
        else { return nil }
        var alpha = [Double](repeating: 1, count: width * height)
        if hasAlpha {
            guard let own = samples(5, 5, dc: Double(hash[5] & 15) / 15, scale: Double(hash[5] >> 4) / 15) else {
                return nil
            }
            alpha = own
        }
        return (0..<width * height).flatMap { pixel in
            let blue = light[pixel] - 2 / 3 * yellowBlue[pixel]
            let red = (3 * light[pixel] - blue + redGreen[pixel]) / 2
            return [red, red - redGreen[pixel], blue, alpha[pixel]].map { UInt8(max(0, 255 * min(1, $0))) }
        }
    }

    /// Multiplies in another order than ``ThumbHashChannel``, like the reference, so that rounding is the same.
    private static func cosines(_ count: Int, length: Int) -> [Double] {
        (0..<count).flatMap { frequency in
            (0..<length).map { (position: Int) -> Double in
                cos(Double.pi / Double(length) * (Double(position) + 0.5) * Double(frequency))
            }
        }
    }
}
