/// Splits rows of interleaved pixels into planes and premultiplies colours by alpha.
struct Deinterleaver {
    /// 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
    let channels: Int

    /// Splits a row of `width` pixels into row `y` of the planes, from column `left` on.
    ///
    /// - Parameter targets: The first row of each plane, one per channel; the rows are `strides` bytes apart.
    func split(
        _ row: UnsafePointer<UInt8>, width: Int, into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int], y: Int,
        left: Int = 0
    ) {
        func to(_ channel: Int) -> UnsafeMutablePointer<UInt8> { targets[channel]! + y * strides[channel] + left }
        switch self.channels {
        case 1: to(0).update(from: row, count: width)
        case 2: Self.split(row, width: width, gray: to(0), alpha: to(1))
        case 3: Self.split(row, width: width, to(0), to(1), to(2))
        default: Self.split(row, width: width, to(0), to(1), to(2), alpha: to(3))
        }
    }

    private static func split(
        _ row: UnsafePointer<UInt8>, width: Int, gray: UnsafeMutablePointer<UInt8>,
        alpha: UnsafeMutablePointer<UInt8>
    ) {
        let vectors = UnsafeRawPointer(row)
        var x = 0
        while x &+ 8 <= width {
            // Alpha is the upper byte of each 16 bits (little-endian).
            let pixels = vectors.loadUnaligned(fromByteOffset: 2 &* x, as: SIMD8<UInt16>.self)
            let opacity = pixels &>> 8
            Self.store(Self.product(pixels & 255, opacity), to: gray + x)
            Self.store(opacity, to: alpha + x)
            x &+= 8
        }
        while x < width {
            gray[x] = Self.product(row[2 &* x], row[2 &* x &+ 1])
            alpha[x] = row[2 &* x &+ 1]
            x &+= 1
        }
    }

    private static func split(
        _ row: UnsafePointer<UInt8>, width: Int, _ red: UnsafeMutablePointer<UInt8>,
        _ green: UnsafeMutablePointer<UInt8>, _ blue: UnsafeMutablePointer<UInt8>
    ) {
        // 16 pixels at a time: interleaving the first half of 48 bytes with the second one four times collects bytes
        // that were three apart.
        let vectors = UnsafeRawPointer(row)
        var x = 0
        while x &+ 16 <= width {
            var first = vectors.loadUnaligned(fromByteOffset: 3 &* x, as: SIMD16<UInt8>.self)
            var second = vectors.loadUnaligned(fromByteOffset: 3 &* x &+ 16, as: SIMD16<UInt8>.self)
            var third = vectors.loadUnaligned(fromByteOffset: 3 &* x &+ 32, as: SIMD16<UInt8>.self)
            for _ in 0..<4 {
                (first, second, third) = (
                    Self.interleave(first.lowHalf, second.highHalf), Self.interleave(first.highHalf, third.lowHalf),
                    Self.interleave(second.lowHalf, third.highHalf)
                )
            }
            UnsafeMutableRawPointer(red + x).storeBytes(of: first, as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(green + x).storeBytes(of: second, as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(blue + x).storeBytes(of: third, as: SIMD16<UInt8>.self)
            x &+= 16
        }
        while x < width {
            red[x] = row[3 &* x]
            green[x] = row[3 &* x &+ 1]
            blue[x] = row[3 &* x &+ 2]
            x &+= 1
        }
    }

    @inline(__always)
    private static func interleave(_ even: SIMD8<UInt8>, _ odd: SIMD8<UInt8>) -> SIMD16<UInt8> {
        var both = SIMD16<UInt8>()
        both.evenHalf = even
        both.oddHalf = odd
        return both
    }

    private static func split(
        _ row: UnsafePointer<UInt8>, width: Int, _ red: UnsafeMutablePointer<UInt8>,
        _ green: UnsafeMutablePointer<UInt8>, _ blue: UnsafeMutablePointer<UInt8>,
        alpha: UnsafeMutablePointer<UInt8>
    ) {
        let pixels = UnsafeRawPointer(row)
        for x in 0..<width {
            let pixel = UInt32(littleEndian: pixels.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self))
            let opacity = pixel &>> 24
            let redAndBlue = Self.products(pixel & 0x00FF_00FF, opacity)
            red[x] = UInt8(truncatingIfNeeded: redAndBlue)
            green[x] = UInt8(truncatingIfNeeded: Self.products(pixel &>> 8 & 0xFF, opacity))
            blue[x] = UInt8(truncatingIfNeeded: redAndBlue &>> 16)
            alpha[x] = UInt8(truncatingIfNeeded: opacity)
        }
    }

    /// `sample · alpha / 255`, rounded; exact for all 65,536 pairs.
    @inline(__always)
    private static func product(_ sample: UInt8, _ alpha: UInt8) -> UInt8 {
        let product = UInt16(sample) &* UInt16(alpha) &+ 128
        return UInt8(truncatingIfNeeded: (product &+ product &>> 8) &>> 8)
    }

    /// The same for one or two samples, in the low bytes of the halves of `samples`.
    @inline(__always)
    private static func products(_ samples: UInt32, _ alpha: UInt32) -> UInt32 {
        let products = samples &* alpha &+ 0x0080_0080
        return (products &+ (products &>> 8 & 0x00FF_00FF)) &>> 8 & 0x00FF_00FF
    }

    /// The same for eight samples.
    @inline(__always)
    private static func product(_ samples: SIMD8<UInt16>, _ alphas: SIMD8<UInt16>) -> SIMD8<UInt16> {
        let product = samples &* alphas &+ 128
        return (product &+ product &>> 8) &>> 8
    }

    /// Stores the lower byte of each sample.
    @inline(__always)
    private static func store(_ samples: SIMD8<UInt16>, to target: UnsafeMutablePointer<UInt8>) {
        let bytes = unsafeBitCast(samples, to: SIMD16<UInt8>.self)
        UnsafeMutableRawPointer(target).storeBytes(of: bytes.evenHalf, as: SIMD8<UInt8>.self)
    }
}
