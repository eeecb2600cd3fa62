/// A colour that is transparent where it occurs (third edition, 11.3.1.1): alpha is added to each pixel.
enum PNGKey {
    /// - Parameters:
    ///   - row: `width` pixels of 8 bits a sample, as many samples as the key has.
    ///   - target: Has room for `width` pixels with one sample more.
    static func addAlpha(
        to row: UnsafePointer<UInt8>, width: Int, key: [UInt16], into target: UnsafeMutablePointer<UInt8>
    ) {
        let channels = key.count
        var (source, target) = (row, target)
        for _ in 0..<width {
            var isKey = true
            for channel in 0..<channels {
                isKey = isKey && UInt16(source[channel]) == key[channel]
                target[channel] = source[channel]
            }
            target[channels] = isKey ? 0 : 255
            source += channels
            target += channels + 1
        }
    }

    /// The same for 16 bits a sample, which are rounded after they were compared.
    static func addAlpha(
        toWide row: UnsafePointer<UInt8>, width: Int, key: [UInt16], into target: UnsafeMutablePointer<UInt8>
    ) {
        let channels = key.count
        var (source, target) = (row, target)
        for _ in 0..<width {
            var isKey = true
            for channel in 0..<channels {
                let (high, low) = (source[2 &* channel], source[2 &* channel &+ 1])
                isKey = isKey && UInt16(high) << 8 | UInt16(low) == key[channel]
                target[channel] = PNGBits.round(high: high, low: low)
            }
            target[channels] = isKey ? 0 : 255
            source += 2 * channels
            target += channels + 1
        }
    }
}
