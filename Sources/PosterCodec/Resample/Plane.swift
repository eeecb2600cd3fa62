/// One plane of a picture.
///
/// Shape: 8-bit samples, row by row from the top, `stride` bytes a row, `stride * height` in all. What lies between
/// `width` and `stride` repeats the row's last sample once ``padRight()`` was called.
package struct Plane {
    package let width, height: Int
    package let stride: Int
    package var samples: [UInt8]

    package init(width: Int, height: Int, filledWith value: UInt8 = 0) {
        self.width = width
        self.height = height
        // Whole JPEG blocks, also of a 4:2:0 pair, and whole vectors.
        self.stride = (width + 15) & ~15
        self.samples = [UInt8](repeating: value, count: self.stride * height)
    }

    mutating func padRight() {
        guard self.stride > self.width else { return }
        for y in 0..<self.height {
            let row = y * self.stride
            let last = self.samples[row + self.width - 1]
            for x in self.width..<self.stride { self.samples[row + x] = last }
        }
    }

    /// Rows and columns exchanged.
    func transposed() -> Plane {
        var turned = Plane(width: self.height, height: self.width)
        self.samples.withUnsafeBufferPointer { from in
            turned.samples.withUnsafeMutableBufferPointer { to in
                // By squares of 16, so that both sides stay in the cache.
                for top in Swift.stride(from: 0, to: self.height, by: 16) {
                    for left in Swift.stride(from: 0, to: self.width, by: 16) {
                        for y in top..<min(top + 16, self.height) {
                            for x in left..<min(left + 16, self.width) {
                                to[x * turned.stride + y] = from[y * self.stride + x]
                            }
                        }
                    }
                }
            }
        }
        return turned
    }
}
