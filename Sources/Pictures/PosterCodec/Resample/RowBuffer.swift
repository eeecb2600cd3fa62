/// The memory for all rows of a plane at one level, which are retained for targets of other decodes.
struct RowPlace: Sendable {
    let memory: PlaneMemory
    /// The offset of the first row.
    let offset: Int
    /// The bytes from one row to the next; see ``RowBuffer/stride(of:)``.
    let stride: Int
    /// The number of rows that fit.
    let capacity: Int
}

/// The last decoded rows of one plane, and of the same plane halved once or more.
///
/// Level 0 has the decoded rows; each further level is half as wide and half as high. Layout of a level: 8-bit samples,
/// `stride` bytes a row; row `y` is in slot `y % capacity`. Rows are written in groups; a group never wraps, because
/// the capacity is a multiple of the group's size. A level with retained rows has a slot for each row. Not thread-safe.
final class RowBuffer {
    /// The number of valid samples per row, and of valid rows.
    let width, height: Int
    let stride: Int
    let capacity: Int
    /// The next level; `nil` if nothing reads it.
    let halved: RowBuffer?
    private let rowsPerGroup: Int
    private let start: UnsafeMutablePointer<UInt8>
    /// The owner of the memory at ``start``: a ring of this store, or retained rows.
    private let ring: ScratchMemory<UInt8>?
    private let place: RowPlace?
    /// The number of rows written so far, including padding.
    private(set) var rowCount = 0

    /// - Parameters:
    ///   - rowBytes: The bytes written per row, padding included.
    ///   - rowsPerGroup: Maximum number of rows written at once.
    ///   - window: The number of last rows that stay readable.
    ///   - place: The memory for all rows; `nil` for a ring.
    init(
        width: Int, height: Int, rowBytes: Int, rowsPerGroup: Int, window: Int, place: RowPlace? = nil,
        halved: RowBuffer? = nil
    ) {
        self.width = width
        self.height = height
        self.halved = halved
        self.rowsPerGroup = rowsPerGroup
        self.place = place
        if let place {
            self.stride = place.stride
            self.capacity = place.capacity
            self.ring = nil
            self.start = place.memory.start + place.offset
            return
        }
        self.stride = Self.stride(of: rowBytes)
        // Rows are halved in pairs; the first of a pair may be the last row of the previous group.
        let window = halved == nil ? window : max(window, 2)
        self.capacity = (window + 2 * rowsPerGroup - 2) / rowsPerGroup * rowsPerGroup
        let ring = ScratchMemory<UInt8>(count: self.stride * self.capacity, repeating: 0)
        self.start = ring.start
        self.ring = consume ring
    }

    /// The bytes from one row to the next. Kernels read whole vectors, so it is a multiple of 32, and all of it is
    /// initialised.
    static func stride(of rowBytes: Int) -> Int { (rowBytes + 31) & ~31 }

    /// The levels of a plane, level 0 first.
    ///
    /// - Parameters:
    ///   - windows: For each level, the number of last rows that stay readable; not empty.
    ///   - staying: The level with retained rows, and their memory.
    static func levels(
        of plane: PlaneLayout.PlaneShape, windows: [Int], staying: (level: Int, place: RowPlace)? = nil
    ) -> [RowBuffer] {
        var shapes = [plane]
        for _ in windows.dropFirst() { shapes.append(shapes[shapes.count - 1].halved) }
        var stores: [RowBuffer] = []
        for (level, shape) in shapes.enumerated().reversed() {
            stores.insert(
                RowBuffer(
                    width: shape.width, height: shape.height, rowBytes: shape.rowBytes,
                    rowsPerGroup: shape.rowsPerGroup, window: windows[level],
                    place: staying?.level == level ? staying?.place : nil, halved: stores.first), at: 0)
        }
        return stores
    }

    /// The retained rows of this level, or of a further one, that are written so far, and their offset in the memory.
    /// They do not change any more.
    var retainedRows: (offset: Int, bytes: UnsafeRawBufferPointer)? {
        guard let place else { return self.halved?.retainedRows }
        let count = min(self.rowCount, self.capacity) * self.stride
        return (place.offset, UnsafeRawBufferPointer(start: self.start, count: count))
    }

    var nextGroup: UnsafeMutablePointer<UInt8> {
        self.start + self.rowCount % self.capacity * self.stride
    }

    /// Counts the written group, and halves the rows that it completes.
    func groupWasWritten(kernel: ResampleKernel) {
        self.rowCount += self.rowsPerGroup
        self.fillHalved(kernel)
    }

    func row(_ y: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(self.start + y % self.capacity * self.stride)
    }

    private func fillHalved(_ kernel: ResampleKernel) {
        guard let halved = self.halved else { return }
        let available = min(self.rowCount, self.height)
        while halved.rowCount < halved.height {
            let upper = 2 * halved.rowCount
            // The last row of an odd height counts twice.
            let lower = min(upper + 1, self.height - 1)
            guard lower < available else { break }
            kernel.halve(self.row(upper), self.row(lower), into: halved.nextGroup, width: self.width)
            halved.rowCount += 1
        }
        halved.fillHalved(kernel)
    }
}

extension PlaneLayout.PlaneShape {
    /// The shape of a level of the plane.
    func halved(times level: Int) -> PlaneLayout.PlaneShape {
        (0..<level).reduce(self) { shape, _ in shape.halved }
    }

    /// The shape of the plane's next level.
    var halved: PlaneLayout.PlaneShape {
        let width = (self.width + 1) / 2
        return .init(
            // One more than half: a row that waited for its pair, or the last one of an odd height.
            width: width, height: (self.height + 1) / 2, rowBytes: width, rowsPerGroup: self.rowsPerGroup / 2 + 1,
            samplesPerPixel: (across: self.samplesPerPixel.across / 2, down: self.samplesPerPixel.down / 2),
            scale: self.scale)
    }
}
