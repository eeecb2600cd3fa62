import PosterCodec

/// A whole picture in memory.
///
/// Shape: 8-bit R, G, B, A interleaved, row by row from the top without padding, `4 * width * height` bytes.
struct Bitmap: ~Copyable {
    let width, height: Int
    let samples: UnsafeMutablePointer<UInt8>

    /// Allocates uninitialised samples.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        self.samples = .allocate(capacity: 4 * width * height)
    }

    deinit {
        self.samples.deallocate()
    }

    consuming func release() {}

    /// Full-range Y′CbCr 4:2:0 (BT.601, JFIF), as the codec's encoder takes it.
    ///
    /// Alpha is dropped.
    borrowing func planes() -> [Plane] {
        var luma = Plane(width: self.width, height: self.height)
        var blue = Plane(width: (self.width + 1) / 2, height: (self.height + 1) / 2)
        var red = blue
        for y in 0..<self.height {
            let row = self.samples + 4 * self.width * y
            let to = luma.stride * y
            luma.samples.withUnsafeMutableBufferPointer { luma in
                for x in 0..<self.width {
                    // Weights with 16 fractional bits; they add up to one.
                    let (r, g, b) = (Int32(row[4 * x]), Int32(row[4 * x + 1]), Int32(row[4 * x + 2]))
                    luma[to + x] = UInt8(truncatingIfNeeded: (19595 * r + 38470 * g + 7471 * b + 32768) >> 16)
                }
            }
        }
        for y in 0..<blue.height {
            let top = self.samples + 4 * self.width * (2 * y)
            let bottom = self.samples + 4 * self.width * min(2 * y + 1, self.height - 1)
            let to = blue.stride * y
            blue.samples.withUnsafeMutableBufferPointer { blue in
                red.samples.withUnsafeMutableBufferPointer { red in
                    for x in 0..<(self.width + 1) / 2 {
                        let (left, right) = (8 * x, 4 * min(2 * x + 1, self.width - 1))
                        // The sum of four pixels, so two more fractional bits.
                        let r = Int32(top[left]) + Int32(top[right]) + Int32(bottom[left]) + Int32(bottom[right])
                        let g =
                            Int32(top[left + 1]) + Int32(top[right + 1]) + Int32(bottom[left + 1])
                            + Int32(bottom[right + 1])
                        let b =
                            Int32(top[left + 2]) + Int32(top[right + 2]) + Int32(bottom[left + 2])
                            + Int32(bottom[right + 2])
                        let middle: Int32 = 128 << 18 + 131071
                        blue[to + x] = UInt8(truncatingIfNeeded: (-11059 * r - 21709 * g + 32768 * b + middle) >> 18)
                        red[to + x] = UInt8(truncatingIfNeeded: (32768 * r - 27439 * g - 5329 * b + middle) >> 18)
                    }
                }
            }
        }
        return [luma, blue, red]
    }
}
