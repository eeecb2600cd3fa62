/// Takes interleaved pixels apart, a row at a time.
enum PixelRow {
    typealias Target = UnsafeMutablePointer<UInt8>

    /// RGB to three rows.
    static func separate(_ pixels: UnsafePointer<UInt8>, count: Int, into to: (Target, Target, Target)) {
        for x in 0..<count {
            to.0[x] = pixels[3 &* x]
            to.1[x] = pixels[3 &* x &+ 1]
            to.2[x] = pixels[3 &* x &+ 2]
        }
    }

    /// RGBA to four rows, colours multiplied by alpha and rounded.
    static func premultiply(_ pixels: UnsafePointer<UInt8>, count: Int, into to: (Target, Target, Target, Target)) {
        let raw = UnsafeRawPointer(pixels)
        for x in 0..<count {
            let pixel = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 &* x, as: UInt32.self))
            let alpha = pixel &>> 24
            let redAndBlue = Self.products(pixel & 0x00FF_00FF, alpha)
            let green = Self.products(pixel &>> 8 & 0xFF, alpha)
            to.0[x] = UInt8(truncatingIfNeeded: redAndBlue)
            to.1[x] = UInt8(truncatingIfNeeded: green)
            to.2[x] = UInt8(truncatingIfNeeded: redAndBlue &>> 16)
            to.3[x] = UInt8(truncatingIfNeeded: alpha)
        }
    }

    /// `a · b / 255`, rounded, of one or two values in the lower halves of `a`; exact without a division.
    private static func products(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let products = a &* b &+ 0x0080_0080
        return (products &+ (products &>> 8 & 0x00FF_00FF)) &>> 8 & 0x00FF_00FF
    }
}
