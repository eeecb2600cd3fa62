import Glibc

extension ThumbHash {
    /// Decodes a hash to a picture.
    ///
    /// - Parameters:
    ///   - width: 1...100 px; the hash itself contains the aspect ratio only roughly.
    ///   - height: 1...100 px.
    /// - Returns: Straight sRGB with alpha, 8 bits each, row by row, `width * height * 4` bytes; nil for an invalid
    ///   hash.
    public static func rgba(of hash: [UInt8], width: Int, height: Int) -> [UInt8]? {
        precondition((1...100).contains(width) && (1...100).contains(height), "1...100 px")
        guard let waves = ThumbHashWaves(hash) else { return nil }
        let light = waves.light.samples(width: width, height: height)
        let yellowBlue = waves.yellowBlue.samples(width: width, height: height)
        let redGreen = waves.redGreen.samples(width: width, height: height)
        let alpha = waves.alpha?.samples(width: width, height: height)
        var rgba: [UInt8] = []
        rgba.reserveCapacity(width * height * 4)
        for pixel in 0..<width * height {
            let blue = light[pixel] - 2 / 3 * yellowBlue[pixel]
            let red = (3 * light[pixel] - blue + redGreen[pixel]) / 2
            let green = red - redGreen[pixel]
            for sample in [red, green, blue, alpha?[pixel] ?? 1] {
                rgba.append(UInt8(max(0, 255 * min(1, sample))))
            }
        }
        return rgba
    }
}

/// The DCT coefficients of a hash.
private struct ThumbHashWaves {
    /// One channel: its mean and its coefficients, in the order of ``ThumbHashChannel``.
    struct Channel {
        let dc: Double
        let ac: [Double]
        let columns, rows: Int

        /// The samples of the channel, row by row.
        func samples(width: Int, height: Int) -> [Double] {
            let across = Self.cosines(self.columns, length: width)
            let down = Self.cosines(self.rows, length: height)
            var samples = [Double](repeating: self.dc, count: width * height)
            var wave = 0
            for cy in 0..<self.rows {
                for cx in 0..<self.columns where cx * self.rows < self.columns * (self.rows - cy) && cx + cy > 0 {
                    for y in 0..<height {
                        let amount = 2 * self.ac[wave] * down[cy * height + y]
                        for x in 0..<width { samples[y * width + x] += amount * across[cx * width + x] }
                    }
                    wave += 1
                }
            }
            return samples
        }

        private static func cosines(_ count: Int, length: Int) -> [Double] {
            (0..<count).flatMap { frequency in
                (0..<length).map { cos(Double.pi / Double(length) * (Double($0) + 0.5) * Double(frequency)) }
            }
        }
    }

    /// Compensates for the loss of saturation by quantisation, as the reference does.
    private static let saturation = 1.25

    let light, yellowBlue, redGreen: Channel
    let alpha: Channel?

    init?(_ hash: [UInt8]) {
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
        func channel(_ columns: Int, _ rows: Int, dc: Double, scale: Double) -> Channel? {
            let count = (0..<rows).reduce(-1) { sum, cy in
                sum + (0..<columns).count { $0 * rows < columns * (rows - cy) }
            }
            guard digits.count >= count else { return nil }
            defer { digits = digits.dropFirst(count) }
            return Channel(
                dc: dc, ac: digits.prefix(count).map { ($0 / 7.5 - 1) * scale }, columns: columns, rows: rows)
        }
        guard
            let light = channel(
                columns, rows, dc: Double(header24 & 63) / 63, scale: Double(header24 >> 18 & 31) / 31),
            let yellowBlue = channel(
                3, 3, dc: Double(header24 >> 6 & 63) / 31.5 - 1,
                scale: Double(header16 >> 3 & 63) / 63 * Self.saturation),
            let redGreen = channel(
                3, 3, dc: Double(header24 >> 12 & 63) / 31.5 - 1,
                scale: Double(header16 >> 9 & 63) / 63 * Self.saturation)
        else { return nil }
        (self.light, self.yellowBlue, self.redGreen) = (light, yellowBlue, redGreen)
        guard hasAlpha else {
            self.alpha = nil
            return
        }
        guard let alpha = channel(5, 5, dc: Double(hash[5] & 15) / 15, scale: Double(hash[5] >> 4) / 15) else {
            return nil
        }
        self.alpha = alpha
    }
}
