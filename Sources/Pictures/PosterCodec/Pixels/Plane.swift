/// One plane of a picture.
///
/// Layout: 8-bit samples, row by row from the top, `stride` bytes a row, `stride * height` in all. The bytes between
/// `width` and `stride` repeat the row's last sample after ``padRight()``.
package struct Plane {
    package let width: Int
    package private(set) var height: Int
    package let stride: Int
    package var samples: [UInt8]

    package init(width: Int, height: Int, filledWith value: UInt8 = 0) {
        self.width = width
        self.height = height
        // Whole JPEG blocks, also of a 4:2:0 pair, and whole vectors.
        self.stride = (width + 15) & ~15
        self.samples = [UInt8](repeating: value, count: self.stride * height)
    }

    /// - Parameter samples: `stride * height` of them.
    init(width: Int, height: Int, samples: [UInt8]) {
        self.width = width
        self.height = height
        self.stride = (width + 15) & ~15
        self.samples = samples
    }

    /// Appends rows of zeros up to a height of `rows`.
    mutating func grow(toHold rows: Int) {
        guard rows > self.height else { return }
        self.samples += [UInt8](repeating: 0, count: (rows - self.height) * self.stride)
        self.height = rows
    }

    /// Appends the rows of another plane of the same width.
    mutating func append(_ other: Plane) throws(CodecError) {
        guard other.stride == self.stride else { throw .internalError(reason: "rows of another width") }
        self.samples += other.samples
        self.height += other.height
    }

    mutating func padRight() {
        guard self.stride > self.width else { return }
        let (width, height, stride) = (self.width, self.height, self.stride)
        self.samples.withUnsafeMutableBufferPointer { samples in
            for y in 0..<height {
                let row = samples.baseAddress! + y * stride
                (row + width).update(repeating: row[width - 1], count: stride - width)
            }
        }
    }

    func transposed() -> Plane {
        var turned = Plane(width: self.height, height: self.width)
        self.samples.withUnsafeBufferPointer { from in
            turned.samples.withUnsafeMutableBufferPointer { to in
                // In tiles of 16, so that both planes stay in the cache.
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
