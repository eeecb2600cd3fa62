/// ThumbHash: a picture's blurred shape in some 25 bytes, with its aspect ratio and its alpha.
///
/// Algorithm: https://evanw.github.io/thumbhash/. All is done in double precision. Where a value lies exactly between
/// two digits, the even one is taken, as the Python package `thumbhash` does; the JavaScript original takes the upper
/// one. The two differ for opaque sides of 5 : 14, 9 : 14 and 13 : 14 and for sides of 1 : 2 and 9 : 10 with alpha.
/// Of a flat picture the waves are nothing but rounding errors, so that some digits depend on the C library's cosine.
public enum ThumbHash {
    /// The hash of a picture, about 20...30 bytes.
    ///
    /// - Parameters:
    ///   - rgba: Straight sRGB with alpha, 8 bits each, row by row, `width * height * 4` bytes.
    ///   - width: 1...100 px.
    ///   - height: 1...100 px.
    public static func encode(rgba: [UInt8], width: Int, height: Int) -> [UInt8] {
        precondition((1...100).contains(width) && (1...100).contains(height), "ThumbHash takes 1...100 px")
        precondition(rgba.count == width * height * 4, "four bytes a pixel")
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

    /// The hash of a picture as Base64, the form in which it goes into JSON and HTML.
    ///
    /// - Parameters:
    ///   - rgba: Straight sRGB with alpha, 8 bits each, row by row, `width * height * 4` bytes.
    ///   - width: 1...100 px.
    ///   - height: 1...100 px.
    public static func base64(rgba: [UInt8], width: Int, height: Int) -> String {
        Base64.encode(Self.encode(rgba: rgba, width: width, height: height))
    }

    private static func rounded(_ value: Double) -> Int { Int(value.rounded(.toNearestOrEven)) }
}
