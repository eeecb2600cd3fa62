/// Converts samples of other bit depths than 8 (PNG, third edition, 7.2) to 8 bits.
enum PNGBitDepth {
    /// Unpacks samples of 1, 2 or 4 bits, the first one from the highest bits, and multiplies them by `factor`.
    ///
    /// - Parameter target: Has room for `count` + 7 samples, because whole bytes are unpacked.
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

    /// An 8-bit value stands for `high · 257`; its neighbour is nearer if the low byte differs by more than 128.
    @inline(__always)
    static func round(high: UInt8, low: UInt8) -> UInt8 {
        let distance = Int(low) &- Int(high)
        return distance > 128 ? high &+ 1 : distance < -128 ? high &- 1 : high
    }

    /// The same for 16 samples.
    @inline(__always)
    private static func round(high: SIMD16<UInt8>, low: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let middle = SIMD16<UInt8>(repeating: 128)
        // 0 instead of negative differences.
        let over = pointwiseMax(low, high) &- high
        let under = pointwiseMax(low, high) &- low
        var rounded = high
        rounded.replace(with: high &+ 1, where: over .> middle)
        rounded.replace(with: high &- 1, where: under .> middle)
        return rounded
    }
}
