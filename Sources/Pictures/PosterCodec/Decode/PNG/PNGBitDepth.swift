/// Samples of other sizes than 8 bits, as PNGs have them (third edition, 7.2), become such.
enum PNGBitDepth {
    /// Takes samples of 1, 2 or 4 bits out of their bytes, the first from the highest bits.
    ///
    /// - Parameters:
    ///   - factor: What each is multiplied with.
    ///   - target: Has room for 7 samples more than `count`: bytes are taken apart as a whole.
    static func unpack(
        _ row: UnsafePointer<UInt8>, bitDepth: Int, count: Int, factor: UInt8, into target: UnsafeMutablePointer<UInt8>
    ) {
        switch bitDepth {
        case 1:
            for index in 0..<(count + 7) / 8 {
                let byte = row[index]
                for bit in 0..<8 { target[8 &* index &+ bit] = (byte &>> UInt8(7 &- bit) & 1) &* factor }
            }
        case 2:
            for index in 0..<(count + 3) / 4 {
                let byte = row[index]
                target[4 &* index] = (byte &>> 6) &* factor
                target[4 &* index &+ 1] = (byte &>> 4 & 3) &* factor
                target[4 &* index &+ 2] = (byte &>> 2 & 3) &* factor
                target[4 &* index &+ 3] = (byte & 3) &* factor
            }
        default:
            for index in 0..<(count + 1) / 2 {
                target[2 &* index] = (row[index] &>> 4) &* factor
                target[2 &* index &+ 1] = (row[index] & 15) &* factor
            }
        }
    }

    /// Rounds samples of 16 bits, most significant byte first, to 8: the nearest to `sample / 257`.
    static func round(_ row: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>) {
        let vectors = UnsafeRawPointer(row)
        var index = 0
        while index &+ 16 <= count {
            let bytes = vectors.loadUnaligned(fromByteOffset: 2 &* index, as: SIMD32<UInt8>.self)
            let rounded = Self.round(high: bytes.evenHalf, low: bytes.oddHalf)
            UnsafeMutableRawPointer(target + index).storeBytes(of: rounded, as: SIMD16<UInt8>.self)
            index &+= 16
        }
        while index < count {
            target[index] = Self.round(high: row[2 &* index], low: row[2 &* index &+ 1])
            index &+= 1
        }
    }

    /// `high · 257` is what 8 bits stand for: one more or less is nearer when the low byte is over 128 away from it.
    @inline(__always)
    static func round(high: UInt8, low: UInt8) -> UInt8 {
        let distance = Int(low) &- Int(high)
        return distance > 128 ? high &+ 1 : distance < -128 ? high &- 1 : high
    }

    /// The same of 16.
    @inline(__always)
    private static func round(high: SIMD16<UInt8>, low: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let middle = SIMD16<UInt8>(repeating: 128)
        // 0 where the difference would be negative.
        let over = pointwiseMax(low, high) &- high
        let under = pointwiseMax(low, high) &- low
        var rounded = high
        rounded.replace(with: high &+ 1, where: over .> middle)
        rounded.replace(with: high &- 1, where: under .> middle)
        return rounded
    }
}
