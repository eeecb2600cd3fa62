/// The decoded rows of one plane that are still needed, in a ring.
///
/// Shape: 8-bit samples, `stride` bytes a row; row `y` of the plane sits in slot `y % capacity` while it is there. Rows
/// come in groups; a group never wraps, because the capacity is a multiple of the group's size. Not thread-safe.
final class RowRing {
    let stride: Int
    let capacity: Int
    private let rowsPerGroup: Int
    private let samples: UnsafeMutablePointer<UInt8>
    /// Rows written so far.
    private(set) var rowCount = 0

    /// - Parameters:
    ///   - rowBytes: What the decoder writes per row.
    ///   - rowsPerGroup: How many rows it writes at once.
    ///   - window: How many rows back a reader may look from the last one.
    init(rowBytes: Int, rowsPerGroup: Int, window: Int) {
        // Kernels read whole vectors, so a row ends on a multiple of 32 and is initialised up to there.
        self.stride = (rowBytes + 31) & ~31
        self.rowsPerGroup = rowsPerGroup
        self.capacity = (window + 2 * rowsPerGroup - 2) / rowsPerGroup * rowsPerGroup
        self.samples = .allocate(capacity: self.stride * self.capacity)
        self.samples.initialize(repeating: 0, count: self.stride * self.capacity)
    }

    deinit {
        self.samples.deallocate()
    }

    /// Where the next group goes.
    var nextGroup: UnsafeMutablePointer<UInt8> {
        self.samples + self.rowCount % self.capacity * self.stride
    }

    /// Call after a group was written.
    func groupWasWritten() {
        self.rowCount += self.rowsPerGroup
    }

    func row(_ y: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(self.samples + y % self.capacity * self.stride)
    }
}
